#!/usr/bin/env python3
"""Keeps of a trace of PyTorch's profiler what the replay reads: operators, launches and GPU work of its first steps.

  shorten_trace.py TRACE.json.gz OUT.json.gz [--steps N]      2 steps by default

The traces in the folder `traces` were made so from those that `stepgate profile CASE --prove off` wrote on an H200. The
same trace and number of steps give the same file, so its digest in expected.json can be checked.
"""
import argparse
import gzip
import json
import os
import pathlib
import sys

KEPT_KEYS = ("schemaVersion", "deviceProperties", "cuda_driver_version", "cuda_runtime_version", "displayTimeUnit")
OF_THE_HOST = ("cpu_op", "cuda_runtime", "cuda_driver", "user_annotation")
OF_THE_DEVICE = ("kernel", "gpu_memcpy", "gpu_memset")
KEPT_ARGUMENTS = ("External id", "correlation", "Input Dims", "Input Strides", "Input type", "Concrete Inputs", "stream",
                  "device", "cbid", "bytes", "grid", "block")


def steps_of(events):
    return sorted((event for event in events if str(event.get("name", "")).startswith("ProfilerStep#")
                   and event.get("cat") == "user_annotation"), key=lambda event: event["ts"])


def without_rest(event):
    arguments = event.get("args", {})
    return {**event, "args": {key: arguments[key] for key in KEPT_ARGUMENTS if key in arguments}}


def shortened(trace, steps):
    events = [event for event in trace["traceEvents"] if event.get("ph") == "X"]
    first = steps_of(events)[:steps]
    begin, end = first[0]["ts"], first[-1]["ts"] + first[-1]["dur"]
    host = [event for event in events if event.get("cat") in OF_THE_HOST and begin <= event["ts"] < end]
    launched = {event.get("args", {}).get("correlation") for event in host if event["cat"] != "cpu_op"} - {None}
    device = [event for event in events
              if event.get("cat") in OF_THE_DEVICE and event.get("args", {}).get("correlation") in launched]
    return {**{key: trace[key] for key in KEPT_KEYS if key in trace},
            "traceEvents": [without_rest(event) for event in host + device]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trace", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=2, metavar="N")
    options = parser.parse_args()
    with gzip.open(options.trace, "rt") as file:
        trace = json.load(file)
    found = len(steps_of(trace["traceEvents"]))
    if not 1 <= options.steps <= found:
        parser.error(f"{options.trace} has {found} steps, and --steps is {options.steps}")
    text = json.dumps(shortened(trace, options.steps), separators=(",", ":"))
    unfinished = options.out.with_name(options.out.name + ".unfinished")
    unfinished.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    os.replace(unfinished, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
