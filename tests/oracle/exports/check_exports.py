#!/usr/bin/env python3
"""Lets the clients of the export formats read what stepgate writes of one run, and prints what each of them said.

  check_exports.py BUILD OUT --peers DIR [--page FILE]     BUILD/bin/stepgate reports the results in OUT

Runs in the environment of ci/requirements-exports.txt; DIR holds compare.py and Otava (ci/setup_peers). --page FILE writes
the answers as a table in the place of the one in FILE. Exits with 1 where a client refuses a file or reads other values.
"""
import argparse
import importlib.metadata
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import prepared_runs
from clients import CLIENTS, Wrong, require

HEAD = "| format | command | read by | exit status | what it says |"
RULE = "| --- | --- | --- | --- | --- |"


@dataclass(frozen=True)
class Files:
    red: pathlib.Path  # of the run with a red case
    slower: pathlib.Path  # of the same run, 10 % slower
    history: pathlib.Path
    commit: str  # where the history has its step


@dataclass(frozen=True)
class Runs:
    stepgate: pathlib.Path
    build: pathlib.Path
    place: pathlib.Path

    def export(self, run, form):
        file = self.place / f"{run}.{form}"
        done = subprocess.run([self.stepgate, "report", "--build", self.build, "--out", self.place / run, "--export",
                               f"{form}={file}"], capture_output=True, text=True, check=False)
        require(file.is_file(), f"stepgate wrote no {form}: {done.stderr}")  # its status is that of the verdicts
        return file

    def refuse(self, run, form):
        file = self.place / f"{run}.{form}"
        done = subprocess.run([self.stepgate, "report", "--build", self.build, "--out", self.place / run, "--export",
                               f"{form}={file}"], capture_output=True, text=True, check=False)
        require(not file.exists(), f"stepgate wrote {form} of a run whose case has a metric twice")
        lines = [line for line in done.stderr.splitlines() if "twice" in line]
        require(lines, f"stepgate says nothing of the metric that is there twice: {done.stderr}")
        return lines[0]


def prepare(runs, out):
    prepared_runs.prepared_run(out, runs.place / "red", prepared_runs.make_red)
    prepared_runs.prepared_run(out, runs.place / "slower", lambda each: prepared_runs.make_red(each, prepared_runs.SLOWER))
    prepared_runs.prepared_run(out, runs.place / "twice", prepared_runs.make_twice)


def history_csv(runs, out):
    folder, file = runs.place / "history", runs.place / "history.csv"
    commit = prepared_runs.stepped_history(runs.stepgate, out, folder)
    subprocess.run([runs.stepgate, "history", "export", "--history", folder, "--csv", file], check=True, capture_output=True)
    return file, commit


def version_of(client):
    return " " + importlib.metadata.version(client.package) if client.package else ""


def read_all(runs, out, peers):
    """The rows of the table, and how many clients failed."""
    history, commit = history_csv(runs, out)
    rows, failed = [], 0
    for client in CLIENTS:
        by = client.name + version_of(client)
        try:
            of_run = [] if client.form == "history" else [runs.export(run, client.form) for run in ("red", "slower")]
            answer = client.read(Files(*(of_run or [None, None]), history, commit), peers)
        except Wrong as wrong:
            failed += 1
            print(f"{client.form:<16} {by}: FAILED: {wrong}")
            continue
        command = client.command or f"--export {client.form}=FILE"
        rows.append(f"| {client.form} | `{command}` | {by} | {answer.status} | `{answer.line.replace('|', '¦')}` |")
        print(f"{client.form:<16} {by}: {answer.status}, {answer.line}")
    return rows, failed


def write_page(page, rows):
    """In the place of the table with the same head."""
    before, _, rest = page.read_text().partition(HEAD + "\n")
    after = rest.splitlines(keepends=True)
    while after and after[0].startswith("|"):
        after.pop(0)
    page.write_text(before + "\n".join([HEAD, RULE, *rows]) + "\n" + "".join(after))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--peers", type=pathlib.Path, required=True)
    parser.add_argument("--page", type=pathlib.Path)
    wanted = parser.parse_args()
    if wanted.page and not (wanted.page.is_file() and HEAD in wanted.page.read_text()):
        parser.error(f"--page {wanted.page}: no file with a table with the head: {HEAD}")
    build, out = wanted.build.resolve(), wanted.out.resolve()
    with tempfile.TemporaryDirectory() as place:
        runs = Runs(build / "bin/stepgate", build, pathlib.Path(place))
        prepare(runs, out)
        rows, failed = read_all(runs, out, wanted.peers.resolve())
        try:
            print(f"refused          {runs.refuse('twice', 'openmetrics')}")
        except Wrong as wrong:
            failed += 1
            print(f"refused          FAILED: {wrong}")
    if wanted.page and not failed:
        write_page(wanted.page, rows)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
