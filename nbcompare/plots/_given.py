"""What a figure is drawn of."""

from __future__ import annotations

from nbcompare._commands import analysis_of_class


def check_result(value: object, figure: str, *kinds: type) -> None:
    """Raise an error that says which function gives what a figure shows, unless it is that."""
    if isinstance(value, kinds):
        return
    calls = []
    for kind in kinds:
        made_by = analysis_of_class(kind)
        data = f"experiment={made_by.takes}" if made_by.data_argument else made_by.takes
        names = [f"{argument!r}" for argument in made_by.arguments]
        calls.append(f"nbc.{made_by.function}({', '.join([data, *names])})")
    raise TypeError(
        f"plots.{figure} takes a result, of class {' or '.join(kind.__name__ for kind in kinds)}; "
        f"got {type(value).__name__}. Pass {' or '.join(calls)}."
    )
