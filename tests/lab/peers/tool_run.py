"""Runs a tool's command line and keeps its output."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path


class ToolFailed(Exception):
    """A tool ended with a status that is not a verdict. The message has the end of its output."""


@dataclass(frozen=True)
class Finished:
    status: int
    output: str
    talk: str
    """The text on the standard error stream."""


def run_tool(command: list[str], folder: Path, verdict_statuses: tuple[int, ...] = (0,),
             environment: dict[str, str] | None = None) -> Finished:
    """Runs in `folder`, single-threaded. Statuses outside `verdict_statuses` throw ToolFailed."""
    settings = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", COLUMNS="200", PYTHONDONTWRITEBYTECODE="1")
    settings.pop("NO_COLOR", None)
    settings.update(environment or {})
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True)
    if done.returncode not in verdict_statuses:
        raise ToolFailed(f"{' '.join(command)} ended with status {done.returncode}:\n{(done.stdout + done.stderr)[-2000:]}")
    return Finished(done.returncode, done.stdout, done.stderr)
