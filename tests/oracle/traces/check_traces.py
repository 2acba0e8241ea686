#!/usr/bin/env python3
"""Compares the account of traces with HolisticTraceAnalysis, and opens the files that stepgate writes with their readers.

  check_traces.py accounts --stepgate PROGRAM --traces FOLDER   shares of each real trace, within 2 points of HTA
  check_traces.py own TRACE.json.gz                             HTA and torch-tb-profiler open a trace of stepgate
  check_traces.py events FOLDER                                 TensorBoard reads what telemetry.jsonl in FOLDER says

Runs in the environment of ci/requirements-oracle-traces.txt. Exits with 1 where something differs.
"""
import argparse
import contextlib
import gzip
import io
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

MOST_POINTS = 2.0


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
    traces = sorted(pathlib.Path(options.traces).glob("*.json.gz"))
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
    accounts = parts.add_parser("accounts")
    accounts.add_argument("--stepgate", required=True)
    accounts.add_argument("--traces", required=True)
    accounts.set_defaults(check=check_accounts)
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
