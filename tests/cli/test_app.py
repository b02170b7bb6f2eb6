"""The command ``app``: who may reach it, what it leaves behind, what it says."""

import contextlib
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from nbcompare.cli import main

SCORES = "dataset,A,B\nx,0.5,0.6\ny,0.7,0.8\nz,0.65,0.7\n"


def test_help_and_mistakes(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["--help"])
    assert re.search(r"^    app +open a page", capsys.readouterr().out, re.MULTILINE)
    assert main(["app", "nowhere.csv"]) == 1
    assert capsys.readouterr().err == "nbcompare: the file 'nowhere.csv' does not exist.\n"
    Path("study.nbcompare").write_text("no zip")
    assert main(["app", "study.nbcompare"]) == 1
    assert "study.nbcompare must be a project of nbcompare" in capsys.readouterr().err
    assert main(["app", "nowhere/study.nbcompare"]) == 1
    assert "there is no folder" in capsys.readouterr().err
    assert main(["app", "."]) == 1
    assert capsys.readouterr().err == "nbcompare: the file '.' is a folder.\n"
    with pytest.raises(SystemExit):
        main(["app", "--port", "0"])
    assert "--port must be a number from 1 to 65535" in capsys.readouterr().err


def ask(address, method="GET", **headers):
    """The status of an answer, without following it elsewhere."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None

    request = urllib.request.Request(
        address, method=method, headers={name.replace("_", "-"): v for name, v in headers.items()}
    )
    opener = urllib.request.build_opener(Stay)
    try:
        with opener.open(request, timeout=60) as answer:
            return answer.status, answer.read().decode(errors="replace"), answer.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(errors="replace"), error.headers


def handshake(place, path, **headers):
    """The first line that a server answers to somebody who wants a websocket."""
    host, port = place.split(":")
    with socket.create_connection((host, int(port)), timeout=60) as line:
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {place}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        line.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return line.recv(1000).decode(errors="replace").split("\r\n")[0]


def listening(pid):
    """The addresses at which a process waits for others."""
    inodes = set()
    for handle in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            inodes.add(str(handle.readlink()))
    found = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
                found.append(fields[1].split(":")[0])
    return found


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_only_its_reader_reaches_it(tmp_path, started):
    (tmp_path / "work" / "scores.csv").write_text(SCORES)
    secret = tmp_path / "work" / "secret.png"
    secret.write_text("nobody's business")
    (tmp_path / "work" / "tornado.py").write_text("raise SystemExit('run')")
    with started("scores.csv") as (process, address):
        place, token = urlsplit(address).netloc, address.partition("token=")[2]
        assert len(token) > 30
        assert listening(process.pid) == ["0100007F"]
        base = f"http://{place}/"

        # without the token nothing is answered, whatever is asked for
        for path in ("", "?token=wrong", "builder.js", "socket", "secret.png", "api/kernels"):
            status, text, _ = ask(base + path)
            assert status == 403, path
            assert "nobody" not in text
        assert "403" in handshake(place, "/socket")
        cookie = f"nbcompare-{place.partition(':')[2]}={token}"
        assert "403" in handshake(place, "/socket", Cookie=f"{cookie}0")

        # a cookie stands for the token, which leaves the address
        status, _, headers = ask(address)
        assert (status, headers["Location"]) == (302, "/")
        (said,) = headers.get_all("Set-Cookie")
        assert said.startswith(cookie)
        assert "HttpOnly" in said
        assert "SameSite=Lax" in said

        # with it, the page, and nothing of the disk
        for path in ("secret.png", "../secret.png", "work/secret.png", "%2e%2e/etc/passwd", "x"):
            status, text, _ = ask(base + path, Cookie=cookie)
            assert status == 404, path
            assert "nobody" not in text
        status, page, headers = ask(base, Cookie=cookie)
        assert status == 200
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert not re.search(r"""(src|href)=["']?(https?:)?//""", page)
        assert str(tmp_path / "work") in page  # where files are written
        assert token not in page
        # a page of somebody else: under another name of this machine, or with our cookie
        assert ask(base, Cookie=cookie, Host="evil.example")[0] == 403
        assert ask(base, "POST", Cookie=cookie)[0] in (403, 405)
        assert "101" in handshake(place, "/socket", Cookie=cookie, Origin=f"http://{place}")
        for origin in ("http://evil.example", f"https://{place}", "null"):
            assert "403" in handshake(place, "/socket", Cookie=cookie, Origin=origin)
    assert sorted(path.name for path in (tmp_path / "work").iterdir()) == [
        "scores.csv",
        "secret.png",
        "tornado.py",
    ]


@pytest.mark.slow
def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-P", "-m", "nbcompare", "app", "--no-browser", "--port", port],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=240,
        )
    assert done.returncode == 1
    assert re.fullmatch(
        rf"nbcompare: cannot use port {port}: address already in use\.\n", done.stderr
    )
