"""Runs one test file in the peers' environment; status 77 (skipped) if ci/setup_peers has not been run."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    here = Path(__file__).resolve().parent
    sys.path.insert(0, str(here.parent))
    from peers.places import default_places

    places = default_places()
    if not places.complete():
        print("skipped: the peers are not installed; run ci/setup_peers")
        sys.exit(77)
    settings = dict(os.environ, PYTHONPATH=str(here.parent), PYTHONDONTWRITEBYTECODE="1")
    os.execve(places.python, [places.python, "-m", "unittest", "-v", f"peers.{sys.argv[1]}"], settings)


main()
