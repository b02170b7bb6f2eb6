"""The HTML page printed by a Chromium."""

import re
import socket
import threading
import zlib
from contextlib import suppress

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from nbcompare.report.browser import chromium as browser
from nbcompare.report.browser import devtools
from nbcompare.report.exporters import ReportWebPDFExporter

pytestmark = pytest.mark.browser

SECRET = "TOPSECRETWORD"
FILES = {
    "secret.txt": SECRET,
    "secret.html": f"<p>{SECRET}</p>",
    "secret.js": f"document.body.append('{SECRET}')",
    "secret.css": f"body::after {{ content: '{SECRET}' }}",
    "secret.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='400' height='50'>"
    f"<text id='a' y='20'>{SECRET}</text></svg>",
}
# Ways to load what is elsewhere: {F} is a file without its suffix, {H} the address of a server,
# {P} its port, {U} a port that hears datagrams.
LOADS = {
    "image": "<img src='{F}.svg'><img src='{H}/1'><img srcset='{H}/2 1x'>"
    "<picture><source srcset='{H}/3'><img></picture>",
    "frame": "<iframe src='{F}.txt'></iframe><iframe src='{H}/1'></iframe>",
    "frame of its own markup": '<iframe srcdoc=\'<iframe src="{F}.txt"></iframe><img src={H}/1>'
    '<script>location="{F}.txt"</script>\'></iframe>',
    "frame that leads elsewhere": "<iframe srcdoc='<script>location=\"{H}/1\"</script>'></iframe>",
    "frame that leads the page": "<iframe srcdoc='<script>top.location=\"{H}/1\"</script>'>"
    "</iframe>",
    "frame in a sandbox": "<iframe sandbox='allow-scripts' srcdoc=\"<img src={H}/1>"
    "<script>location='{H}/2'</script>\"></iframe>",
    "frame of data": "<iframe src=\"data:text/html,<img src={H}/1><script>location='{F}.txt'"
    '</script>"></iframe>',
    "frame by script": "<iframe id=i></iframe><script>i.src='{F}.txt'</script>",
    "object": "<object data='{F}.txt'></object><object data='{H}/1'></object>"
    "<object data='{F}.svg' type='image/svg+xml'></object><embed src='{F}.txt'><embed src='{H}/2'>",
    "script": "<script src='{F}.js'></script><script src='{H}/1'></script>",
    "module": "<script type=module>import('{F}.js'); import('{H}/1')</script>",
    "import map": '<script type=importmap>{{"imports": {{"x": "{H}/1"}}}}</script>'
    "<script type=module>import 'x'</script>",
    "style sheet": "<link rel=stylesheet href='{F}.css'><link rel=stylesheet href='{H}/1'>",
    "style": "<style>@import '{F}.css'; @import url({H}/1); p {{ background: url({F}.svg), "
    "url({H}/2); font-family: x }} @font-face {{ font-family: x; src: url({H}/3) }}</style><p>x",
    "drawing": "<svg width=400 height=50><use href='{F}.svg#a'/><image href='{F}.svg' width=400 "
    "height=50 /><image href='{H}/1'/><feImage href='{H}/2'/><foreignObject><iframe "
    "src='{F}.txt'></iframe></foreignObject></svg>",
    "hints": "".join(
        f"<link rel='{kind}' href='{{H}}/{kind}'>"
        for kind in ("prefetch", "preload", "preconnect", "dns-prefetch", "modulepreload", "icon")
    ),
    "manifest": "<link rel=manifest href='{H}/1'><link rel=prerender href='{H}/2'>",
    "speculation": '<script type=speculationrules>{{"prefetch": [{{"source": "list", "urls": '
    '["{H}/1"]}}], "prerender": [{{"source": "list", "urls": ["{H}/2"]}}]}}</script>',
    "fetch": "<script>for (const u of ['{F}.txt', '{H}/1']) fetch(u, {{mode: 'no-cors'}})"
    ".then(r => r.text()).then(t => document.body.append(t)).catch(() => 0)</script>",
    "request": "<script>for (const u of ['{F}.txt', '{H}/1']) try {{ const x = new "
    "XMLHttpRequest(); x.open('GET', u, false); x.send(); document.body.append(x.responseText) }} "
    "catch {{}}</script>",
    "beacon": "<script>navigator.sendBeacon('{H}/1', 'x')</script>",
    "sockets": "<script>new WebSocket('ws://127.0.0.1:{P}/1'); new EventSource('{H}/2')</script>",
    "transport": "<script>try {{ new WebTransport('https://127.0.0.1:{U}/') }} catch {{}}</script>",
    "peers": "<script>const c = {{username: 'a', credential: 'b'}}; const p = new "
    "RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{U}'}}, {{urls: "
    "'turn:127.0.0.1:{P}?transport=tcp', ...c}}]}}); p.createDataChannel('x'); "
    "p.createOffer().then(o => p.setLocalDescription(o))</script>",
    "worker": "<script>new Worker(URL.createObjectURL(new Blob([\"fetch('{H}/1'); try {{ "
    "importScripts('{F}.js') }} catch {{}}; new WebSocket('ws://127.0.0.1:{P}/2')\"])))</script>",
    "worker elsewhere": "<script>for (const u of ['{F}.js', '{H}/1']) for (const W of [Worker, "
    "SharedWorker]) try {{ new W(u) }} catch {{}}</script>",
    "service": "<script>try {{ navigator.serviceWorker.register('{H}/1').catch(() => 0) }} catch "
    "{{}}</script>",
    "base": "<base href='{F}'><img src='secret.svg'><base href='{H}/'><img src='1'>",
    "media": "<video src='{H}/1' poster='{H}/2' autoplay></video><audio src='{F}.txt'></audio>",
    "window": "<script>open('{F}.txt'); open('{H}/1'); const w = open('about:blank'); "
    "if (w) w.location = '{H}/2'</script>",
    "link to a window": "<a id=w target=_blank href='{H}/1' ping='{H}/2'>x</a><script>w.click()"
    "</script>",
    "form": "<form id=f action='{H}/1' method=post><input name=a></form>"
    "<script>f.submit()</script>",
    "form for a file": "<form id=g action='{F}.txt'></form><script>g.submit()</script>",
    "page before print": "<script>addEventListener('beforeprint', () => document.body.innerHTML "
    "+= '<iframe src=\"{F}.txt\"></iframe><img src={H}/1>')</script>",
    "policy": '<meta http-equiv=Content-Security-Policy content="report-uri {H}/1"><img src=x>',
    "dialogs": "<script>alert(1); confirm(2); prompt(3); print()</script>",
    "location of a file": "<script>location = '{F}.txt'</script>",
    "location of a file, later": "<script>addEventListener('load', () => location.replace("
    "'{F}.html'))</script>",
    "refresh to a file": "<meta http-equiv=refresh content='0;url={F}.txt'>",
    "link to a file": "<a id=a href='{F}.txt'>x</a><script>a.click()</script>",
    "browser's own pages": "<script>for (const u of ['chrome://version', 'view-source:{F}.txt', "
    "'data:text/html,x']) try {{ location = u }} catch {{}}</script>",
}
# Ways to another page that a browser takes: what is printed would be that page, or half of this.
LEAVES = {
    "location": "<script>location = '{H}/1'</script>",
    "location by name": "<script>location = 'http://localhost:{P}/1'</script>",
    "refresh": "<meta http-equiv=refresh content='0;url={H}/1'>",
    "click": "<a id=a href='{H}/1' ping='{H}/2'>x</a><script>a.click()</script>",
    "again": "<script>location.reload()</script>",
    "blob": "<script>location = URL.createObjectURL(new Blob(['<img src={H}/1>'], {{type: "
    "'text/html'}}))</script>",
}


class Ears:
    """A server and a socket for datagrams, which note what comes."""

    def __init__(self):
        self.heard = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagrams.bind(("127.0.0.1", 0))
        self.port, self.datagrams = (s.getsockname()[1] for s in (self._server, self._datagrams))
        self._threads = [
            threading.Thread(target=self._listen, args=(hear,), daemon=True)
            for hear in (self._accept, self._receive)
        ]
        for thread in self._threads:
            thread.start()

    def _accept(self):
        connection, _ = self._server.accept()
        connection.close()
        return "connection"

    def _receive(self):
        return self._datagrams.recvfrom(100)[0]

    def _listen(self, hear):
        with suppress(OSError):  # closed
            while (what := hear()) != b"end":
                self.heard.append(what)

    def close(self):
        self._server.shutdown(socket.SHUT_RDWR)
        self._datagrams.sendto(b"end", ("127.0.0.1", self.datagrams))
        for thread in self._threads:
            thread.join()
        self._server.close()
        self._datagrams.close()


@pytest.fixture
def ears():
    ears = Ears()
    yield ears
    ears.close()


@pytest.fixture
def hostile(chromium, ears, tmp_path):
    """Fill in a piece of hostile markup, between two words that shall be printed."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    places = {
        "F": (tmp_path / "secret").as_uri(),
        "H": f"http://127.0.0.1:{ears.port}",
        "P": ears.port,
        "U": ears.datagrams,
    }

    def hostile(markup):
        return f"<!DOCTYPE html><p>FIRST</p>{markup.format(**places)}<p>LAST</p>"

    return hostile


def text_of(pdf):
    """The text of a PDF as Chromium writes it: glyphs, and for each font what they mean."""
    streams = []
    for raw in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        with suppress(zlib.error):  # a picture
            streams.append(zlib.decompress(raw).decode("latin-1"))
    found = []
    for font in (stream for stream in streams if "begincmap" in stream):
        letters = {
            int(a, 16): chr(int(b[:4], 16)) for a, b in re.findall(r"<(\w+)> <(\w+)>\n", font)
        }
        for first, last, to in re.findall(r"<(\w+)> <(\w+)> <(\w+)>\n", font):
            for glyph in range(int(first, 16), int(last, 16) + 1):
                letters[glyph] = chr(int(to, 16) + glyph - int(first, 16))
        for stream in streams:
            if "begincmap" not in stream:
                glyphs = re.findall(r"[0-9A-F]{4}", "".join(re.findall(r"<([0-9A-F]+)>", stream)))
                found.append("".join(letters.get(int(glyph, 16), "?") for glyph in glyphs))
    return "\n".join(found)


def test_a_page_is_printed_though_it_asks(chromium):
    asking = {"application/javascript": "alert(1); confirm(2); element.textContent = prompt(3)"}
    notebook = new_notebook(
        cells=[
            new_markdown_cell("# Printed"),
            new_code_cell("1", outputs=[new_output("display_data", data=asking)]),
        ]
    )
    pdf, resources = ReportWebPDFExporter().from_notebook_node(notebook)
    assert pdf.startswith(b"%PDF-")
    assert b"/StructTreeRoot" in pdf  # tagged
    assert resources["output_extension"] == ".pdf"


def test_the_battery_can_hear_and_read(hostile, ears):
    socket.create_connection(("127.0.0.1", ears.port)).close()
    assert SECRET in text_of(browser.print_page(hostile(SECRET)))
    assert ears.heard == ["connection"]


def test_nothing_from_elsewhere_is_printed_or_asked_for(hostile, ears):
    """All ways on one page, each in a place of its own; scripts of one do not end another."""
    pdf = browser.print_page(hostile("".join(f"<div>{load}</div>" for load in LOADS.values())))
    text = text_of(pdf)
    assert "FIRST" in text
    assert "LAST" in text
    assert SECRET not in text
    assert ears.heard == []


@pytest.mark.parametrize("way", LEAVES)
def test_a_page_that_leads_elsewhere_is_not_printed(hostile, ears, way):
    with pytest.raises(devtools.LeavingError, match=r"^the page is not printed: a script of the"):
        browser.print_page(hostile(LEAVES[way]))
    assert ears.heard == []


def test_a_notebook_prints_no_file_of_another_folder(hostile, ears, tmp_path):
    for name in ("iframe", "img", "embed"):
        shown = hostile(f"<{name} src='{{F}}.svg'>{LOADS['location of a file']}")
        cells = [
            new_markdown_cell(shown),
            new_code_cell("1", outputs=[new_output("display_data", data={"text/html": shown})]),
        ]
        pdf, _ = ReportWebPDFExporter().from_notebook_node(new_notebook(cells=cells))
        assert SECRET not in text_of(pdf)


def test_images_beside_the_notebook_are_printed_and_others_named(hostile, tmp_path):
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (folder / "figure.svg").write_text(FILES["secret.svg"].replace(SECRET, "FIGURE"))
    shown = "<img src='figure.svg'> <img src='../secret.svg'> <img src='https://example.org/a.png'>"
    output = new_output("display_data", data={"text/html": shown})
    cells = [new_markdown_cell("![one](figure.svg)"), new_code_cell("1", outputs=[output])]
    resources = {"metadata": {"path": str(folder)}}
    pdf, _ = ReportWebPDFExporter().from_notebook_node(new_notebook(cells=cells), resources)
    text = text_of(pdf)
    assert text.count("FIGURE") == 2
    assert SECRET not in text
    pieces = re.sub(r"[^a-z:/.]", "", text)
    assert "imagenotshown:../secret.svg" in pieces
    assert "imagenotshown:https://example.org/a.png" in pieces


def test_links_lead_where_they_did_or_nowhere(chromium):
    links = "<a href='notes.md'>a</a> <a href='https://example.org/'>b</a> <a href='#c'>c</a>"
    pdf = browser.print_page(f"{links}<p id='c' style='break-before: page'>c</p>")
    assert re.findall(rb"/URI \((.*?)\)", pdf) == [b"https://example.org/"]
    assert b"/Dest" in pdf


def test_a_page_that_is_large_or_strange_is_printed(chromium):
    picture = "A" * 50_000_000
    page = f"<p>FIRST \ud800 \0</p><img src='data:image/png;base64,{picture}'><p>LAST</p>"
    text = text_of(browser.print_page(page))
    assert "FIRST" in text
    assert "LAST" in text


def test_a_script_without_an_end_is_ended(chromium, monkeypatch):
    monkeypatch.setattr(browser, "_LONGEST", 5)
    with pytest.raises(RuntimeError, match=r"nothing within 5 s; a script of the notebook may"):
        browser.print_page("<script>while (true);</script>")
