"""Builds a planted program and its mended one, profiles the first and compares both in pairs of processes."""
import json
import shutil
import time

from bottleneck_judge import judged, unmeasured
from bottleneck_rows import patch_of
from fault_rows import Refused
from gates import run_stepgate, write_project
from patches import Applied
from zoo_run import build, copy_tree

TRIES = 3  # other work on the machine may stop a profile
# Four times as many as the cases have: what a mend wins is the truth here, and beside a neighbour eight pairs of the
# cases' own length told 11 % with an interval of 5 %.
STEPS_OF_PAIRS = "e2e=240"
FOREIGN = "foreign"  # a suite that no build lists, with a program of its own
FOREIGN_PROGRAM = "foreign_forecast"
LISTED_CASE = "language/char_lm/tiny"  # a foreign case stands in a manifest and has a policy as this one


def is_foreign(case):
    return case.split("/")[0] == FOREIGN


def program_of(case):
    return FOREIGN_PROGRAM if is_foreign(case) else "perftests"


class Side:
    """A project of the one case, with its program."""

    def __init__(self, folder, built, case, programs):
        self.folder, self.stepgate = folder, built / "bin/stepgate"
        write_project(folder, built, LISTED_CASE if is_foreign(case) else case)
        if is_foreign(case):
            self.name_case(case)
        shutil.copy2(programs / program_of(case), folder / "bin/perftests")

    def name_case(self, case):
        path = self.folder / "stepgate-manifest.json"
        manifest = json.loads(path.read_text())
        manifest["cases"][0].update(name=case, suite=FOREIGN)
        path.write_text(json.dumps(manifest))
        policies = self.folder / "policies"
        (policies / LISTED_CASE.split("/")[0]).rename(policies / FOREIGN)

    def run(self, *words, expect):
        return run_stepgate(self.stepgate, words, self.folder, expect)


def profile(planted, row):
    written = planted.folder / "out/profile" / row["case"] / "profile.json"
    for _ in range(TRIES):
        printed = planted.run("profile", row["case"], "--prove", "all", "--build", str(planted.folder),
                              expect=(0, 3))
        if not written.is_file():
            raise Refused(f"no profile: {printed}")
        page = json.loads(written.read_text())
        if not page.get("stopped"):
            break
    shutil.copyfile(written.with_suffix(".md"), planted.folder / "profile.md")
    return page


def compare(planted, mended, row):
    """The outcome of the pairs: base is the planted build, head the mended one. An inconclusive one says why."""
    printed = mended.run("ab", row["case"], "--tier", "timed", "--no-explain", "--steps", STEPS_OF_PAIRS, "--base-build", str(planted.folder),
                         "--head-build", str(mended.folder), expect=(0, 1, 4))
    path = mended.folder / "out" / row["case"] / "ab/verdict.json"
    outcomes = json.loads(path.read_text())["outcomes"] if path.is_file() else []
    if not outcomes:
        raise Refused(f"no verdict: {printed}")
    return outcomes[0]


class Bottlenecks:
    """Builds all programs, then measures row by row, so that no compiler runs beside a measurement. Keeps the documents
    of each row in `pages`."""

    def __init__(self, root, folder):
        self.root, self.tree, self.pages = root, folder / "stepgate", folder / "pages"
        self.projects, self.unpatched = folder / "projects", folder / "unpatched"

    def run(self, rows):
        """Yields name and answer of each."""
        copy_tree(self.root, self.tree)
        programs = sorted({"perftests", *(program_of(row["case"]) for row in rows)})
        built = build(self.tree, "stepgate", "stepgate_studies", *programs)
        self.unpatched.mkdir(parents=True, exist_ok=True)
        for program in programs:
            shutil.copy2(built / "bin" / program, self.unpatched / program)
        self.pages.mkdir(parents=True, exist_ok=True)
        sides = [self.sides_of(row, built) for row in rows]
        build(self.tree, "stepgate", *programs)  # the tree is left as it was copied
        for row, side in zip(rows, sides):
            begin = time.monotonic()
            answer = unmeasured(row, side) if isinstance(side, str) else self.answer_of(row, *side)
            yield row["name"], {**answer, "seconds": round(time.monotonic() - begin, 1)}

    def sides_of(self, row, built):
        """The planted and the mended project, or why they cannot be built."""
        try:
            return [self.built_side(row, side, built) for side in ("planted", "mended")]
        except Refused as refused:  # the others are still worth knowing
            return str(refused)

    def built_side(self, row, side, built):
        folder = self.projects / row["name"] / side
        patch = patch_of(self.root, row, side)
        if patch is None:
            return Side(folder, built, row["case"], self.unpatched)
        with Applied(self.tree, [patch]):
            build(self.tree, program_of(row["case"]))
            return Side(folder, built, row["case"], built / "bin")

    def answer_of(self, row, planted, mended):
        try:
            page = profile(planted, row)
            shutil.copyfile(planted.folder / "profile.md", self.pages / f"{row['name']}.md")
            outcome = {} if page.get("stopped") else compare(planted, mended, row)
        except Refused as refused:
            return unmeasured(row, str(refused))
        document = {"profile": page, "outcome": outcome}
        (self.pages / f"{row['name']}.json").write_text(json.dumps(document) + "\n")
        return judged(row, page, outcome)


def kept_answers(rows, folder):
    """Judges the documents of an earlier run again."""
    for row in rows:
        path = folder / "pages" / f"{row['name']}.json"
        if not path.is_file():
            raise Refused(f"{path} is not there: run ci/bottlenecks --keep {folder} {row['name']}")
        document = json.loads(path.read_text())
        yield row["name"], judged(row, document["profile"], document["outcome"])
