"""A branch that loosens limits, in a real repository: the gate beside a build of its merge base names each of them first."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests" / "attack"))
from workplace import BENCHMARK_CASE, CASE, POLICY, Workplace  # noqa: E402

HEADING = "Limits of this tree, against the base"


class LoosenedLimits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="stepgate-limits-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.place = Workplace(self.folder / "tree")
        self.place.lay_out()
        self.place.write(".gitignore", "/build/\n/base/\n/out/\n/state/\n/tmp/\n")
        self.assertEqual(self.place.gate().status, 5)
        self.assertEqual(self.place.accept().status, 0)
        self.git("init", "-q", "-b", "main")

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.place.folder, check=True,
                       capture_output=True)

    def branch(self, **policy):
        """Commits the tree with these keys in its policy, and makes the build of the base from a worktree of that commit."""
        self.policy(**policy)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "base")
        worktree = self.folder / "worktree"
        self.git("worktree", "add", "--detach", str(worktree))
        file = self.place.folder / "base/stepgate-manifest.json"
        manifest = json.loads(file.read_text())
        manifest.update(policy_root=str(worktree / "policies"), baseline_root=str(worktree / "baselines"))
        file.write_text(json.dumps(manifest))

    def policy(self, **keys):
        self.place.write("policies/toys/policy.json", {**POLICY, **keys})

    def edit_baseline(self):
        document = json.loads(self.place.baseline.read_text())
        counts = document["exact"]["operators_per_step"]
        document["exact"]["operators_per_step"] = [count + 100 for count in counts]
        self.place.baseline.write_text(json.dumps(document, indent=2))

    def gate(self, *words, expect=0):
        done = self.place.gate("exact", "--base-build", "base", *words)
        self.assertEqual(done.status, expect, done.text)
        return done.stdout.decode()

    def report(self, *words):
        return self.place.run("report", "--build", "build", *words).stdout.decode()

    def test_a_branch_that_changes_no_limit_is_told_nothing(self):
        self.branch()
        text = self.gate()
        self.assertNotIn(HEADING, text)
        self.assertNotIn("loosened", text)

    def test_what_is_loosened_stands_in_the_first_lines(self):
        self.branch()
        self.policy(margins={"ignore": 0.01, "matter": 999}, exact_tolerance={"operators_per_step": 1_000_000},
                    beta=0.01)
        self.edit_baseline()
        text = self.gate()
        self.assertIn(", 3 limits loosened", text.splitlines()[0])
        at = [text.index(line) for line in (
            HEADING, f"by hand    baseline portable/{CASE}.json", "loosened   policy toys: margins.matter 0.05 -> 999",
            "loosened   policy toys: exact_tolerance.operators_per_step 0 -> 1000000",
            "tightened  policy toys: beta 0.05 -> 0.01", "exit status 0")]
        self.assertEqual(at, sorted(at), text)
        summary = (self.place.out / CASE / "exact" / "summary.md").read_text()
        self.assertIn("3 limits loosened", summary.splitlines()[0])

    def test_a_case_that_is_gone_is_named_by_the_report_of_the_suite(self):
        self.branch()
        self.gate()
        file = self.place.folder / "build/stepgate-manifest.json"
        manifest = json.loads(file.read_text())
        manifest["cases"] = [case for case in manifest["cases"] if case["name"] != BENCHMARK_CASE]
        file.write_text(json.dumps(manifest))
        self.assertNotIn("removed", self.report())
        self.assertIn(f"removed    case {BENCHMARK_CASE}", self.report("--base-build", "base"))
        self.assertIn(f"removed    case {BENCHMARK_CASE}", self.report(), "a later report keeps it")

    def test_the_base_asks_for_consent_and_the_tree_cannot_give_it(self):
        self.branch(loosening="needs_consent")
        self.policy(loosening="shown", beta=0.4)
        text = self.gate(expect=1)
        self.assertIn("2 limits loosened without consent", text.splitlines()[0])
        self.assertIn("--allow-loosening NAME", text)
        document = json.loads((self.place.out / CASE / "exact" / "verdict.json").read_text())
        self.assertEqual((document["exit_status"], document["limits"]["lacks_consent"]), (1, True))
        self.assertIn("2 limits loosened, allowed by jane", self.gate("--allow-loosening", "jane").splitlines()[0])

    def test_a_base_that_cannot_be_read_is_named(self):
        self.branch()
        (self.folder / "worktree/policies/toys/policy.json").write_text("{")
        self.assertIn("not read", self.gate())


if __name__ == "__main__":
    unittest.main()
