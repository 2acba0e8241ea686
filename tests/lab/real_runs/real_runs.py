"""Gate runs of real processes: how often `stepgate ab` is right on this machine.

    real_runs.py SCENARIO=RUNS... [--results FILE]     scenarios: see SCENARIOS

Each run is one `stepgate ab` of language/char_lm/tiny against a build that is unchanged or changed by a known amount.
Each finished run adds a line to FILE (JSON Lines), so an interrupted series can be resumed. A line has the verdict, the
seconds, and the step time of each process, which the lab resamples. No run is repeated because of its verdict.
"""

import argparse
import contextlib
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "end_to_end"))
from gate_runner import BUILD, CASE, SOURCE, STEPGATE, Workplace, metric  # noqa: E402

PROGRAM = BUILD / "bin" / "injected_char_lm"
# Fewer steps than the case has: a process takes only three seconds, so that a hundred runs are possible.
# More batches of the loader: forty take a quarter of a millisecond, and one interrupt would distort that.
STEPS = "e2e=100,window=5,phase=5,loader=2000,h2d=1,logging=20,synthetic=5"
STEP = "step_time_ns"
MEGABYTE = 1 << 20
SCENARIOS = {  # name: the change in head, the half that must find it, whether a competitor runs
    "unchanged": ({}, "timed", False),
    "slower_3": ({"STEPGATE_INJECT_SLOWER": "0.03"}, "timed", False),
    "slower_8": ({"STEPGATE_INJECT_SLOWER": "0.08"}, "timed", False),
    "megabyte": ({"STEPGATE_INJECT_BYTES": str(MEGABYTE)}, "exact", False),
    "unchanged_exact": ({}, "exact", False),
    "unchanged_stressed": ({}, "timed", True),
    "slower_8_stressed": ({"STEPGATE_INJECT_SLOWER": "0.08"}, "timed", True),
}


def build_folder(place, name, variables):
    """A manifest and a one-line script that sets the injected change."""
    folder = place.folder / name
    (folder / "bin").mkdir(parents=True)
    program = folder / "bin" / "train"
    words = " ".join(f"{key}={value}" for key, value in variables.items())
    # Both scripts have the same length, so that the shell reads equally much on both sides.
    program.write_text(f"#!/bin/sh\n{words} exec {PROGRAM} \"$@\"\n#{name}".ljust(512) + "\n")
    program.chmod(0o755)
    manifest = json.loads(json.dumps(place.manifest))
    manifest["cases"][0]["program"] = str(program)
    (folder / "stepgate-manifest.json").write_text(json.dumps(manifest))
    return folder


@contextlib.contextmanager
def competitor(wanted):
    """Arithmetic and memory traffic on two threads without a fixed CPU, like another virtual machine on the host."""
    if not wanted:
        yield
        return
    if shutil.which("stress-ng") is None:
        sys.exit("real_runs: stress-ng is missing: apt-get install stress-ng")
    running = subprocess.Popen(["stress-ng", "--vm", "1", "--vm-bytes", "256m", "--cpu", "1", "--quiet"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        running.terminate()
        running.wait()


def pair_values(folder):
    """The clean pairs in order: [median step of base in ns, median step of head, ln(head / base) as in the paired rule]."""
    pairs = []
    for pair in sorted((folder / "pairs").iterdir()):
        sides = {}
        for side in ("base", "head"):
            file = pair / side / "measurement.json"
            if not file.exists():
                break
            replicate = json.loads(file.read_text())["replicates"][-1]
            if "record" not in replicate or replicate.get("taint_reasons"):
                break
            sides[side] = replicate["record"]["timed"]["e2e"]["steps"]
        if len(sides) == 2:
            pairs.append([*(round(statistics.median(sides[side]["wall_ns"])) for side in ("base", "head")),
                          round(difference(**sides), 6)])
    return pairs


def difference(base, head):
    """The difference of judge/reduce/pairs/matched_steps.h for steps with the same shapes at the same places."""
    same = all(base[key] == head[key] for key in ("shape", "samples", "padded_tokens"))
    if not same:
        return math.log(statistics.median(head["wall_ns"]) / statistics.median(base["wall_ns"]))
    return statistics.median(math.log(now / before) for before, now in zip(base["wall_ns"], head["wall_ns"], strict=True))


def pairs_of(detail):
    """Pairs at the interim analysis that decided, or at the last one."""
    found = re.search(r"over (\d+) pairs?", detail)
    return int(found.group(1)) if found else None


def commit():
    done = subprocess.run(["git", "-C", str(SOURCE), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return done.stdout.strip()


def one_run(scenario, number):
    variables, tier, stressed = SCENARIOS[scenario]
    place = Workplace(program=PROGRAM, tainting=True)
    try:
        base, head = (build_folder(place, name, content) for name, content in (("base", {}), ("head", variables)))
        words = [str(STEPGATE), "ab", CASE, "--base-build", str(base), "--build", str(head), "--out", str(place.out),
                 "--tier", tier, "--order-seed", str(1000 * number + len(scenario)), "--steps", STEPS, "--quiet"]
        begin = time.monotonic()
        with competitor(stressed):
            done = subprocess.run(words, capture_output=True, text=True, cwd=place.folder)
        if done.returncode not in (0, 1, 4):
            sys.exit(f"real_runs: {' '.join(words)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        line = {"scenario": scenario, "run": number, "commit": commit(), "status": done.returncode,
                "seconds": round(time.monotonic() - begin, 1)}
        outcome = place.verdict("ab")
        line["verdict"], line["reason"] = outcome["status"], outcome["reason"]
        if tier == "timed":
            step = metric(outcome, STEP)
            line["step"] = {key: step.get(key) for key in ("status", "reason", "change", "interval", "detectable_change")}
            line["looks"] = {each["metric"]: pairs_of(each["detail"]) for each in outcome["metrics"] if each["gating"]}
            line["pairs"] = pair_values(place.out / CASE / "ab")
        return line
    finally:
        place.close()


def read_lines(file):
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def table(lines):
    print(f"{'':<20} {'':>5} {'case':^23} {'step time':^23}")
    print(f"{'scenario':<20} {'runs':>5} " + f"{'red':>6} {'pass':>6} {'undecided':>9} " * 2 + f"{'minutes':>8} {'pairs':>6}")
    for scenario in SCENARIOS:
        mine = [line for line in lines if line["scenario"] == scenario]
        if not mine:
            continue
        count = {status: sum(line["status"] == status for line in mine) for status in (0, 1, 4)}
        seconds = sorted(line["seconds"] for line in mine)
        step = [line["step"]["status"] for line in mine if "step" in line]
        pairs = sorted(len(line.get("pairs", [])) for line in mine)
        print(f"{scenario:<20} {len(mine):>5} {count[1]:>6} {count[0]:>6} {count[4]:>9} {step.count('regressed'):>6} "
              f"{step.count('pass') + step.count('improved'):>6} {step.count('inconclusive'):>9} "
              f"{seconds[len(seconds) // 2] / 60:>8.2f} {pairs[len(pairs) // 2]:>6}")


def write_trace(file, lines):
    """Writes the unchanged runs as a trace for the lab: processes around 10 ms whose pairs have the recorded differences.
    Disturbances that hit both processes of a pair are left out."""
    logs = [pair[2] for line in lines if line["scenario"] == "unchanged" for pair in line["pairs"] if len(pair) == 3]
    values = [round(1e7 * math.exp(side * log / 2)) for log in logs for side in (-1, 1)]
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"name": "in-turns", "values": values}) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("series", nargs="*", metavar="SCENARIO=RUNS")
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path(__file__).with_name("results.jsonl"))
    parser.add_argument("--trace", type=pathlib.Path, help="write the recorded runs as a trace for the lab, and end")
    arguments = parser.parse_args()
    if arguments.trace:
        write_trace(arguments.trace, read_lines(arguments.results))
        return 0
    wanted = [word.partition("=") for word in arguments.series]
    for scenario, _, runs in wanted:
        if scenario not in SCENARIOS or not runs.isdigit():
            parser.error(f"'{scenario}={runs}': SCENARIO=RUNS, one of {', '.join(SCENARIOS)}")
    most = max([int(runs) for _, _, runs in wanted], default=0)
    for number in range(most):  # scenarios alternate, so that a noisy hour does not affect only one of them
        for scenario, _, runs in wanted:
            had = {(line["scenario"], line["run"]) for line in read_lines(arguments.results)}
            if number >= int(runs) or (scenario, number) in had:
                continue
            line = one_run(scenario, number)
            with arguments.results.open("a") as file:
                file.write(json.dumps(line) + "\n")
                file.flush()
                os.fsync(file.fileno())
            print(f"{scenario} {number}: {line['verdict']} ({line['reason']}), {line['seconds']} s", flush=True)
    table(read_lines(arguments.results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
