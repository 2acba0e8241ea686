#!/usr/bin/env python3
"""Replays operator calls of real traces on the emulated GPU and compares what each call did.

  fidelity_test.py           fails on a difference that expected.json does not explain, and on one that is gone
  fidelity_test.py --write   stores totals and differences in expected.json; a new difference has the reason "?", which
                             fails until somebody has written why

Traces are found by their digests. Those of this repository's cases on an H200 are in the folder traces. Others lie below the
folders of STEPGATE_TRACES (colons between them), by default ../shared/data/traces beside the source: they are data of others,
none is committed, and of them only names, sizes and counts are stored. LibTorch's own kernels, copies and host waits of each call must be equal, memsets where no library
takes part. Calls of libraries are one kernel each here, so they are shown and not compared. Not compared either, and
counted: calls for which a trace of sizes alone lacks numbers, and calls that launched nothing there and do here, because
their tensors were on the host.

Exit status: 0, 1, or 77 where no trace or no build of the emulated GPU is there.
"""
import json
import os
import pathlib
import sys
import tempfile
import time

SOURCE = pathlib.Path(os.environ.get("STEPGATE_TEST_SOURCE") or pathlib.Path(__file__).resolve().parents[3])
BUILD = pathlib.Path(os.environ.get("STEPGATE_TEST_BUILD") or SOURCE / "build/release")
sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import fidelity_rows  # noqa: E402
import trace_calls  # noqa: E402

SKIPPED = 77
MOST_SECONDS = 60


def trace_files():
    """Digest -> file."""
    folders = os.environ.get("STEPGATE_TRACES", "").split(":") if os.environ.get("STEPGATE_TRACES") else []
    places = [pathlib.Path(folder) for folder in folders] or [SOURCE.parent / "shared/data/traces"]
    places.append(SOURCE / "tests/emulator/fidelity/traces")
    return {fidelity_rows.digest_of(path): path for place in places for path in sorted(place.rglob("*.json.gz"))}


def read_all(traces, files):
    """(rows by model, number of calls without arguments by trace, covered operators)."""
    by_model, unknown, covered = {}, {}, set()
    for trace, entry in traces.items():
        if entry["sha256"] not in files:
            print(f"SKIPPED: {trace}: no file with its digest")
            continue
        calls = trace_calls.calls_of(files[entry["sha256"]])
        rows, unknown[trace] = fidelity_rows.distinct(trace, calls)
        by_model.setdefault(entry["model"], []).extend(rows)
        covered |= {name for call in calls if call.arguments is not None for name in call.operators}
    return by_model, unknown, covered


def show(totals):
    for trace, found in totals.items():
        print(f"{trace}: {found['distinct']} distinct of {found['calls']} calls ({found['without_arguments']} without "
              f"arguments): {found['equal']} equal, {found['different']} different, {found['lacks_numbers']} lack "
              f"numbers, {found['on_host']} on the host; own kernels {found['own_kernels']} real, "
              f"{found['own_kernels_emulated']} emulated; library kernels {found['library_kernels']} real, "
              f"{found['library_calls_emulated']} calls")


def write(expected, totals, differences):
    for trace, found in totals.items():
        expected["traces"][trace]["totals"] = found
    kept = {key: entry for key, entry in expected["differences"].items() if key.split(" ")[0] not in totals}
    expected["differences"] = dict(sorted((kept | differences).items()))
    (SOURCE / fidelity_rows.EXPECTED).write_text(json.dumps(expected, indent=1, sort_keys=True) + "\n")
    print(f"wrote {fidelity_rows.EXPECTED}: {len(expected['differences'])} differences")


def missing():
    for name, target in (("emulated_gpu/complete", "emulated_gpu"), ("bin/replay_calls", "replay_calls")):
        if not (BUILD / name).is_file():
            return f"{BUILD / name} is missing: cmake --build {BUILD} --target {target}"
    return ""


def main():
    begin = time.monotonic()
    expected = json.loads((SOURCE / fidelity_rows.EXPECTED).read_text())
    if lack := missing():
        print(f"SKIPPED: {lack}")
        return SKIPPED
    by_model, unknown, covered = read_all(expected["traces"], trace_files())
    if not by_model:
        print("SKIPPED: there is no trace; set STEPGATE_TRACES to folders of them")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="stepgate-fidelity-") as folder:
        for model, rows in by_model.items():
            fidelity_rows.replay(BUILD, model, rows, pathlib.Path(folder))
    rows = [row for of_model in by_model.values() for row in of_model]
    totals = {trace: fidelity_rows.totals_of([row for row in rows if row.trace == trace], unknown[trace])
              for trace in unknown}
    differences = fidelity_rows.differences_of(rows, expected["differences"])
    show(totals)
    print("operators of the GPU cases that no trace covers: " + ", ".join(fidelity_rows.uncovered(SOURCE, covered)))
    if "--write" in sys.argv[1:]:
        write(expected, totals, differences)
        return 0
    problems = fidelity_rows.problems_of(expected, totals, differences)
    if totals.keys() == expected["traces"].keys():
        problems += fidelity_rows.no_longer_confirmed(SOURCE, rows)
    seconds = time.monotonic() - begin
    if seconds > MOST_SECONDS:
        problems.append(f"it took {seconds:.0f} s, at most {MOST_SECONDS} are allowed")
    right = f"all as expected: {len(rows)} calls, {len(differences)} known differences, {seconds:.0f} s"
    print("\n".join(problems) or right)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
