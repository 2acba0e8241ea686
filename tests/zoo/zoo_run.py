"""Builds and gates faults and their counterparts, and keeps what was said about each."""
import json
import os
import shutil
import subprocess
import sys
import time

from fault_rows import Refused
from gates import Gate, answer_on, no_answer
from groups import groups_of_counterparts, groups_of_faults
from patches import Applied, patch_of
from records import keep_record


class DoesNotBuild(Refused):
    pass


def tracked_files(root):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True)
    if listed.returncode:
        raise Refused("building the patches needs a git checkout; --apply-only does not")
    return [name for name in listed.stdout.split("\0") if name]


def copy_files(root, names, tree):
    """Files that are equal keep their time, so that a kept copy is not built again."""
    for name in names:
        source, target = root / name, tree / name
        if not source.is_file() or (target.is_file() and target.read_bytes() == source.read_bytes()):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)


def remove_others(names, tree):
    """Sources that a kept copy has from an older tree: the build takes each file of a folder."""
    kept = set(names)
    for folder in ("harness", "perftests", "tests"):
        for path in (tree / folder).rglob("*"):
            if path.is_file() and path.relative_to(tree).as_posix() not in kept:
                path.unlink()


def copy_tree(root, tree):
    """All files of a checkout, and in these folders no others."""
    names = tracked_files(root)
    copy_files(root, names, tree)
    remove_others(names, tree)


def build(tree, *targets):
    """With the copy's own ci/build: its compiler cache hits wherever the copy lies."""
    outside = {key: value for key, value in os.environ.items() if key != "STEPGATE_BUILD"}
    done = subprocess.run([str(tree / "ci/build"), *targets], cwd=tree, env=outside, stdout=sys.stderr)
    if done.returncode:
        raise DoesNotBuild(f"{' '.join(targets)}: does not build in {tree}")
    return tree / "build/release"


def print_row(name, answer, detail):
    print(f"{name:<40} {answer:<8} {detail}", flush=True)


class Zoo:
    targets = ("stepgate", "perftests")
    gate_of = Gate

    def __init__(self, root, tree, timed, records=None):
        self.root, self.tree, self.timed, self.records = root, tree, timed, records
        self.answers = {}  # by fault
        self.unchanged = {}  # {"exact": {status: runs}}
        self.gates = {}  # by case

    def prepare(self, faults):
        copy_tree(self.root, self.tree)
        built = build(self.tree, *self.targets)
        for case in sorted({row["case"] for row in faults}):
            self.gates[case] = self.gate_of(self.tree.parent / "gates", built, case)
            self.gates[case].accept_as_base()

    def build_with(self, faults, ending, gate):
        """Builds with the patches of all, and gates them. Patches that apply together but do not compile together are
        built one by one; returns those that do not compile alone."""
        try:
            with Applied(self.tree, [patch_of(self.root, row["name"] + ending) for row in faults]):
                build(self.tree, "perftests")
                gate(faults)
        except DoesNotBuild:
            if len(faults) == 1:
                return faults
            return [row for one in faults for row in self.build_with([one], ending, gate)]
        return []

    def check_faults(self, faults):
        for group in groups_of_faults(self.root, faults):
            for row in self.build_with(group, "", self.gate_faults):
                self.take(row, no_answer(row, "does not build"), 0)

    def gate_faults(self, faults):
        for row in faults:
            gate, begin = self.gates[row["case"]], time.monotonic()
            try:
                answer = self.answer_of(row, gate)
            except Refused as refused:  # the others are still worth knowing
                answer = no_answer(row, str(refused))
            self.take(row, answer, time.monotonic() - begin)

    def answer_of(self, row, gate):
        outcome = gate.compare() if row["tier"] == "timed" else gate.measure(0, 1)
        if self.records:
            keep_record(self.records / row["name"], gate, row)
        return answer_on(outcome, row, self.root)

    def take(self, row, answer, seconds):
        self.answers[row["name"]] = {**answer, "seconds": round(seconds, 1)}
        print_row(row["name"], "FAILED" if answer["problems"] else "found",
                  "; ".join(answer["problems"]) or answer["message"][:160])

    def check_counterparts(self, faults):
        for group in groups_of_counterparts(self.root, faults, self.tree):
            failed = self.build_with(group, "_unchanged", self.gate_counterparts)
            # Where a group is red any of its members may be the reason, so each is gated alone.
            for row in group:
                doubtful = self.answers[row["name"]].get("counterpart") != "pass" and row not in failed
                if len(group) > 1 and doubtful:
                    failed += self.build_with([row], "_unchanged", self.gate_counterparts)
            for row in failed:
                self.answers[row["name"]]["counterpart"] = "does not build"
        for row in faults:
            status = self.answers[row["name"]]["counterpart"]
            print_row(row["name"] + "_unchanged", "ok" if status == "pass" else "FAILED", status)

    def gate_counterparts(self, faults):
        status = {case: self.status_of(case) for case in sorted({row["case"] for row in faults})}
        for row in faults:
            self.answers[row["name"]]["counterpart"] = status[row["case"]]

    def status_of(self, case):
        try:
            return self.gates[case].measure(0, 1, 4)["status"]
        except Refused as refused:
            return str(refused)

    def timed_status_of(self, case):
        try:
            return self.gates[case].compare()["status"]
        except Refused as refused:
            return str(refused)

    def repeat_unchanged(self, faults, runs):
        """Gates builds with counterparts again and again, the cases in turns. `runs`: {"exact": 200, "timed": 20}."""
        group = groups_of_counterparts(self.root, faults, self.tree)[0]
        cases = sorted({row["case"] for row in group})
        ask = {"exact": self.status_of, "timed": self.timed_status_of}
        with Applied(self.tree, [patch_of(self.root, row["name"] + "_unchanged") for row in group]):
            build(self.tree, "perftests")
            for tier, wanted in ((tier, wanted) for tier, wanted in runs.items() if wanted):
                counts = self.unchanged[tier] = {}
                for number in range(wanted):
                    status = ask[tier](cases[number % len(cases)])
                    counts[status] = counts.get(status, 0) + 1
                print_row("unchanged", tier, ", ".join(f"{count} {status}" for status, count in sorted(counts.items())))

    def run(self, faults):
        """Whether all was right."""
        self.prepare(faults)
        judged = [row for row in faults if self.timed or row["tier"] != "timed"]
        for row in faults:
            if row not in judged:
                print_row(row["name"], "not run", "only times show it: --timed")
        self.check_faults(judged)
        self.check_counterparts(judged)
        return all(not answer["problems"] and answer.get("counterpart") == "pass" for answer in self.answers.values())

    def run_unchanged(self, faults, runs):
        """Whether nothing was red."""
        self.prepare(faults)
        self.repeat_unchanged(faults, runs)
        return not any("regressed" in counts for counts in self.unchanged.values())


def share(right, all_of_them):
    return f"{right} of {all_of_them}" + (f" ({100 * right / all_of_them:.0f} %)" if all_of_them else "")


def summary(answers):
    """{what: "N of M (P %)"} of the answers of a run."""
    lines = [answer for answer in answers.values() if "line_right" in answer]
    counterparts = [answer["counterpart"] for answer in answers.values() if "counterpart" in answer]
    shares = {"faults found": share(sum(answer["caught"] for answer in answers.values()), len(answers)),
              "causes right": share(sum(answer["cause_right"] for answer in answers.values()), len(answers)),
              "lines right": share(sum(answer["line_right"] for answer in lines), len(lines))}
    if counterparts:  # records have none
        shares["counterparts green"] = share(counterparts.count("pass"), len(answers))
    return shares


def write_results(path, zoo):
    """Replaces what the file says about these faults and tiers; what it says about others stays."""
    stored = json.loads(path.read_text()) if path.is_file() else {}
    results = {"faults": {**stored.get("faults", {}), **zoo.answers},
               "unchanged": {**stored.get("unchanged", {}), **zoo.unchanged}}
    path.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
