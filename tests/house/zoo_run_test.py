"""ci/zoo over a small tree whose build and whose stepgate are scripts: what is built together, and what is said."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])

# The "program" is the text of all workloads. Each build is noted.
BUILD = """#!/usr/bin/env bash
cd "$(dirname "$0")/.."
if grep -rq BROKEN perftests; then exit 1; fi
mkdir -p build/release/bin
cat $(find perftests -name '*.cpp' | sort) >build/release/bin/perftests
cp stepgate build/release/bin/stepgate
cases='[{"name": "language/char_lm/tiny"}, {"name": "vision/digits_cnn/tiny"}]'
echo "{\\"cases\\": $cases}" >build/release/stepgate-manifest.json
echo built >>../builds
"""

# Red where the program has a line "slow" of the suite: its cause is work-added, at line 2 of the file. A line with
# "large" has another cause beside it.
STEPGATE = """#!/usr/bin/env python3
import json, pathlib, sys
words = sys.argv[1:]
if words[0] == "baseline": sys.exit(0)
case, out = words[1], pathlib.Path(words[words.index("--out") + 1])
build = words[words.index("--build" if "--build" in words else "--head-build") + 1]
if words[0] == "check":
    case, text = json.loads(pathlib.Path(words[1]).read_text())
    json.loads((pathlib.Path(build) / "stepgate-manifest.json").read_text())
else:
    text = (pathlib.Path(build) / "bin/perftests").read_text()
suite = case.split("/")[0]
red = f"slow {suite}" in text
file = {"language": "perftests/language/char_lm.cpp", "vision": "perftests/vision/digits_cnn.cpp"}[suite]
cause = {"code": "work-added", "severity": "cause", "message": "it is slow", "sources": [{"file": file, "line": 2}]}
also = [{**cause, "code": "peak-grew"}] if "large" in text else []
outcome = {"status": "regressed" if red else "pass", "findings": [cause, *also] if red else [],
           "metrics": [{"metric": "operators_per_step", "status": "regressed"}] if red else []}
folder = out / case / ("ab" if words[0] == "ab" else "exact")
folder.mkdir(parents=True, exist_ok=True)
(folder / "verdict.json").write_text(json.dumps({"outcomes": [] if f"silent {suite}" in text else [outcome]}))
(folder / "measurement.json").write_text(json.dumps([case, text]))
sys.exit(1 if red else 0)
"""

FILES = {"language": "perftests/language/char_lm.cpp", "vision": "perftests/vision/digits_cnn.cpp"}
CASES = {"language": "language/char_lm/tiny", "vision": "vision/digits_cnn/tiny"}


def patch(suite, text):
    """Adds a line after the first of the suite's file."""
    name = FILES[suite]
    return f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1,2 +1,3 @@\n first\n+{text}\n last\n"


class ZooRun(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.root = self.folder / "root"
        self.faults = []
        for suite, name in FILES.items():
            self.write(name, "first\nlast\n")
            self.write(f"perftests/{suite}/policy.json", "{}")
        self.write("ci/build", BUILD, 0o755)
        self.write("stepgate", STEPGATE, 0o755)

    def write(self, name, text, mode=0o644):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)
        (self.root / name).chmod(mode)

    def add(self, name, suite, text, counterpart="same", **fields):
        self.write(f"tests/zoo/patches/{name}.patch", patch(suite, text))
        self.write(f"tests/zoo/patches/{name}_unchanged.patch", patch(suite, counterpart))
        self.faults.append({"name": name, "case": CASES[suite], "cause": "work-added", "line": text,
                            "metrics": ["operators_per_step"], "tier": "exact", "class": "work",
                            "kernel_benchmark": "no: why", "compare_py": "yes: why", "golden_loss": "no: why",
                            **fields})

    def run_zoo(self, *options):
        self.write("tests/zoo/zoo.json", json.dumps({"faults": self.faults}))
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        subprocess.run(["git", "add", "-A"], cwd=self.root, check=True)
        return subprocess.run([sys.executable, SOURCE / "ci/zoo", "--root", self.root, *options],
                              capture_output=True, text=True)

    def gate_all(self, *options):
        self.results = self.folder / "results.json"
        done = self.run_zoo("--keep", self.folder / "copy", "--results", self.results, *options)
        self.answers = json.loads(self.results.read_text())["faults"]
        return done

    def builds(self):
        return len((self.folder / "copy/builds").read_text().splitlines())

    def test_faults_of_two_suites_share_a_build(self):
        self.add("a", "language", "slow language")
        self.add("b", "vision", "slow vision")
        done = self.gate_all()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.builds(), 3)  # unpatched, both faults, both counterparts
        for name in "ab":
            self.assertTrue(self.answers[name]["caught"] and self.answers[name]["line_right"], self.answers[name])
            self.assertEqual(self.answers[name]["counterpart"], "pass")
        self.assertIn("faults found 2 of 2 (100 %); causes right 2 of 2 (100 %)", done.stdout)

    def test_a_gate_without_a_verdict_is_a_failure_of_its_fault_alone(self):
        self.add("a", "language", "silent language")
        self.add("b", "vision", "slow vision")
        done = self.gate_all()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("no verdict", self.answers["a"]["problems"][0])
        self.assertTrue(self.answers["b"]["caught"])

    def test_a_kept_copy_loses_the_files_of_an_older_tree(self):
        self.add("a", "language", "slow language")
        self.write("perftests/vision/gone.cpp", "BROKEN\n")
        self.gate_all()
        (self.root / "perftests/vision/gone.cpp").unlink()
        done = self.gate_all()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_faults_of_one_suite_do_not_share_a_build(self):
        self.add("a", "language", "slow language")
        self.add("b", "language", "slow language, too")
        self.assertEqual(self.gate_all().returncode, 0)
        self.assertEqual(self.builds(), 1 + 2 + 2)  # both counterparts change the same place

    def test_a_fault_that_is_missed_is_said(self):
        self.add("a", "language", "slow as ever")
        done = self.gate_all()
        self.assertEqual(done.returncode, 1)
        self.assertIn("operators_per_step is not red; cause none, expected work-added", done.stdout)
        self.assertFalse(self.answers["a"]["caught"])

    def test_a_wrong_line_is_said(self):
        self.add("a", "language", "slow language")
        self.write("tests/zoo/patches/a.patch", patch("language", "slow\n+slow language").replace("+1,3", "+1,4"))
        self.assertIn("expected perftests/language/char_lm.cpp:3", self.gate_all().stdout)
        self.assertEqual((self.answers["a"]["cause_right"], self.answers["a"]["line_right"]), (True, False))

    def test_a_counterpart_with_an_effect_is_named_among_its_group(self):
        self.add("a", "language", "slow language", counterpart="slow language")
        self.add("b", "vision", "slow vision")
        done = self.gate_all()
        self.assertEqual(done.returncode, 1)
        self.assertEqual((self.answers["a"]["counterpart"], self.answers["b"]["counterpart"]), ("regressed", "pass"))

    def test_a_patch_that_does_not_compile_spares_the_others(self):
        self.add("a", "language", "BROKEN")
        self.add("b", "vision", "slow vision")
        done = self.gate_all()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.answers["a"]["problems"], ["does not build"])
        self.assertTrue(self.answers["b"]["caught"])

    def test_timed_faults_are_listed_and_run_on_request(self):
        self.add("a", "language", "slow language", tier="timed")
        done = self.gate_all()
        self.assertRegex(done.stdout, "a +not run")
        self.assertEqual(self.answers, {})
        self.gate_all("--timed")
        self.assertEqual(self.answers["a"]["tier"], "timed")

    def test_results_of_one_run_are_kept_by_the_next(self):
        self.add("a", "language", "slow language")
        self.add("b", "vision", "slow vision")
        self.gate_all("a")
        self.gate_all("b")
        self.assertEqual(sorted(self.answers), ["a", "b"])

    def test_unchanged_builds_are_gated_in_turns_and_reds_are_counted(self):
        self.add("a", "language", "slow language")
        self.add("b", "vision", "slow vision")
        done = self.gate_all("--unchanged", "4,1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.answers, {})
        self.assertEqual(self.unchanged(), {"exact": {"pass": 4}, "timed": {"pass": 1}})
        self.write("tests/zoo/patches/b_unchanged.patch", patch("vision", "slow vision"))
        self.assertEqual(self.gate_all("--unchanged", "3").returncode, 1)
        self.assertEqual(self.unchanged(), {"exact": {"pass": 2, "regressed": 1}, "timed": {"pass": 1}})
        page = self.folder / "zoo.md"
        self.run_zoo("--page", page, "--results", self.results)
        self.assertIn("| unchanged, exact | 1 red of 3 |", page.read_text())

    def unchanged(self):
        return json.loads(self.results.read_text())["unchanged"]

    def test_a_sample_is_the_same_each_time(self):
        for name in "abcdef":
            self.add(name, "language", f"slow language {name}")
        listed = [self.run_zoo("--list", "--sample", "3").stdout for _ in range(2)]
        self.assertEqual(listed, ["a\nc\ne\n"] * 2)

    def test_the_page_lists_what_was_missed_and_what_was_not_run(self):
        self.add("a", "language", "slow language")
        self.add("b", "vision", "slow as ever")
        self.add("c", "vision", "slow vision", tier="timed")
        self.gate_all()
        page = self.folder / "zoo.md"
        done = self.run_zoo("--page", page, "--results", self.results)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = page.read_text()
        self.assertIn("3 faults, 2 of them run", text)
        self.assertRegex(text, r"\| `a` \| work \| char_lm \| exact \| `work-added` \| yes \| green \| [0-9.]+ \|")
        self.assertRegex(text, r"\| `b` \| work \| digits_cnn \| \*\*nothing\*\* \| \*\*`none`, not `work-added`\*\* ")
        self.assertIn("| `c` | work | digits_cnn | not run |", text)
        self.assertIn("| faults found | 1 of 2 (50 %) |", text)
        self.assertIn("| **seen** | 0 of 3 | 3 of 3 | 0 of 3 |", text)


if __name__ == "__main__":
    unittest.main()
