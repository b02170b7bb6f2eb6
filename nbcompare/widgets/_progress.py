"""A bar for computations that take long, with a button that ends them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import ipywidgets as ipw

_TICK = 0.5  # seconds


class Progress:
    """Says that something is being computed, and for how long already."""

    def __init__(self, cancel: Callable[[], None]) -> None:
        # nobody knows how far it is: the bar runs to its end again and again
        self.bar = ipw.IntProgress(min=0, max=10, layout=ipw.Layout(width="160px"))
        self.text = ipw.HTML()
        self.button = ipw.Button(
            description="Cancel", tooltip="End the computation", layout=ipw.Layout(width="auto")
        )
        self.button.on_click(lambda _: cancel())
        layout = ipw.Layout(display="none", align_items="center")
        self.box = ipw.HBox([self.bar, self.text, self.button], layout=layout)
        self._handle: asyncio.TimerHandle | None = None

    @property
    def running(self) -> bool:
        """Whether it is on the screen."""
        return self._handle is not None

    def start(self) -> None:
        """Show it, from 0 seconds."""
        self.stop()
        self._began = time.monotonic()
        self.box.layout.display = "flex"
        self._tick()

    def _tick(self) -> None:
        seconds = time.monotonic() - self._began
        self.bar.value = int(seconds / _TICK) % 11
        self.text.value = f"Computing, {seconds:.0f} s. The view below is the one before."
        self._handle = asyncio.get_running_loop().call_later(_TICK, self._tick)

    def stop(self) -> None:
        """Take it away."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        if self.box.layout.display != "none":
            self.box.layout.display = "none"
