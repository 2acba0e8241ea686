"""The gate of one case: its own policy, baseline and results, against values of the unpatched build."""
import json
import os
import pathlib
import shutil
import subprocess

from fault_rows import Refused
from patches import marked_places, patch_of

NUMERIC = {"loss", "grad_norm", "final_loss"}


def write_project(folder, build_folder, case):
    """A build folder of the one case, without its program."""
    suite = case.split("/")[0]
    manifest = json.loads((build_folder / "stepgate-manifest.json").read_text())
    row = next(dict(row) for row in manifest["cases"] if row["name"] == case)
    row.update(program=str(folder / "bin/perftests"), suite=suite)
    manifest.update(cases=[row], policy_root=str(folder / "policies"), baseline_root=str(folder / "baselines"))
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    (folder / "policies" / suite).mkdir(parents=True)
    shutil.copy2(build_folder.parent.parent / "perftests" / suite / "policy.json", folder / "policies" / suite)
    (folder / "stepgate-manifest.json").write_text(json.dumps(manifest))


def run_stepgate(stepgate, words, folder, expect):
    """In `folder`, without the caller's own settings. Refused where it exits otherwise than expected."""
    variables = {key: value for key, value in os.environ.items() if not key.startswith("STEPGATE_") and key != "CI"}
    done = subprocess.run([str(stepgate), *words, "--out", str(folder / "out")], env={**variables, "NO_COLOR": "1"},
                          cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1200)
    if done.returncode not in expect:
        raise Refused(f"{' '.join(words)} exits {done.returncode}\n{done.stdout}{done.stderr}")
    return f"{' '.join(words)} exits {done.returncode}\n{done.stdout}{done.stderr}"


class Project:
    """One case with a program of its own, for commands that need no baseline."""

    def __init__(self, folder, build_folder, case):
        self.folder, self.stepgate = folder / case, build_folder / "bin/stepgate"
        self.program = self.folder / "bin/perftests"
        write_project(self.folder, build_folder, case)
        self.built = build_folder / "bin/perftests"

    def take_program(self):
        shutil.copy2(self.built, self.program)

    def run(self, *words, expect):
        run_stepgate(self.stepgate, [*words, "--build", str(self.folder)], self.folder, expect)


class Gate:
    def __init__(self, folder, build_folder, case):
        self.case, self.head, self.base = case, folder / case / "head", folder / case / "base"
        self.stepgate = build_folder / "bin/stepgate"
        self.built = pathlib.Path(build_folder / "bin/perftests")
        for project in (self.head, self.base):
            write_project(project, build_folder, case)

    def run(self, *words, expect):
        return run_stepgate(self.stepgate, words, self.head, expect)

    def outcome(self, kind, printed):
        """Refused with what was printed where the command ended before a verdict."""
        outcomes = json.loads((self.head / "out" / self.case / kind / "verdict.json").read_text())["outcomes"]
        if not outcomes:
            raise Refused(f"no verdict: {printed}")
        return outcomes[0]

    def take_program(self, project):
        shutil.copy2(self.built, project / "bin/perftests")

    def measure(self, *expect):
        """The outcome of the exact half."""
        self.take_program(self.head)
        printed = self.run("gate", self.case, "--tier", "exact", "--build", str(self.head), expect=expect)
        return self.outcome("exact", printed)

    def compare(self):
        """The outcome of pairs of processes of both builds: only times, 0 to 4 are verdicts."""
        self.take_program(self.head)
        printed = self.run("ab", self.case, "--tier", "timed", "--base-build", str(self.base), "--head-build",
                           str(self.head), expect=(0, 1, 2, 3, 4))
        return self.outcome("ab", printed)

    def accept_as_base(self):
        self.take_program(self.base)
        self.measure(0, 5)
        self.run("baseline", "accept", "--reason", "the unpatched build", "--local", "--build", str(self.head),
                 expect=(0,))


def red_metrics(outcome):
    return {metric["metric"] for metric in outcome["metrics"] if metric["status"] == "regressed"}


def tier_of(outcome, row):
    """What saw the fault: "" if nothing did. Numbers of both kinds count as exact, which names what they are."""
    red = red_metrics(outcome)
    if not red:
        return ""
    return "timed" if row["tier"] == "timed" else "numeric" if red <= NUMERIC else "exact"


def is_red_in(outcome, metric):
    """A step time is red by its median or by its mean: a step with two modes has no median to judge."""
    names = {"step_time_ns", "step_time_mean_ns"} if metric == "step_time_ns" else {metric}
    return bool(names & red_metrics(outcome))


def line_text(source):
    return f"{source.get('file', '')}:{source.get('line', 0)}"


def is_at_line(sources, place):
    name, lines = place
    return any(name.endswith(source.get("file") or "?") and source.get("line") in lines for source in sources)


def answer_on(outcome, row, root):
    """What the verdict says about a fault, and what of it is wrong."""
    causes = [finding for finding in outcome["findings"] if finding["severity"] == "cause"]
    first = causes[0] if causes else {}
    problems = [f"{metric} is not red" for metric in row["metrics"] if not is_red_in(outcome, metric)]
    problems += [f"{metric} is red" for metric in row.get("green", []) if metric in red_metrics(outcome)]
    answer = {"caught": not problems, "tier": tier_of(outcome, row), "cause": first.get("code", ""),
              "cause_right": first.get("code") == row["cause"], "message": first.get("message", "")}
    if not answer["cause_right"]:
        problems.append(f"cause {answer['cause'] or 'none'}, expected {row['cause']}")
    if "line" in row:
        place = marked_places(patch_of(root, row["name"]), row["line"])
        sources = first.get("sources", [])
        answer["line_right"] = is_at_line(sources, place)
        if not answer["line_right"]:
            problems.append(f"line {', '.join(map(line_text, sources)) or 'none'}, expected {place[0]}:{place[1][0]}")
    return {**answer, "problems": problems}


def no_answer(row, text):
    """Of a gate that gave no verdict."""
    answer = {"caught": False, "tier": "", "cause": "", "cause_right": False, "message": "", "problems": [text]}
    return {**answer, "line_right": False} if "line" in row else answer
