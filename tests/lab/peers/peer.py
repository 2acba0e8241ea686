"""The interface of every adapter: the rules of its tool, and their verdicts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from peers.comparison import Comparison
from peers.verdict import Verdict


@dataclass(frozen=True)
class Rule:
    """One row of the table: a tool with one way of judging."""

    key: str
    """Short and stable; identifies the rule in the stored results."""
    label: str
    given: str
    """The part of the data that the tool gets."""
    red: str
    """Which text, colour or exit status counts as "slower"."""
    cost: str
    """Processes of base and head for one decision, like "1+1"; K means all processes of a comparison."""


Verdicts = dict[str, list[Verdict]]
"""Key of a rule -> one verdict for each comparison, in order."""


class Peer(ABC):
    @property
    @abstractmethod
    def rules(self) -> tuple[Rule, ...]:
        """The rules that one call of decide() answers together."""

    @abstractmethod
    def decide(self, comparisons: list[Comparison], folder: Path) -> Verdicts:
        """Writes the tool's input into `folder`, which is empty, and runs the tool. Throws ToolFailed or UnreadVerdict."""


class UnreadVerdict(Exception):
    """The tool ran, but its output has no verdict on a comparison that this adapter can read. The message has the output."""
