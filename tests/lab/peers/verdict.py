"""What a tool says about one comparison, in the words that all tools share."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    RED = "red"
    """The head is called slower, in the tool's own words or by its exit status."""
    FINE = "fine"
    """Anything else that the tool decided: the same, faster, not significant."""
    UNDECIDED = "undecided"
    """The tool itself says that it cannot tell."""
