"""The faults of tests/zoo apply to the workloads, and ci/zoo refuses what is wrong with one."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/zoo"))

from groups import groups_of_counterparts, groups_of_faults  # noqa: E402


def check(root):
    return subprocess.run([sys.executable, SOURCE / "ci/zoo", "--apply-only", "--root", root],
                          capture_output=True, text=True)


def changed(before, after):
    """A patch of the one line of a workload."""
    name = "perftests/a.cpp"
    return f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-{before}\n+{after}\n"


class Zoo(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("perftests/a.cpp", "old();\n")
        self.fault = {"name": "fault", "case": "a/b/c", "cause": "operator-added", "line": "new()", "metrics": [],
                      "tier": "exact", "class": "work", "kernel_benchmark": "no: why", "compare_py": "yes: why",
                      "golden_loss": "no: why"}
        self.write("tests/zoo/patches/fault.patch", changed("old();", "new();"))
        self.write("tests/zoo/patches/fault_unchanged.patch", changed("old();", "(old)();"))

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def check(self, **fields):
        self.write("tests/zoo/zoo.json", json.dumps({"faults": [{**self.fault, **fields}]}))
        return check(self.root)

    def refusal(self, **fields):
        done = self.check(**fields)
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr

    def test_the_faults_of_the_project_apply(self):
        done = check(SOURCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_a_good_fault_passes_and_leaves_the_tree_alone(self):
        self.assertEqual(self.check().returncode, 0)
        self.assertEqual((self.root / "perftests/a.cpp").read_text(), "old();\n")

    def test_the_marked_line_must_be_the_patch_s_own(self):
        self.assertIn("fault.patch adds no line with 'old()'", self.refusal(line="old()"))

    def test_a_fault_says_its_line_or_why_it_has_none(self):
        self.assertIn("give either line or no_line", self.refusal(no_line="it has two"))

    def test_tier_and_class_are_of_a_list(self):
        self.assertIn("tier slow is none of exact, numeric, timed", self.refusal(tier="slow"))
        self.assertIn("class odd is none of sync, copy", self.refusal(**{"class": "odd"}))

    def test_what_another_tool_sees_is_said_with_a_reason(self):
        self.assertIn("golden_loss must begin with 'yes: ' or 'no: '", self.refusal(golden_loss="yes"))
        del self.fault["compare_py"]
        self.assertIn("compare_py is missing", self.refusal())

    def test_a_patch_that_does_not_apply_is_named(self):
        self.write("tests/zoo/patches/fault_unchanged.patch", changed("older();", "new();"))
        self.assertIn("fault_unchanged.patch does not apply", self.refusal())

    def test_each_patch_has_a_row_and_a_counterpart(self):
        self.write("tests/zoo/patches/other.patch", changed("old();", "new();"))
        self.assertIn("differ: other", self.refusal())


class Page(unittest.TestCase):
    """docs/design/causes.md says how many builds a run takes."""

    def test_it_has_the_numbers_of_today(self):
        faults = json.loads((SOURCE / "tests/zoo/zoo.json").read_text())["faults"]
        without_times = [row for row in faults if row["tier"] != "timed"]
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder) / "tree"
            shutil.copytree(SOURCE / "perftests", tree / "perftests")
            counterparts = groups_of_counterparts(SOURCE, without_times, tree)
        builds = len(groups_of_faults(SOURCE, without_times))
        self.assertIn(f"{len(without_times)} of {len(faults)}, in {builds} builds, and their counterparts in {len(counterparts)} |",
                      (SOURCE / "docs/design/causes.md").read_text())


if __name__ == "__main__":
    unittest.main()
