"""Control a Chromium that shows one page and nothing else, over a pair of pipes.

The page comes from memory, under an address that leads nowhere, and with a policy that keeps it in
a sandbox. It is isolated in three ways, each of which would be enough: the policy lets it load only
what it contains; every request and every navigation to another page is answered with an error
before it leaves the browser; and the browser resolves no host and connects to no address. A page
from such an address cannot read files.
"""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any, cast

from nbcompare._validation import shown

__all__ = ["BrowserEndedError", "Devtools", "LeavingError", "start"]

_OPTIONS = (
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://nowhere.invalid",  # connections to IP addresses fail, too
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)
# A secure context, as a page from a file is: some scripts draw only there.
_ADDRESS = "https://report.invalid/"
# Scripts may run, in an origin of their own: no windows, dialogs, forms, downloads, storage.
_POLICY = (
    "default-src data: blob: 'unsafe-inline' 'unsafe-eval'; base-uri 'none'; form-action 'none'; "
    "sandbox allow-scripts"
)
# Other places cannot be shown: a link to a file beside the notebook would lead to the address
# above, and an image elsewhere would be an empty frame.
_NOTHING_ELSEWHERE = """\
for (const link of document.querySelectorAll("a[href]"))
    if (link.origin === location.origin && !link.getAttribute("href").startsWith("#"))
        link.removeAttribute("href");
for (const image of [...document.images]) {
    const source = image.getAttribute("src") || "";
    if (source && !/^\\s*(data|blob):/i.test(source))
        image.replaceWith("image not shown: " + source);
}
"""


class BrowserEndedError(RuntimeError):
    """The browser, or the page that it showed, ended before the page was printed."""


class LeavingError(RuntimeError):
    """A page led to another page before it was printed."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"the page is not printed: a script of the notebook leads to {shown(address)}. Remove "
            "what sets the location, submits a form or refreshes the page."
        )


class Devtools:
    """One page in a browser.

    Parameters
    ----------
    process : subprocess.Popen
        The process, from :func:`start`.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._requests = cast("IO[bytes]", process.stdin)
        self._messages = self._read(cast("IO[bytes]", process.stdout))
        self._last = 0
        self._body: bytes | None = None  # the page, until it has been sent
        self._session: str | None = None
        self._frame = ""

    def pdf(self, page: str) -> bytes:
        """Show a page, wait until it is loaded, and print it.

        Parameters
        ----------
        page : str
            HTML.

        Returns
        -------
        bytes
            The PDF.

        Raises
        ------
        BrowserEndedError
            If the browser or the page ends before.
        LeavingError
            If the page leads to another one.
        """
        # the main frame has the identity of the page
        self._frame = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=self._frame, flatten=True)
        self._session = attached["sessionId"]
        self._body = page.encode("utf-8", "replace")  # half a character is none
        self._call("Page.enable")
        self._call("Fetch.enable", patterns=[{"urlPattern": "*"}])
        self._load()
        self._call("Runtime.evaluate", expression=_NOTHING_ELSEWHERE)
        printed = self._call(
            "Page.printToPDF", printBackground=True, preferCSSPageSize=True, generateTaggedPDF=True
        )
        return base64.b64decode(printed["data"])

    def _load(self) -> None:
        """Go to the page, and wait until everything in it is loaded."""
        number = self._send("Page.navigate", url=_ADDRESS)
        loaded = False
        while not loaded:
            message = self._next()
            # an event before the page was sent is that of the blank page
            loaded = self._body is None and message.get("method") == "Page.loadEventFired"
            if message.get("id") == number and "errorText" in message.get("result", {}):
                raise BrowserEndedError(message["result"]["errorText"])

    def _call(self, method: str, **parameters: Any) -> Mapping[str, Any]:
        """Call a method and wait for its answer."""
        number = self._send(method, **parameters)
        while (message := self._next()).get("id") != number:
            pass
        if "error" in message:
            raise BrowserEndedError(f"{method}: {message['error']['message']}")
        return cast("Mapping[str, Any]", message["result"])

    def _send(self, method: str, **parameters: Any) -> int:
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        try:
            self._requests.write(json.dumps(message).encode() + b"\0")
            self._requests.flush()
        except OSError as error:  # nobody reads the pipe
            raise BrowserEndedError("as it ended") from error
        return self._last

    def _next(self) -> Mapping[str, Any]:
        """Wait for the next message; a request of the page is answered before it is returned."""
        message = next(self._messages, None)
        if message is None:
            raise BrowserEndedError("as it ended")
        if message.get("method") == "Inspector.targetCrashed":
            raise BrowserEndedError("the page crashed, perhaps for lack of memory")
        if message.get("method") == "Page.frameNavigated":
            frame = message["params"]["frame"]
            if self._body is None and frame["id"] == self._frame and frame["url"] != _ADDRESS:
                raise LeavingError(frame["url"])  # to a page of its own making
        if message.get("method") == "Fetch.requestPaused":
            self._answer(message["params"])
        return message

    def _answer(self, paused: Mapping[str, Any]) -> None:
        """Answer the first request with the page, and let all others fail."""
        request = paused["requestId"]
        if self._body is None:
            # a navigation has ended the loading of the page, whatever the answer is
            if paused["resourceType"] == "Document" and paused["frameId"] == self._frame:
                raise LeavingError(paused["request"]["url"])
            self._send("Fetch.failRequest", requestId=request, errorReason="BlockedByClient")
            return
        headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": _POLICY}
        self._send(
            "Fetch.fulfillRequest",
            requestId=request,
            responseCode=200,
            responseHeaders=[{"name": name, "value": value} for name, value in headers.items()],
            body=base64.b64encode(self._body).decode(),
        )
        self._body = None

    @staticmethod
    def _read(stream: IO[bytes]) -> Iterator[dict[str, Any]]:
        """Yield messages, each of which ends in a zero byte."""
        waiting = bytearray()
        while chunk := stream.read1(1 << 20):  # type: ignore[attr-defined]  # it is buffered
            *ends, rest = chunk.split(b"\0")
            for end in ends:
                yield json.loads(waiting + end)
                waiting.clear()
            waiting += rest


def start(line: Sequence[str], errors: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a Chromium without a network, controlled through the pipes of its process.

    Parameters
    ----------
    line : sequence of str
        The program and its options.
    errors : file
        Where its error messages go.

    Returns
    -------
    subprocess.Popen
        The leader of a new process group.
    """
    # Chromium reads commands from file descriptor 3 and answers on 4.
    move = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null'
    return subprocess.Popen(
        ["/bin/sh", "-c", move, "sh", *line, *_OPTIONS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=True,
    )
