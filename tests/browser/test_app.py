"""The app from an upload to a PDF, as a person uses it, in a fresh Voilà."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

import nbcompare as nbc

pytest.importorskip("voila")
pytestmark = [pytest.mark.browser, pytest.mark.slow]

LANDMARKS = ("region", "landmark-one-main", "page-has-heading-one", "heading-order")
LIMIT = 240_000  # milliseconds, of a busy machine


def messy():
    """Scores with a column of sizes and a row of averages, as people keep them."""
    rng = np.random.default_rng(7)
    scores = np.round(0.7 + 0.04 * np.arange(4) + rng.normal(0, 0.03, (9, 4)), 3)
    lines = ["dataset,size,C4.5,CN2,SVM,Ours"]
    lines += [
        f"d{row},{150 + 37 * row},{','.join(f'{score:.3f}' for score in each)}"
        for row, each in enumerate(scores)
    ]
    lines.append(f"Average,,{','.join(f'{mean:.3f}' for mean in scores.mean(axis=0))}")
    return "\n".join(lines), scores


@pytest.fixture
def app(tmp_path):
    """Start the app in a folder; yields its address."""
    work = tmp_path / "work"
    work.mkdir()
    with tempfile.TemporaryDirectory(prefix="t", dir="/tmp") as scratch:
        log = (tmp_path / "app.log").open("w")
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "nbcompare", "app", "--no-browser"],
            cwd=work,
            env={**os.environ, "TMPDIR": scratch},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            deadline = time.monotonic() + LIMIT / 1000
            found = None
            while found is None:
                assert process.poll() is None, (tmp_path / "app.log").read_text()
                assert time.monotonic() < deadline
                time.sleep(0.1)
                found = re.search(r"http://\S+", (tmp_path / "app.log").read_text())
            yield found[0]
            process.send_signal(signal.SIGINT)
            assert process.wait(120) == 0
            assert not list(Path(scratch).iterdir())
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
            log.close()
    assert "Traceback" not in (tmp_path / "app.log").read_text()


def test_from_an_upload_to_a_pdf(app, browser, barriers, tmp_path):
    text, scores = messy()
    table = tmp_path / "results.csv"
    table.write_text(text)
    context = browser.new_context(viewport={"width": 1400, "height": 1500}, bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(LIMIT)
    foreign, problems, frames = [], [], iter(range(100))
    own = re.compile(rf"(http|ws)://{re.escape(app.split('/')[2])}/|data:|blob:")
    page.on("request", lambda request: own.match(request.url) or foreign.append(request.url))
    page.on("websocket", lambda socket: own.match(socket.url) or foreign.append(socket.url))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda line: line.type == "error" and problems.append(line.text))

    def film(name):
        page.screenshot(path=tmp_path / f"{next(frames):02}-{name}.png")

    def press(locator, key="Enter"):
        locator.focus()
        page.keyboard.press(key)

    try:
        page.goto(app, wait_until="commit")
        upload = page.get_by_label("Upload a table", exact=True)
        upload.wait_for()
        film("empty")
        assert barriers(page, *LANDMARKS) == {}

        # a table that cannot be read as it is: one button leaves out its averages and its sizes
        upload.set_input_files(table)
        page.get_by_text("results.csv is here").wait_for()
        first = page.get_by_role("button", name=re.compile("^Leave out")).first
        first.wait_for()
        film("uploaded")
        first.click()
        page.get_by_text("Choose what is better").wait_for()
        film("open")

        # what is better is asked for; a word is chosen by its key
        press(page.get_by_label("What is better", exact=True), "h")
        page.get_by_text("9 data sets in rows, 4 algorithms in columns").wait_for()
        page.get_by_text("higher is better.").wait_for()
        page.get_by_role("tab", name="Report").wait_for()
        film("understood")
        assert barriers(page, *LANDMARKS) == {}
        code = page.locator("code").first.text_content()
        (tmp_path / "code").mkdir()
        with contextlib.chdir(tmp_path):
            space = {}
            exec(code, space)
        experiment = space["experiment"]
        np.testing.assert_array_equal(experiment.mean_scores, scores)

        press(page.get_by_role("button", name="Go on: compare the algorithms"))
        page.get_by_text(nbc.recommend(experiment).sentences[0]).wait_for()
        expected = nbc.compare(experiment)
        page.get_by_text(expected.sentences[-1]).first.wait_for(state="attached")
        whole = page.locator("code").filter(has_text="nbc.compare(experiment)").first.text_content()
        assert whole.startswith(code)
        film("comparison")
        assert barriers(page, *LANDMARKS) == {}

        page.get_by_role("tab", name="Report").click()
        formats = page.get_by_label(".pdf", exact=True)
        formats.check()
        page.get_by_label(".html", exact=True).uncheck()
        page.get_by_text('report.export("report.pdf")').wait_for()
        film("report")
        assert barriers(page, *LANDMARKS) == {}
        press(page.get_by_role("button", name="Export", exact=True))
        page.get_by_text("Written: report.pdf.").wait_for()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download report.pdf").click()
        film("written")
        pdf = (tmp_path / "work" / "report.pdf").read_bytes()
        assert pdf.startswith(b"%PDF")
        assert Path(download.value.path()).read_bytes() == pdf
        assert sorted(path.name for path in (tmp_path / "work").iterdir()) == ["report.pdf"]
        assert foreign == []
        assert problems == []
    finally:
        film("end")
        context.close()
