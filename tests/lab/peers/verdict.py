"""The verdict of a tool on one comparison, in terms that all tools share."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    RED = "red"
    """The tool says that the head is slower, by its output or exit status."""
    FINE = "fine"
    """Any other decision: the same, faster, not significant."""
    UNDECIDED = "undecided"
    """The tool says that it cannot decide."""
