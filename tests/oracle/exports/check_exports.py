#!/usr/bin/env python3
"""Reads the exports of one run with the clients of their formats, and prints what each of them said.

  check_exports.py BUILD OUT     BUILD/bin/stepgate reports the results in OUT

Runs in the environment of ci/requirements-exports.txt. Exits with 1 where a client refuses a file or reads other values.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile


SARIF = pathlib.Path(sys.executable).parent / "sarif"


class Wrong(Exception):
    """A client that did not read what stepgate wrote."""


def require(holds, what):
    if not holds:
        raise Wrong(what)


def run(words, statuses=(0,)):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    require(done.returncode in statuses, f"{' '.join(map(str, words))} exits {done.returncode}: {done.stdout}{done.stderr}")
    return done


def exported(build, out, folder, form):
    """The file, or None where stepgate refuses the format for this run."""
    file = folder / form
    subprocess.run([build / "bin/stepgate", "report", "--build", build, "--out", out, "--export", f"{form}={file}"],
                   capture_output=True, text=True, check=False)  # its status is that of the verdicts
    require(file.is_file(), f"stepgate wrote no {form}")
    return file


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def openmetrics(file):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    samples = [sample for family in text_string_to_metric_families(file.read_text()) for sample in family.samples]
    labels = {(sample.name, *sorted(sample.labels.items())) for sample in samples}
    require(len(labels) == len(samples), "a sample has the labels of another one")
    require(all(math.isfinite(sample.value) for sample in samples), "a value is not finite")
    return f"{len(samples)} samples"


def junit(file):
    from junitparser import JUnitXml
    xml = JUnitXml.fromfile(str(file))
    return f"{xml.tests} tests, {xml.failures} failures, {xml.errors} errors"


def pyperf(file):
    said = run([sys.executable, "-m", "pyperf", "stats", file]).stdout
    require("Number of run" in said, "pyperf stats tells no runs")
    return last_line(run([sys.executable, "-m", "pyperf", "compare_to", file, file]).stdout) or "compare_to: no difference"


def sarif(file):
    document = json.loads(file.read_text())
    results = [result for each in document["runs"] for result in each["results"]]
    errors = sum(result["level"] == "error" for result in results)
    run([SARIF, "summary", file])
    run([SARIF, "--check", "error", "summary", file], statuses=(1,) if errors else (0,))
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "codeclimate.json"
        run([SARIF, "codeclimate", "--output", report, file])
        issues = json.loads(report.read_text())
    require(len(issues) == len(results), f"codeclimate has {len(issues)} issues of {len(results)} results")
    return f"{len(results)} results, {errors} errors"


def google_benchmark(file):
    """Its own reader is compare.py; here the fields that it reads."""
    rows = json.loads(file.read_text())["benchmarks"]
    for row in rows:
        require(row["run_type"] == "iteration" and row["time_unit"] == "ns", f"{row['name']} is no repetition in ns")
        require(row["real_time"] > 0 and row["cpu_time"] > 0, f"{row['name']} has no time")
    return f"{len(rows)} repetitions"


READERS = {"openmetrics": openmetrics, "junit": junit, "pyperf": pyperf, "sarif": sarif,
           "google-benchmark": google_benchmark}


def main():
    build, out = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        for form, read in READERS.items():
            try:
                print(f"{form:<18} {read(exported(build, out, pathlib.Path(place), form))}")
            except Wrong as wrong:
                failed += 1
                print(f"{form:<18} FAILED: {wrong}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
