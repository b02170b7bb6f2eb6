"""The command ``app``: who may reach it, what it leaves behind, what it says."""

import contextlib
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from nbcompare.cli import _app, main

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


def test_without_voila_it_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setattr(_app.importlib.util, "find_spec", lambda name: None)
    assert main(["app"]) == 1
    said = capsys.readouterr().err
    assert "pip install 'nbcompare[app]'" in said


@pytest.fixture
def scratch():
    """A folder with a path that is short enough for those of sockets in it."""
    with tempfile.TemporaryDirectory(prefix="t", dir="/tmp") as name:
        yield Path(name)


@contextlib.contextmanager
def running(folder, scratch, *arguments):
    """The app as a process, in a folder of its own; yields the process and the address."""
    environment = {**os.environ, "TMPDIR": str(scratch), "HOME": str(folder / "home")}
    (folder / "home").mkdir()
    log = (folder / "app.log").open("w+")
    work = folder / "work"
    work.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "nbcompare", "app", "--no-browser", *arguments],
        cwd=work,
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 240
        found = None
        while found is None:
            assert process.poll() is None, (folder / "app.log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.1)
            found = re.search(r"http://\S+", (folder / "app.log").read_text())
        yield process, found[0]
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        log.close()


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
def test_only_its_reader_reaches_it(tmp_path, scratch):
    pytest.importorskip("voila")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "scores.csv").write_text(SCORES)
    secret = tmp_path / "work" / "secret.png"
    secret.write_text("nobody's business")
    (tmp_path / "work" / "voila.py").write_text("raise SystemExit('run')")
    with running(tmp_path, scratch, "scores.csv") as (process, address):
        place, token = urlsplit(address).netloc, address.partition("token=")[2]
        assert len(token) > 30
        assert listening(process.pid) == ["0100007F"]
        base = f"http://{place}/"

        # without the token, no page, no kernel and no file
        for path in ("", "?token=wrong", "voila/files/scores.csv", "voila/tree", "api/kernels"):
            status, text, _ = ask(base + path)
            assert status in (302, 403, 404), (path, status)
            assert "nobody" not in text
        status, _, _ = ask(f"{base}api/kernels/{'-'.join(['00'] * 5)}")
        assert status == 403
        assert "101" not in handshake(place, f"/api/kernels/{'-'.join(['00'] * 5)}/channels")

        # with the token, the page, and nothing else of the disk
        signed = {"Authorization": f"token {token}"}
        for path in (
            "voila/files/secret.png",
            "voila/files/../work/secret.png",
            "files/secret.png",
            "secret.png",
            "voila/static/../../../../../../../../../../../etc/passwd",
            f"voila/templates/nbcompare/static/{'../' * 12}etc/passwd",
            f"voila/labextensions/{'../' * 12}etc/passwd",
        ):
            status, text, _ = ask(base + path, **signed)
            assert status >= 300, path
            assert "root:" not in text
            assert "nobody" not in text
        # a page of somebody else, whose name leads to this machine
        assert ask(base, Host="evil.example", **signed)[0] == 403

        # a cookie stands for the token, which leaves the address
        status, _, headers = ask(address)
        assert (status, headers["Location"]) == (302, "/")
        said = headers.get_all("Set-Cookie")
        assert all("SameSite=Lax" in one for one in said)
        login, xsrf = sorted((one.split(";")[0] for one in said), key=lambda it: "_xsrf" in it)
        assert any(login in one and "HttpOnly" in one for one in said)
        cookie = f"{login}; {xsrf}"
        status, page, headers = ask(base, Cookie=cookie)
        assert status == 200
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert not re.search(r"""(src|href)=["']?(https?:)?//""", page)
        assert str(tmp_path / "work") in page  # where files are written
        kernel = json.loads(config_in(page))["kernelId"]
        channels = f"/api/kernels/{kernel}/channels?session_id={secrets.token_hex(8)}"
        assert "403" in handshake(place, channels)
        assert "101" in handshake(place, channels, Cookie=cookie)
        other = {"Cookie": cookie, "Origin": "http://evil.example"}
        assert "403" in handshake(place, channels, **other)

        kernels = [int(pid) for pid in kernels_of(process.pid)]
        assert len(kernels) == 1
        # the page that comes next has a kernel in the place of this one
        status, page, _ = ask(base, Cookie=cookie)
        assert json.loads(config_in(page))["kernelId"] != kernel
        ended, kernels = kernels, [int(pid) for pid in kernels_of(process.pid)]
        assert len(kernels) == 1
        assert kernels != ended
        kernel = json.loads(config_in(page))["kernelId"]
        shutdown = f"{base}voila/api/shutdown/{kernel}"
        # only this page can end it
        for given in ({"Cookie": login}, {"Cookie": cookie}, {"Cookie": xsrf}):
            assert ask(shutdown, "POST", **given)[0] == 403
        assert [int(pid) for pid in kernels_of(process.pid)] == kernels
        assert ask(shutdown, "POST", Cookie=cookie, X_XSRFToken=xsrf.split("=")[1])[0] == 204
        assert kernels_of(process.pid) == []
        status, page, _ = ask(base, Cookie=cookie)
        kernels = [int(pid) for pid in kernels_of(process.pid)]
        # it is reached by sockets in a private folder, and not by ports
        (connection,) = scratch.glob("*/*/kernel-*.json")
        assert json.loads(connection.read_text())["transport"] == "ipc"
        (private,) = scratch.iterdir()
        assert private.stat().st_mode & 0o077 == 0

        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 0
    said = (tmp_path / "app.log").read_text()
    assert "Traceback" not in said
    assert said.splitlines()[-1:] in ([""], ["Press Ctrl-C here to end it."])
    assert not list(scratch.iterdir())
    assert sorted(path.name for path in (tmp_path / "work").iterdir()) == [
        "scores.csv",
        "secret.png",
        "voila.py",
    ]
    assert not any(alive(pid) for pid in kernels)


def config_in(page):
    """What a page says of itself to the scripts in it."""
    found = re.search(r'id="jupyter-config-data"[^>]*>(.*?)</script>', page, re.DOTALL)
    return found[1]


def kernels_of(pid):
    """The processes that a process has started."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def alive(pid):
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


@pytest.mark.slow
def test_a_port_that_is_taken(tmp_path):
    pytest.importorskip("voila")
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
