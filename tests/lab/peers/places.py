"""Where ci/setup_peers puts the tools."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Places:
    root: Path

    @property
    def python(self) -> str:
        """The interpreter that has NumPy, SciPy, pyperf, pytest-benchmark and nvbench's scripts."""
        return str(self.root / "tools" / "bin" / "python")

    @property
    def otava_python(self) -> str:
        return str(self.root / "otava" / "bin" / "python")

    @property
    def compare_py(self) -> str:
        return str(self.root / "libbenchmark-tools" / "usr" / "share" / "benchmark" / "compare.py")

    def complete(self) -> bool:
        """Whether ci/setup_peers has finished here."""
        return all((self.root / name / "stepgate-stamp").exists() for name in ("tools", "otava", "libbenchmark-tools"))


def default_places() -> Places:
    """The same folder as in ci/paths.sh: $STEPGATE_CACHE, else stepgate in $XDG_CACHE_HOME or ~/.cache."""
    cache = os.environ.get("STEPGATE_CACHE") or str(
        Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stepgate")
    return Places(Path(cache) / "peers")
