"""Runs and histories made from one real run, so that each format has something to say: a red case with a line of code, the
same case 10 % slower, and a history with one step. Only numbers, names and findings change; stepgate writes every export."""
import copy
import datetime
import json
import shutil
import subprocess

METRIC = "step_time_ns"
HOSTILE_NAME = 'suite/it\'s "quoted", \\ & <odd>\nname'
PROCESSES = 10
SLOWER = 1.1  # an effect that no rounding of a client hides
SESSIONS, STEP_AT, STEP = 40, 25, 1.06


def the_outcome(document):
    return document["outcomes"][0]


def prepared_run(out, folder, change):
    """A copy of the results in `out`, whose only case went through `change(outcome)`."""
    shutil.copytree(out, folder)
    for file in folder.rglob("verdict.json"):
        document = json.loads(file.read_text())
        change(the_outcome(document))
        status = the_outcome(document)["status"]
        if status == "regressed":
            document.update(status=status, exit_status=1, outcomes_by_status={status: 1})
        file.write_text(json.dumps(document))
    return folder


def make_red(outcome, factor=1.0):
    """A regression with a cause at a line of code, and ten processes that differ by 0.1 % each."""
    outcome["case"], outcome["status"] = HOSTILE_NAME, "regressed"
    outcome["findings"] = [{"code": "host-sync", "severity": "cause", "message": "forward: one more synchronization",
                            "advice": "", "metric": METRIC,
                            "sources": [{"function": "forward", "file": "src/my model.cpp", "line": 118}]}]
    metric = next(each for each in outcome["metrics"] if each["metric"] == METRIC)
    times = [metric["current"] * factor * (1 + 0.001 * k) for k in range(PROCESSES)]
    metric["current"], metric["status"] = times[PROCESSES // 2], "regressed"
    outcome["background"] = [{"metric": METRIC, "scope": metric["scope"], "sessions": [], "now": times,
                              "baseline_path": "", "baseline_line": 0}]


def make_twice(outcome):
    outcome["metrics"] += [copy.deepcopy(outcome["metrics"][0])]


def stepped_history(stepgate, out, folder):
    """A session a day of the run in `out`; METRIC rises by 6 % at session STEP_AT. Returns that session's commit."""
    subprocess.run([stepgate, "history", "add", out, "--to", folder], check=True, capture_output=True)
    added = next(folder.rglob("*.json"))
    session = json.loads(added.read_text())
    added.unlink()
    value = next(each["timed"]["values"][METRIC] for each in session["cases"].values())
    base = value[0]
    for number in range(SESSIONS):
        day = datetime.datetime(2026, 1, 1) + datetime.timedelta(days=number)
        session.update(utc=f"{day:%Y-%m-%dT%H:%M:%SZ}", commit=commit_of(number), run=f"{number:016x}")
        value[0] = base * (1 + 0.002 * (number * 7 % 5)) * (STEP if number >= STEP_AT else 1)
        file = folder / session["class"] / f"{day:%Y/%m/%Y%m%dT%H%M%SZ}-{commit_of(number)[:12]}-{number:016x}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(session))
    return commit_of(STEP_AT)


def commit_of(number):
    return f"{number + 1:04x}" * 10
