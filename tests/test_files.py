"""What a process that was killed leaves beside its target."""

import os
import time

import pytest

from nbcompare._files import write_whole


@pytest.mark.parametrize(("hours", "stays"), [(2, False), (0.5, True)])
def test_what_a_killed_process_left_is_cleared(tmp_path, hours, stays):
    left = tmp_path / ".report.html.nbcompare-a1b2c3d4"
    others = [tmp_path / name for name in ("report.html.nbcompare-x", ".other.html.nbcompare-x")]
    for file in (left, *others):
        file.write_text("half")
        then = time.time() - 3600 * hours
        os.utime(file, (then, then))
    write_whole(tmp_path / "report.html", "whole")
    assert left.exists() is stays
    assert all(file.exists() for file in others)
    assert (tmp_path / "report.html").read_text() == "whole"
    assert len(list(tmp_path.iterdir())) == 3 + stays
