"""ci/profiled_faults refuses what is wrong with a row, and judges a page by what it says of the fault."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
PROGRAM = SOURCE / "ci/profiled_faults"
PATCH = ("diff --git a/perftests/a.cpp b/perftests/a.cpp\n--- a/perftests/a.cpp\n+++ b/perftests/a.cpp\n"
         "@@ -1 +1 @@\n-old();\n+slow();\n")


def run(*words):
    return subprocess.run([sys.executable, PROGRAM, *map(str, words)], capture_output=True, text=True)


def operator(name, line, calls=1):
    return {"site": {"boundary": "forward", "name": name, "calls": calls}, "self_ns": 2e5, "roof_ns": 0,
            "efficiency": 0, "at": {"function": "f", "file": "perftests/a.cpp", "line": line}}


class ProfiledFaults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("perftests/a.cpp", "old();\n")
        self.write("tests/zoo/profiles/slow.patch", PATCH)
        self.row = {"name": "slow", "case": "a/b/c", "patch": "profiles/slow.patch", "operator": "aten::mm",
                    "line": "slow()", "not_proven": ["input"]}
        self.page = {"step": {"median_ns": 4e6, "mean_ns": 4e6}, "observer_overhead": 0.1, "advice": [],
                     "checklist": [], "operators": [operator("aten::mm", 1, calls=2)],
                     "bottlenecks": [{"kind": "input", "proof": "undecided", "worth": 0.1, "says": ""},
                                     {"kind": "launch", "proof": "likely", "worth": 0.1, "says": ""}]}

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def judge(self, *words, page={}, **fields):
        self.write("tests/zoo/profiles.json", json.dumps({"profiles": [{**self.row, **fields}]}))
        self.write("kept/pages/slow.json", json.dumps({**self.page, **page}))
        return run("--root", self.root, "--judge", self.root / "kept", *words)

    def assert_failed(self, done, words):
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(words, done.stdout + done.stderr)

    def test_those_of_this_repository_apply(self):
        done = run("--apply-only")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_operator_at_the_line_is_found(self):
        done = self.judge(calls=2)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("aten::mm at a.cpp:1, 2 a step; the line takes 5.0 %", done.stdout)

    def test_another_line_operator_or_number_of_calls_fails(self):
        self.assert_failed(self.judge(page={"operators": [operator("aten::mm", 2)]}), "0 rows, expected 1")
        self.assert_failed(self.judge(page={"operators": [operator("aten::add", 1)]}), "0 rows, expected 1")
        self.assert_failed(self.judge(calls=3), "2 calls a step in 1 rows, expected 3")

    def test_a_proven_kind_that_does_not_limit_the_step_fails(self):
        proven = [{"kind": "input", "proof": "proven", "worth": 0.1, "says": ""}]
        self.assert_failed(self.judge(page={"bottlenecks": proven}), "input is proven")

    def test_a_kind_that_wins_nothing_must_be_refuted(self):
        refuted = [{"kind": "input", "proof": "refuted", "worth": 0.001, "says": ""}]
        self.assertEqual(self.judge(page={"bottlenecks": refuted}, refuted=["input"]).returncode, 0)
        self.assert_failed(self.judge(refuted=["input"]), "input is undecided, expected refuted")
        self.assert_failed(self.judge(refuted=["logging"]), "logging is absent, expected refuted")

    def test_a_kind_needs_one_of_its_words(self):
        self.assertEqual(self.judge(kind="launch", words=["likely"]).returncode, 0)
        self.assert_failed(self.judge(kind="launch", words=["proven"]), "launch is likely, expected proven")
        self.assert_failed(self.judge(kind="compute", words=["proven"]), "compute is absent")

    def test_advice_and_checklist_must_name_the_fault(self):
        self.assert_failed(self.judge(advice="work in float64"), "no advice says 'work in float64'")
        held = {"list": "smoke", "id": "held-graphs", "asks": "", "answer": "ok", "evidence": "0"}
        self.assert_failed(self.judge(page={"checklist": [held]}, checklist={"smoke/held-graphs": ["warning"]}),
                           "smoke/held-graphs is ok, expected warning")

    def test_a_profile_that_stopped_fails(self):
        self.assert_failed(self.judge(page={"stopped": "not steady"}), "stopped: not steady")

    def test_a_table_takes_the_place_of_the_old_one(self):
        page = self.root / "page.md"
        for _ in range(2):
            self.judge("--page", page)
            page.write_text(page.read_text() + ("" if "after" in page.read_text() else "\nafter\n"))
        text = page.read_text()
        self.assertEqual(text.count("| `slow` |"), 1)
        self.assertTrue(text.endswith("\nafter\n"))

    def test_a_row_that_expects_nothing_or_has_no_patch_is_refused(self):
        self.assert_failed(self.judge(words=["proven"]), "kind with words")
        self.assert_failed(self.judge(patch="patches/other.patch"), "differ: slow.patch")
        self.assert_failed(self.judge(color="red"), "there is no field color")


if __name__ == "__main__":
    unittest.main()
