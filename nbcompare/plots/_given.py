"""What a figure is drawn of."""

from __future__ import annotations

from nbcompare._commands import analysis_of_class
from nbcompare.experiment import is_frame


def check_result(value: object, figure: str, *kinds: type) -> None:
    """Raise an error that says which function gives what a figure shows, unless it is that."""
    if isinstance(value, kinds):
        return
    calls = []
    for kind in kinds:
        made_by = analysis_of_class(kind)
        names = [repr(argument) for argument in made_by.arguments]
        if made_by.takes == "experiment" and is_frame(value):
            given = ["frame", *names, "direction=..."]
        else:
            given = [made_by.takes, *names]
        calls.append(f"nbc.{made_by.function}({', '.join(given)})")
    raise TypeError(
        f"plots.{figure} takes a result, of class {' or '.join(kind.__name__ for kind in kinds)}; "
        f"got {type(value).__name__}. Pass {' or '.join(calls)}."
    )
