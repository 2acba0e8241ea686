"""What every adapter offers: the rules that it can put to the test, and their verdicts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from peers.comparison import Comparison
from peers.verdict import Verdict


@dataclass(frozen=True)
class Rule:
    """One row of the table: a tool, told to judge in one way."""

    key: str
    """Short and stable: names the rule in the stored results."""
    label: str
    given: str
    """Which part of the data the tool gets, as its users would give it."""
    red: str
    """Which of its words, colours or exit statuses count as "slower"."""
    cost: str
    """Processes of base and head that one decision takes, like "1+1"; K stands for all that a comparison holds."""


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
    """The tool ran, but said nothing that this adapter knows about a comparison; the text is in the message."""
