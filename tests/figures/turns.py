"""Compares pairs of fresh processes one after the other with pairs in alternating windows.

Both sides run the same unchanged program. The detectable change of the paired rule is proportional to the spread of
ln(second / first) over pairs. The spread is computed from the two median steps, and from steps matched one by one as in
the paired rule (judge/reduce/pairs/matched_steps.h). Argument: pairs of each kind (20). The two kinds alternate, so that noise
of the machine affects both.
"""

import json
import math
import os
import pathlib
import random
import socket
import statistics
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
DATA = json.loads((BUILD / "stepgate-manifest.json").read_text())["cases"][0]["data_root"]
CASE = os.environ.get("STEPGATE_FIGURE_CASE", "language/char_lm/tiny")
STEPS = "e2e=160,window=20,phase=1,loader=20,h2d=1,logging=80,synthetic=20"
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PATH": os.environ["PATH"], "LC_ALL": "C",
               "MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TRIM_THRESHOLD_": "4294967296"}
CPU = max(os.sched_getaffinity(0))


def start(record, turn=None):
    words = ["taskset", "-c", str(CPU), str(BUILD / "bin" / "perftests"), f"--stepgate_case={CASE}", "--stepgate_group=timed",
             f"--stepgate_record={record}", f"--stepgate_steps={STEPS}", f"--stepgate_data={DATA}"]
    if turn is not None:
        words.append(f"--stepgate_turns={turn.fileno()}")
    return subprocess.Popen(words, env=ENVIRONMENT, pass_fds=[turn.fileno()] if turn is not None else [])


def ended(process):
    if process.wait() != 0:
        sys.exit(f"turns: a process ended with {process.returncode}")


def steps_of(record):
    return json.loads(record.read_text())["timed"]["e2e"]["steps"]


def one_after_the_other(records):
    for record in records:
        ended(start(record))


def alternating_windows(records):
    ends = socket.socketpair()
    processes = [start(record, end) for record, end in zip(records, ends)]
    ends[1].send(b"t")  # the first process reads this and begins
    for end in ends:
        end.close()
    for process in processes:
        ended(process)


def difference(kind, folder):
    records = [folder / "a.json", folder / "b.json"]
    random.shuffle(records)
    kind(records)
    first, second = steps_of(folder / "a.json"), steps_of(folder / "b.json")
    if any(first[key] != second[key] for key in ("shape", "samples", "padded_tokens")):
        sys.exit("turns: the two processes have different shapes at the same places")
    first, second = first["wall_ns"], second["wall_ns"]
    return {"ratio of medians": math.log(statistics.median(second) / statistics.median(first)),
            "matched": statistics.median(math.log(b / a) for a, b in zip(first, second, strict=True))}


def main():
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    random.seed(1)
    found = {one_after_the_other: [], alternating_windows: []}
    with tempfile.TemporaryDirectory() as name:
        for _ in range(pairs):
            for kind in random.sample(list(found), 2):
                found[kind].append(difference(kind, pathlib.Path(name)))
    print(f"{CASE}, {pairs} pairs of each kind, unchanged program: ln(second / first)")
    print(f"{'pairs':<22} {'steps':<16} {'mean':>8} {'sd':>8} {'robust sd':>10}")
    spread = {}
    for kind, differences in found.items():
        for way in differences[0]:
            values = [each[way] for each in differences]
            middle = statistics.median(values)
            robust = 1.4826 * statistics.median(abs(value - middle) for value in values)
            spread[kind, way] = statistics.stdev(values)
            print(f"{kind.__name__:<22} {way:<16} {statistics.mean(values):>+8.2%} {spread[kind, way]:>8.2%} {robust:>10.2%}")
    ratio = spread[alternating_windows, "matched"] / spread[one_after_the_other, "ratio of medians"]
    print(f"spread of matched steps in alternating windows / of medians one after the other: {ratio:.2f}; the detectable "
          "change is proportional to the spread")
    return 0


if __name__ == "__main__":
    sys.exit(main())
