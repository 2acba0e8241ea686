#!/usr/bin/env python3
"""Compares the account of traces with HolisticTraceAnalysis, and opens the files that stepgate writes with their readers.

  check_traces.py accounts --stepgate PROGRAM --traces FOLDER   shares of each real trace, within 2 points of HTA
  check_traces.py real --stepgate PROGRAM --traces FOLDERS      each trace of real_traces.txt that lies below FOLDERS is read
  check_traces.py own TRACE.json.gz                             HTA and torch-tb-profiler open a trace of stepgate
  check_traces.py events FOLDER                                 TensorBoard reads what telemetry.jsonl in FOLDER says

Runs in the environment of ci/requirements-oracle-traces.txt. Exits with 1 where something differs.
"""
import argparse
import contextlib
import gzip
import hashlib
import io
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

MOST_POINTS = 2.0


REAL_TRACES = pathlib.Path(__file__).resolve().parent / "real_traces.txt"


def hta_breakdown(trace):
    """Idle, compute, and other busy time in percent, as HTA says it for the only rank."""
    from hta.trace_analysis import TraceAnalysis
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        copy = shutil.copy(trace, folder)
        table = TraceAnalysis(trace_files={0: copy}, trace_dir=folder).get_temporal_breakdown(visualize=False)
    row = table.iloc[0]
    return {"idle": row["idle_time_pctg"], "compute": row["compute_time_pctg"], "other work": row["non_compute_time_pctg"]}


def own_breakdown(stepgate, trace):
    text = subprocess.run([stepgate, "profile", "--trace", trace, "--json"], check=True, capture_output=True, text=True).stdout
    shares = {part["part"]: part["share"] * 100 for part in json.loads(text)["account"]}
    return {"idle": sum(share for part, share in shares.items() if part.startswith("idle-")),
            "compute": shares["compute"],
            "other work": shares["exposed-communication"] + shares["exposed-copies"]}


def has_steps(trace):
    with gzip.open(trace, "rt") as file:
        return "ProfilerStep#" in file.read()


def check_accounts(options):
    traces = [trace for folder in folders_of(options.traces) for trace in sorted(folder.glob("*.json.gz"))]
    if not traces:
        sys.exit(f"{options.traces}: no *.json.gz in it")
    worst = 0.0
    for trace in traces:
        if not has_steps(trace):
            print(f"{trace.name}: no steps, so HTA has another span: not compared")
            continue
        own, hta = own_breakdown(options.stepgate, str(trace)), hta_breakdown(str(trace))
        for part, share in own.items():
            worst = max(worst, abs(share - hta[part]))
            print(f"{trace.name}: {part:10} {share:6.2f} %   HTA {hta[part]:6.2f} %")
    print(f"largest difference: {worst:.2f} points, at most {MOST_POINTS} are allowed")
    return worst <= MOST_POINTS


def folders_of(option):
    """The folders of STEPGATE_TRACES, separated by colons."""
    return [pathlib.Path(folder) for folder in option.split(":") if folder]


def listed_traces():
    """(repository, path, digest) of each line."""
    lines = [line.split() for line in REAL_TRACES.read_text().splitlines() if line.strip() and not line.startswith("#")]
    wrong = [line for line in lines if len(line) != 3 or len(line[2]) != 64]
    if wrong:
        sys.exit(f"{REAL_TRACES}: not REPOSITORY PATH SHA-256: {' '.join(wrong[0])}")
    return lines


def files_by_digest(folders):
    files = [file for folder in folders for pattern in ("*.json", "*.json.gz") for file in sorted(folder.rglob(pattern))]
    return {hashlib.sha256(file.read_bytes()).hexdigest(): file for file in files}


def check_real(options):
    """Each trace is read, its parts add up to a step, and what was not read is named."""
    found = files_by_digest(folders_of(options.traces))
    read = wrong = 0
    for repository, path, digest in listed_traces():
        if digest not in found:
            print(f"SKIPPED: {repository} {path}: not below {options.traces}")
            continue
        done = subprocess.run([options.stepgate, "profile", "--trace", str(found[digest]), "--json"], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{repository} {path}: status {done.returncode}: {done.stderr.strip()}")
            wrong += 1
            continue
        account = json.loads(done.stdout)
        whole = account["span_ns"] / max(account["steps"], 1)
        parts = sum(part["ns"] for part in account["account"])
        wrong += not math.isclose(parts, whole, rel_tol=1e-9)
        read += 1
        unread = ", ".join(f"{row['events']} {row['what']}" for row in account["not_known"] + account["left_out"])
        print(f"{path}: {account['of']}, {account['steps']} steps, parts {parts / 1e6:.3f} ms of {whole / 1e6:.3f} ms"
              f"{'; not read: ' + unread if unread else ''}")
    print(f"{read} real traces read, {wrong} wrong")
    return read > 0 and wrong == 0


def check_own(options):
    from hta.common.trace import parse_trace_file
    from torch_tb_profiler.profiler.data import RunProfileData
    with contextlib.redirect_stdout(io.StringIO()):
        _, events, symbols = parse_trace_file(options.trace)
    names = set(symbols.get_sym_table())
    steps = sum(name.startswith("ProfilerStep#") for name in names)
    print(f"HTA: {len(events)} events, {steps} steps")
    with tempfile.TemporaryDirectory() as folder:
        profile = RunProfileData.parse("worker", None, options.trace, folder)
    print(f"torch-tb-profiler: {len(profile.op_list_groupby_name)} operators, {len(profile.steps_costs)} steps")
    return steps > 0 and len(profile.steps_costs) == steps and len(profile.op_list_groupby_name) > 0


def check_events(options):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    folder = pathlib.Path(options.folder)
    events = EventAccumulator(str(folder))
    events.Reload()
    expected = {}
    for line in (folder / "telemetry.jsonl").read_text().splitlines():
        record = json.loads(line)
        for name, value in record["values"].items():
            expected.setdefault(name, []).append((record["step"], float(value)))
    found = {name: [(event.step, event.value) for event in events.Scalars(name)] for name in events.Tags()["scalars"]}
    if expected.keys() != found.keys():
        print(f"names differ: {sorted(expected.keys() ^ found.keys())}")
        return False
    for name, values in expected.items():
        same = len(values) == len(found[name]) and all(
            a[0] == b[0] and (math.isclose(a[1], b[1], rel_tol=1e-6) or (math.isnan(a[1]) and math.isnan(b[1])) or a[1] == b[1])
            for a, b in zip(values, found[name]))
        if not same:
            print(f"{name}: {values} became {found[name]}")
            return False
    print(f"TensorBoard: {len(found)} series, {sum(map(len, found.values()))} values, all equal")
    return len(found) > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = parser.add_subparsers(required=True)
    for name, check in (("accounts", check_accounts), ("real", check_real)):
        part = parts.add_parser(name)
        part.add_argument("--stepgate", required=True)
        part.add_argument("--traces", required=True)
        part.set_defaults(check=check)
    own = parts.add_parser("own")
    own.add_argument("trace")
    own.set_defaults(check=check_own)
    events = parts.add_parser("events")
    events.add_argument("folder")
    events.set_defaults(check=check_events)
    options = parser.parse_args()
    return 0 if options.check(options) else 1


if __name__ == "__main__":
    sys.exit(main())
