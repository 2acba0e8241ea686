"""Compares a quick sweep with an exhaustive measurement of the same settings: both rankings, the regret, the time.

Arguments: rounds of the sweep (5), rounds of the exhaustive measurement (25). The regret is the ratio between the best
setting of the exhaustive measurement and the setting that the sweep chose, both by the exhaustive figures. Its 95 %
interval shows its noise.
"""

import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))
from gate_runner import BUILD, Workplace  # noqa: E402

CASE = os.environ.get("STEPGATE_FIGURE_CASE", "vision/photo_decode/tiny")
VARY = os.environ.get("STEPGATE_FIGURE_VARY", "loader_workers=0,1,2 batch_size=8,16").split()


def sweep(place, rounds, seed):
    start = time.monotonic()
    words = [word for vary in VARY for word in ("--vary", vary)]
    place.run("sweep", CASE, *words, "--replicates", str(rounds), "--seed", str(seed), expect=0, timeout=36000)
    seconds = time.monotonic() - start
    return json.loads((place.out / "sweep" / CASE / "sweep.json").read_text()), seconds


def name_of(document, setting):
    names = [parameter["name"] for parameter in document["parameters"]]
    return " ".join(f"{name}={value}" for name, value in zip(names, document["settings"][setting]["values"]))


def behind_text(rank):
    if rank["standing"] in ("best", "not-ranked"):
        return rank["standing"]
    text = f"{rank['behind']:+.1%}"
    if "behind_interval" in rank:
        text += " [{:+.1%}, {:+.1%}]".format(*rank["behind_interval"])
    return text + (" within noise" if rank["standing"] == "within-noise" else "")


def main():
    few = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    many = int(sys.argv[2]) if len(sys.argv) > 2 else 25
    place = Workplace(program=BUILD / "bin" / "perftests", case=CASE)
    try:
        quick, quick_s = sweep(place, few, 1)
        whole, whole_s = sweep(place, many, 2)
    finally:
        place.close()
    truth = {rank["setting"]: rank for rank in whole["ranks"]}
    print(f"{CASE}, how much better the best setting of each measurement is, by {quick['metric']}")
    print(f"{'setting':<34}  {f'sweep, {few} rounds':<38}  exhaustive, {many} rounds")
    for rank in quick["ranks"]:
        setting = rank["setting"]
        print(f"{name_of(quick, setting):<34}  {behind_text(rank):<38}  {behind_text(truth[setting])}")
    chosen = truth[quick["ranks"][0]["setting"]]
    regret = 1 + (chosen.get("behind") or 0)
    bounds = chosen.get("behind_interval")
    print(f"chosen by the sweep: {name_of(quick, chosen['setting'])}; best: {name_of(whole, whole['ranks'][0]['setting'])}")
    print(f"regret {regret:.4f}" + (" [{:.4f}, {:.4f}]".format(*(1 + b for b in bounds)) if bounds else ""))
    print(f"time {quick_s:.0f} s against {whole_s:.0f} s, {whole_s / quick_s:.1f} times as long")
    return 0


if __name__ == "__main__":
    sys.exit(main())
