"""How long `stepgate history check` takes on a million points, reading its files included, beside Apache Otava on the same
values as CSV. Prints the rows of docs/trend_quality.md.

Environment: STEPGATE_TEST_BUILD. Otava comes from `ci/setup_peers otava` (STEPGATE_OTAVA: its python; "" leaves it out).
"""

import csv
import datetime
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
CACHE = os.environ.get("STEPGATE_CACHE") or f"{os.environ.get('XDG_CACHE_HOME') or pathlib.Path.home() / '.cache'}/stepgate"
OTAVA = os.environ.get("STEPGATE_OTAVA", f"{CACHE}/peers/otava/bin/python")
METRICS = ["enqueue_time_ns", "first_step_ns", "step_time_mean_ns", "step_time_ns", "synthetic_step_ns"]
SHAPES = [(200, 1000), (4000, 50)]  # sessions and cases: a million points each
LONG = (100_000, 1)
RUNS = 5
TARGET_S = 1.0
LONG_TARGET_S = 4.0
LONG_TARGET_MB = 200
KEY = "00000000000000aa"
FIRST_DAY = datetime.datetime(2012, 1, 1, 3, 0, 0)


def series_names(cases):
    return [(f"suite/model_{case:04}/tiny", metric) for case in range(cases) for metric in METRICS]


def session(number, cases, values):
    utc = (FIRST_DAY + datetime.timedelta(days=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
    of_case = {}
    for (case, metric), value in zip(series_names(cases), values):
        of_case.setdefault(case, {"timed": {"key": KEY, "values": {}}})["timed"]["values"][metric] = [value, 5, 0.012]
    return {"schema": {"name": "stepgate.history_session", "major": 1, "minor": 0}, "class": "h200", "utc": utc,
            "commit": f"{number:012x}", "commit_number": number, "run": f"{number:016x}",
            "keys": {KEY: {"device": "cuda", "gpu_driver": "580.1", "torch": "2.11.0"}}, "cases": of_case}


def draw(sessions, series):
    """Rows of values: noise of 1 %; every ninth series has a step of 3 % in its middle."""
    chance = random.Random(20261123)
    levels = [1e6 * (1 + i % 97) for i in range(series)]
    for number in range(sessions):
        late = number >= sessions // 2
        yield [round(level * chance.gauss(1, 0.01) * (1.03 if late and i % 9 == 0 else 1), 1) for i, level in enumerate(levels)]


def text_of(document):
    """With a value on one line, as stepgate writes it."""
    lines = json.dumps(document, indent=2)
    return re.sub(r"\[[^]\[]*\]", lambda found: re.sub(r"\s+", " ", found[0]).replace("[ ", "[").replace(" ]", "]"), lines)


def write(folder, sessions, cases):
    """The history folder, and history.csv with otava.json for Otava. Returns the bytes of the history."""
    names = [":".join(name) for name in series_names(cases)]
    size = 0
    with open(folder / "history.csv", "w", newline="") as table:
        writer = csv.writer(table)
        writer.writerow(["time", *names])
        for number, values in enumerate(draw(sessions, len(names))):
            day = FIRST_DAY + datetime.timedelta(days=number)
            writer.writerow([day.strftime("%Y-%m-%d %H:%M:%S +0000"), *values])
            file = folder / day.strftime("history/h200/%Y/%m/%Y%m%dT%H%M%SZ.json")
            file.parent.mkdir(parents=True, exist_ok=True)
            size += file.write_text(text_of(session(number, cases, values)))
    metrics = {name: {"column": name, "direction": -1, "scale": 1} for name in names}
    test = {"type": "csv", "file": "history.csv", "time_column": "time", "metrics": metrics,
            "csv_options": {"delimiter": ",", "quote_char": "'"}}
    (folder / "otava.yaml").write_text(json.dumps({"tests": {"steps": test}}))
    return size


def seconds(command, folder, statuses):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("STEPGATE_")}
    environment.update(HOME=str(folder), OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    begin = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode not in statuses:
        sys.exit(f"history_seconds: {command[0]} exits {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.perf_counter() - begin


def stepgate_seconds(folder):
    command = [BUILD / "bin" / "stepgate", "history", "check", "--history", "history"]
    seconds(command, folder, (0, 1))  # the files are in the page cache then, as for Otava
    return statistics.median(seconds(command, folder, (0, 1)) for _ in range(RUNS))


def otava_seconds(folder):
    if not OTAVA:
        return None
    if not os.path.exists(OTAVA):
        sys.exit("history_seconds: Otava is missing: ci/setup_peers otava")
    return seconds([OTAVA, "-m", "otava.main", "analyze", "steps", "--config-file", "otava.yaml", "--since=2011-01-01",
                    "--output", "json"], folder, (0,))


def long_history():
    """Seconds, the most memory of `history check`, and the size of a plot of 100 000 sessions."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        write(folder, *LONG)
        elapsed = stepgate_seconds(folder)
        command = ["/usr/bin/env", "python3", "-c", PEAK_OF, str(BUILD / "bin" / "stepgate"), "history", "check", "--history",
                   "history"]
        peak_mb = int(subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout.split()[-1]) / 1024
        seconds([BUILD / "bin" / "stepgate", "history", "plot", "--svg", "history.svg", "--history", "history"], folder, (0,))
        plot_mb = (folder / "history.svg").stat().st_size / 1e6
    print(f"\n{LONG[0]} sessions: check {elapsed:.2f} s (target: at most {LONG_TARGET_S}), {peak_mb:.0f} MB (at most "
          f"{LONG_TARGET_MB}); plot {plot_mb:.1f} MB", flush=True)


PEAK_OF = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def main():
    print(f"a million points; stepgate: median of {RUNS} runs (target: at most {TARGET_S} s), Otava: one run\n")
    print("| sessions x series | files, MB | stepgate history check, s | Otava analyze, s |\n| --- | --- | --- | --- |")
    for sessions, cases in SHAPES:
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            size = write(folder, sessions, cases)
            ours, otavas = stepgate_seconds(folder), otava_seconds(folder)
            beside = "" if otavas is None else f"{otavas:.1f}"
            print(f"| {sessions} x {cases * len(METRICS)} | {size / 1e6:.0f} | {ours:.2f} | {beside} |", flush=True)
    long_history()


if __name__ == "__main__":
    main()
