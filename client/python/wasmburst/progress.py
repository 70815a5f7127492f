"""How far a job is: as a value, as text in terminals, and as a bar in notebooks."""

from __future__ import annotations

import dataclasses
import html
import sys
import time
from typing import Any, Protocol, TextIO

_PAUSE = 0.1  # seconds between two pictures


@dataclasses.dataclass(frozen=True)
class Progress:
    """`finished` of `instances` have a result; `failed` of these neither returned nor exited."""

    job: str
    state: str
    instances: int
    finished: int
    failed: int
    waiting_for: str = ""

    def __str__(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        waits = f": {self.waiting_for}" if self.waiting_for else ""
        return f"{self.job} {self.state}: {self.finished} of {self.instances} instances{failed}{waits}"

    def _repr_html_(self) -> str:
        text = html.escape(str(self))
        return f'<progress value="{self.finished}" max="{max(self.instances, 1)}"></progress> <code>{text}</code>'


class View(Protocol):
    """Shows progress. On the thread that reads results."""

    def show(self, progress: Progress) -> None: ...
    def close(self, progress: Progress) -> None:
        """The last picture."""


class TerminalView:
    """One line that is written over."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._width = 0

    def show(self, progress: Progress) -> None:
        text = str(progress)
        self._file.write("\r" + text.ljust(self._width))
        self._file.flush()
        self._width = len(text)

    def close(self, progress: Progress) -> None:
        self.show(progress)
        self._file.write("\n")


class NotebookView:
    """A bar that is shown again in its place, by IPython alone."""

    def __init__(self, progress: Progress) -> None:
        from IPython.display import display

        self._handle: Any = display(progress, display_id=True)

    def show(self, progress: Progress) -> None:
        self._handle.update(progress)

    def close(self, progress: Progress) -> None:
        self._handle.update(progress)


class _Paced:
    """Shows no more often than people see."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._next = 0.0

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PAUSE
            self._view.show(progress)

    def close(self, progress: Progress) -> None:
        self._view.close(progress)


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None


def choose_view(progress: Progress) -> View | None:
    """Of a notebook its own, of a terminal its own, else none."""
    if _is_notebook():
        return _Paced(NotebookView(progress))
    return _Paced(TerminalView(sys.stderr)) if sys.stderr.isatty() else None
