#!/usr/bin/env python3
"""Keeps the latencies of an A/B run of a build against itself, for the lab (verdict_lab --tables latency,tails).

  tests/lab/real_runs/record_requests.py OUT... CASE NAME

OUT is the result folder of `stepgate ab CASE` of one build as base and as head; a run ends when it is decided, so several are
needed. Writes tests/lab/requests/NAME.json: the processes of clean pairs in the order of the pairs, base before head, in
microseconds with one digit behind the point. A pair of which one process was discarded is left out whole.
"""
import json
import pathlib
import sys

FEWEST = 16


def latencies_of(path):
    """Those of the last clean timed process of a measurement; None without one."""
    found = None
    for replicate in json.loads(path.read_text())["replicates"]:
        record = replicate.get("record") or {}
        is_clean = not replicate["taint_reasons"] and not replicate.get("set_aside") and not replicate.get("failure")
        if is_clean and "requests" in record:
            found = [round(ns / 1000, 1) for ns in record["requests"]["latency_ns"]]
    return found


def processes_of(pairs):
    """Base and head of each pair in which both are clean."""
    processes = []
    for pair in pairs:
        sides = [latencies_of(pair / side / "measurement.json") for side in ("base", "head")]
        if None not in sides:
            processes += sides
    return processes


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    *folders, case, name = sys.argv[1:]
    pairs = [pair for folder in folders for pair in sorted((pathlib.Path(folder) / case / "ab" / "pairs").iterdir())]
    processes = processes_of(pairs)
    if len(processes) < FEWEST:
        sys.exit(f"{', '.join(folders)}: {len(processes) // 2} clean pairs with requests, and the lab needs {FEWEST // 2}: measure more pairs")
    target = pathlib.Path(__file__).resolve().parents[1] / "requests" / f"{name}.json"
    target.parent.mkdir(exist_ok=True)
    rows = ",\n".join(json.dumps(process, separators=(",", ":")) for process in processes)
    target.write_text(f'{{"name": {json.dumps(name)}, "processes": [\n{rows}\n]}}\n')
    print(f"{target}: {len(processes)} processes")


if __name__ == "__main__":
    main()
