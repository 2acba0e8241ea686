"""How well evidence finds disturbed processes, and whether a gate on a disturbed machine is ever red in a time.

    disturbed.py [PROCESSES] [GATES]      40 processes of each kind, 50 disturbed gates

Kinds: quiet; a competitor on the measured CPU; a CPU quota; memory bandwidth taken on the other CPU, which no counter here
shows. The sessions of the gates are recorded without a disturbance (--session-gap 0). Then gates of unchanged code run under
the disturbances alternately, three of five under the last. Status 1 if a gate was red. Needs stress-ng, and root for the quota
(otherwise the quota is skipped with a message).
"""

import collections
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))
from gate_runner import BUILD, CASE, STEPGATE, Workplace  # noqa: E402

STEPS = ["--steps", "e2e=40,window=10,phase=5,loader=2000,h2d=1,logging=40,synthetic=10"]
QUICK = ["--session-gap", "0", "--replicates", "3", *STEPS]
CPU = max(os.sched_getaffinity(0))
OTHER = min(os.sched_getaffinity(0))
QUOTA = pathlib.Path("/sys/fs/cgroup/cpu/stepgate-figure")
QUOTA2 = pathlib.Path("/sys/fs/cgroup/stepgate-figure")


@contextlib.contextmanager
def nothing():
    yield []


@contextlib.contextmanager
def stress(*words, cpu):
    running = subprocess.Popen(["taskset", "-c", str(cpu), "stress-ng", "--quiet", *words], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        yield []
    finally:
        running.terminate()
        running.wait()


@contextlib.contextmanager
def quota():
    """Sixty per cent of one CPU; yields the prefix that puts a command under the quota."""
    group = QUOTA if QUOTA.parent.is_dir() else QUOTA2
    group.mkdir(exist_ok=True)
    try:
        if group == QUOTA:
            (group / "cpu.cfs_period_us").write_text("100000")
            (group / "cpu.cfs_quota_us").write_text("60000")
        else:
            (group / "cpu.max").write_text("60000 100000")
        yield ["/bin/sh", "-c", f'echo $$ > {group}/cgroup.procs; exec "$@"', "quota"]
    finally:
        group.rmdir()


KINDS = {"quiet": nothing, "competitor": lambda: stress("--cpu", "1", cpu=CPU), "quota": quota,
         "bandwidth": lambda: stress("--stream", "1", cpu=OTHER)}


def stepgate(place, prefix, *words):
    return subprocess.run([*prefix, str(STEPGATE), *words, "--build", str(place.folder), "--out", str(place.out), "--quiet"],
                          capture_output=True, text=True, cwd=place.folder)


def reasons(replicate):
    return {reason.split()[0] for reason in replicate["taint_reasons"]}


def processes(place, count):
    print(f"{'':<12} {'processes':>9} {'discarded':>9} {'by':<48} {'run-queue wait, median and highest':>34}")
    for kind, disturbance in KINDS.items():
        seen, tainted, why, waits, watch = 0, 0, collections.Counter(), [], []
        while seen < count:
            try:
                with disturbance() as prefix:
                    done = stepgate(place, prefix, "run", CASE, "--tier", "timed", "--replicates", "4", *STEPS)
            except OSError as error:
                print(f"{kind:<12} skipped: {error}")
                break
            if done.returncode != 0:
                sys.exit(done.stdout + done.stderr)
            for replicate in json.loads((place.out / CASE / "timed" / "measurement.json").read_text())["replicates"]:
                if replicate["group"] != "timed":
                    continue
                seen += 1
                tainted += bool(replicate["taint_reasons"])
                why.update(reasons(replicate))
                waits.append(replicate["evidence"]["values"].get("runqueue_wait_fraction", float("nan")))
                watch.append(replicate["evidence"]["values"].get("watch_cpu_fraction", 0))
        if seen:
            text = ", ".join(f"{name} {number}" for name, number in why.most_common(3))
            print(f"{kind:<12} {seen:>9} {tainted / seen:>9.0%} {text:<48} {sorted(waits)[len(waits) // 2]:>26.2%} {max(waits):>7.2%}"
                  f"   watching: {max(watch):.4%} of a core at most", flush=True)


def gates(place, count):
    stored = 0
    for _ in range(20):  # a session with too few clean processes cannot be accepted
        place.gate("timed", words=QUICK)
        stored += place.accept(*(["--append"] if stored else [])).returncode == 0
        if stored == 5:
            break
    else:
        sys.exit("disturbed: this machine is too noisy for five sessions: see stepgate doctor")
    # If every process is discarded, nothing can be red. So most gates run under the disturbance that no counter shows.
    kinds = ["bandwidth", "competitor", "bandwidth", "quota", "bandwidth"]
    verdicts = collections.defaultdict(collections.Counter)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        try:
            with KINDS[kind]() as prefix:
                stepgate(place, prefix, "gate", CASE, "--tier", "timed", *QUICK)
        except OSError:
            continue
        verdicts[kind][place.verdict("timed")["status"]] += 1
    red = 0
    for kind, seen in verdicts.items():
        print(f"gates under {kind}: " + ", ".join(f"{number} {status}" for status, number in seen.most_common()))
        red += seen["regressed"]
    return red


def main():
    if shutil.which("stress-ng") is None:
        sys.exit("disturbed: stress-ng is missing: apt-get install stress-ng")
    place = Workplace(program=BUILD / "bin" / "perftests", tainting=True)
    try:
        processes(place, int(sys.argv[1]) if len(sys.argv) > 1 else 40)
        red = gates(place, int(sys.argv[2]) if len(sys.argv) > 2 else 50)
        print(f"gates that were red: {red}")
        return 1 if red else 0
    finally:
        place.close()


if __name__ == "__main__":
    sys.exit(main())
