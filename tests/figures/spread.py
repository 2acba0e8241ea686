"""Spread of the step time over fresh processes, with and without the malloc thresholds and the CPU affinity.

Settings are interleaved round by round. Figures are ratios within this run, because the machine is shared.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
DATA = json.loads((BUILD / "stepgate-manifest.json").read_text())["cases"][0]["data_root"]
CASE = "language/char_lm/tiny"
THRESHOLDS = {"MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TRIM_THRESHOLD_": "4294967296"}
SETTINGS = {
    "untuned, unpinned": (False, False),
    "untuned, pinned": (False, True),
    "tuned malloc, unpinned": (True, False),
    "tuned malloc, pinned": (True, True),
}


def step_times(tuned, pinned, folder, index):
    record = pathlib.Path(folder) / f"record-{index}.json"
    command = [str(BUILD / "bin" / "perftests"), f"--stepgate_case={CASE}", "--stepgate_group=timed",
               f"--stepgate_record={record}", "--stepgate_seed=1", "--stepgate_replicate=0", "--stepgate_threads=1",
               "--stepgate_device=cpu", f"--stepgate_data={DATA}"]
    if pinned:
        command = ["taskset", "-c", str(max(os.sched_getaffinity(0))), *command]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MALLOC_")}
    environment.update(THRESHOLDS if tuned else {})
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    document = json.loads(record.read_text())
    return document["timed"]["e2e"]["steps"]["wall_ns"]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    medians = {name: [] for name in SETTINGS}
    within = {name: [] for name in SETTINGS}
    with tempfile.TemporaryDirectory() as folder:
        for round_number in range(rounds):
            for name, (tuned, pinned) in SETTINGS.items():
                times = sorted(step_times(tuned, pinned, folder, f"{round_number}-{tuned}-{pinned}"))
                medians[name].append(statistics.median(times) / 1e6)
                within[name].append(times[len(times) * 9 // 10] / times[len(times) // 10])
    best = min(statistics.median(values) for values in medians.values())
    print(f"{CASE}: {rounds} fresh processes per setting, interleaved; step time relative to the fastest setting")
    print(f"  {'setting':24} {'median':>7} {'sd of process medians':>22} {'p90/p10 in a process':>21}")
    for name, values in medians.items():
        spread = statistics.stdev(values) / statistics.mean(values) * 100 if len(values) > 1 else float("nan")
        print(f"  {name:24} {statistics.median(values) / best:6.2f}x {spread:20.2f} % "
              f"{statistics.median(within[name]):20.2f}x")


if __name__ == "__main__":
    main()
