"""Repeated gates of unchanged code: the exact half must always pass, the timed half must never be red.

Records five sessions (--session-gap 0), then runs N gates of each half. Prints verdicts and the share that was inconclusive.
Status 1 if a gate broke these rules.
"""

import collections
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))
from gate_runner import BUILD, Workplace  # noqa: E402


# Three processes per session instead of five, so that twenty gates take only minutes.
QUICK = ["--replicates", "3"]


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    place = Workplace(program=BUILD / "bin" / "perftests", tainting=True)
    try:
        place.gate("exact", expect=5)
        place.accept(expect=0)
        for session in range(5):
            place.gate("timed", words=["--session-gap", "0", *QUICK])
            place.accept(*(["--append"] if session else []), expect=0)
        counts = {"exact": collections.Counter(), "timed": collections.Counter()}
        reasons = collections.Counter()
        for _ in range(runs):
            for tier in counts:
                place.gate(tier, words=["--session-gap", "0", *QUICK] if tier == "timed" else [])
                outcome = place.verdict(tier)
                counts[tier][outcome["status"]] += 1
                if outcome["status"] == "inconclusive":
                    reasons[outcome["reason"]] += 1
        for tier, seen in counts.items():
            print(f"{tier}: {runs} gates of unchanged code: " + ", ".join(f"{n} {s}" for s, n in seen.most_common()))
        share = counts["timed"]["inconclusive"] / runs * 100
        print(f"timed half inconclusive: {share:.0f} % ({dict(reasons)}) against five sessions recorded back to back")
        broken = counts["exact"]["pass"] != runs or counts["timed"]["regressed"] + counts["timed"]["failed"] > 0
        return 1 if broken else 0
    finally:
        place.close()


if __name__ == "__main__":
    sys.exit(main())
