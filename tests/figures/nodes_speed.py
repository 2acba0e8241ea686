"""How much sooner two nodes answer than one, on the same machine: ab --nodes local:1 beside local:2.

Argument: runs of each (3), in turns. Environment: STEPGATE_TEST_BUILD, STEPGATE_FIGURE_CASE (language/char_lm/tiny: it needs
one CPU, so that a machine of two cores has room for two nodes). Both sides are one program, and every run measures the
same 16 pairs. The limit is 2; below it lie the A/A control that each node measures on its own, and cores that slow
each other down.
"""

import json
import os
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))
from gate_runner import BUILD, Workplace  # noqa: E402

CASE = os.environ.get("STEPGATE_FIGURE_CASE", "language/char_lm/tiny")
PAIRS = 16


def other_build(place):
    """The same case under another folder. A comparison over nodes copies both programs anyway."""
    base = place.folder / "base"
    base.mkdir()
    (base / "stepgate-manifest.json").write_text(json.dumps(place.manifest))
    return base


def seconds(place, base, nodes):
    words = ["ab", CASE, "--tier", "timed", "--base-build", str(base), "--pairs", str(PAIRS), "--nodes", nodes]
    begin = time.perf_counter()
    done = place.run(*words, timeout=1800)
    if done.returncode not in (0, 4):
        sys.exit(f"nodes_speed: {nodes} exits {done.returncode}\n{done.stdout}{done.stderr}")
    return time.perf_counter() - begin


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    place = Workplace(program=BUILD / "bin" / "perftests", case=CASE)
    try:
        base = other_build(place)
        times = {"local:1": [], "local:2": []}
        for _ in range(runs):
            for nodes, each in times.items():
                each.append(seconds(place, base, nodes))
        one, two = (statistics.median(each) for each in times.values())
        print(f"{CASE}, {PAIRS} pairs, median of {runs} runs in turns")
        print(f"  --nodes local:1   {one:6.1f} s")
        print(f"  --nodes local:2   {two:6.1f} s   {one / two:.2f} times as fast (limit 2)")
    finally:
        place.close()


if __name__ == "__main__":
    main()
