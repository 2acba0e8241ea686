"""ci/bottlenecks over a small tree whose build and whose stepgate are scripts: what is built, profiled and compared."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])

# The "program" is the text of its sources.
BUILD = """#!/usr/bin/env bash
cd "$(dirname "$0")/.."
if grep -rq BROKEN perftests tests/end_to_end; then exit 1; fi
mkdir -p build/release/bin
cat perftests/language/char_lm.cpp >build/release/bin/perftests
case " $* " in *" foreign_forecast "*) cat tests/end_to_end/foreign_forecast.cpp >build/release/bin/foreign_forecast ;; esac
cp stepgate build/release/bin/stepgate
echo '{"cases": [{"name": "language/char_lm/tiny"}]}' >build/release/stepgate-manifest.json
"""

# A step takes 100, and 25 more for each line "slow". A profile of a program with "busy" stops the first time.
STEPGATE = """#!/usr/bin/env python3
import json, pathlib, sys
words = sys.argv[1:]
case, out = words[1], pathlib.Path(words[words.index("--out") + 1])

def step_of(option):
    folder = pathlib.Path(words[words.index(option) + 1])
    [row] = json.loads((folder / "stepgate-manifest.json").read_text())["cases"]
    assert row["name"] == case and row["suite"] == case.split("/")[0]
    assert (folder / "policies" / row["suite"] / "policy.json").is_file()
    text = pathlib.Path(row["program"]).read_text()
    return 100 + 25 * text.count("slow"), text

if words[0] == "profile":
    step, text = step_of("--build")
    folder = out / "profile" / case
    stopped = "the step is not steady" if "noisy" in text or ("busy" in text and not folder.exists()) else ""
    folder.mkdir(parents=True, exist_ok=True)
    gain = (step - 100) / step
    verdict = {"kind": "input", "proof": "proven", "worth": gain, "interval": [gain - 0.01, gain + 0.01], "says": ""}
    page = {"bottlenecks": [verdict], "experiments": [], "prove": words[words.index("--prove") + 1]}
    page.update({"stopped": stopped} if stopped else {})
    (folder / "profile.json").write_text(json.dumps(page))
    (folder / "profile.md").write_text("page")
    sys.exit(3 if stopped else 0)
base, head = step_of("--base-build")[0], step_of("--head-build")[0]
change = head / base - 1
decided = "improved" if "unsteady" not in step_of("--base-build")[1] else "inconclusive"
metric = {"metric": "step_time_ns", "status": decided, "change": change, "interval": {"lower": change - 0.01, "upper": change + 0.01}}
folder = out / case / "ab"
folder.mkdir(parents=True, exist_ok=True)
(folder / "verdict.json").write_text(json.dumps({"outcomes": [{"status": decided, "metrics": [metric]}]}))
if "crash" in step_of("--base-build")[1]: sys.exit(3)
sys.exit(0 if decided == "improved" else 4)
"""

LANGUAGE, FOREIGN = "perftests/language/char_lm.cpp", "tests/end_to_end/foreign_forecast.cpp"


def patch(name, text):
    """Adds a line after the first of the file."""
    return f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1,2 +1,3 @@\n first\n+{text}\n last\n"


class BottlenecksRun(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.root, self.kept = self.folder / "root", self.folder / "kept"
        self.rows = []
        for name in (LANGUAGE, FOREIGN):
            self.write(name, "first\nlast\n")
        self.write("perftests/language/policy.json", "{}")
        self.write("ci/build", BUILD, 0o755)
        self.write("stepgate", STEPGATE, 0o755)

    def write(self, name, text, mode=0o644):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)
        (self.root / name).chmod(mode)

    def add(self, name, text, file=LANGUAGE, mended=None, case="language/char_lm/tiny"):
        self.write(f"tests/zoo/bottlenecks/{name}.patch", patch(file, text))
        row = {"name": name, "case": case, "kind": "input", "planted": f"{name}.patch", "says": "it is slow"}
        if mended is not None:
            self.write(f"tests/zoo/bottlenecks/{name}_mended.patch", patch(file, mended))
            row["mended"] = f"{name}_mended.patch"
        self.rows.append(row)

    def run_all(self, *options):
        self.write("tests/zoo/bottlenecks.json", json.dumps({"bottlenecks": self.rows}))
        for words in (["init", "-q"], ["add", "-A"]):
            subprocess.run(["git", *words], cwd=self.root, check=True)
        return self.run_words("--keep", self.kept, "--results", self.folder / "results.json", *options)

    def run_words(self, *options):
        return subprocess.run([sys.executable, SOURCE / "ci/bottlenecks", "--root", self.root, *options],
                              capture_output=True, text=True)

    def answers(self):
        return json.loads((self.folder / "results.json").read_text())

    def test_the_unpatched_program_is_the_mended_one(self):
        self.add("one", "slow")
        done = self.run_all()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        answer = self.answers()["one"]
        self.assertAlmostEqual(answer["gain"], 0.2)
        self.assertTrue(answer["holds"] and answer["narrow"])
        self.assertEqual((self.kept / "stepgate" / LANGUAGE).read_text(), "first\nlast\n")

    def test_a_patch_of_its_own_makes_the_mended_program(self):
        self.add("one", "slow, slow, slow", mended="slow")
        self.run_all()
        self.assertAlmostEqual(self.answers()["one"]["gain"], 50 / 175)
        self.assertFalse(self.answers()["one"]["holds"])

    def test_a_foreign_program_has_a_manifest_and_a_policy(self):
        self.add("one", "slow", FOREIGN, case="foreign/forecast/loop")
        self.add("two", "slow, slow")
        done = self.run_all()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertAlmostEqual(self.answers()["one"]["gain"], 0.2)
        self.assertAlmostEqual(self.answers()["two"]["gain"], 1 / 3)

    def test_a_profile_narrows_what_it_proves(self):
        self.add("one", "slow")
        self.run_all()
        self.assertEqual(json.loads((self.kept / "pages/one.json").read_text())["profile"]["prove"], "all")

    def test_a_row_that_fails_leaves_the_others(self):
        self.add("broken", "BROKEN")
        self.add("noisy", "slow, noisy")
        self.add("busy", "slow, busy")
        self.add("open", "slow, unsteady")
        self.add("crashed", "slow, crash")
        done = self.run_all()
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not build", self.answers()["broken"]["problem"])
        self.assertIn("not steady", self.answers()["noisy"]["problem"])
        self.assertIn("step_time_ns is inconclusive", self.answers()["open"]["problem"])
        self.assertIn("exits 3", self.answers()["crashed"]["problem"])
        self.assertEqual(self.answers()["busy"]["problem"], "")
        self.assertIn("bottlenecks 5; right kind proven 2; interval holds the gain 1", done.stdout)
        self.assertIn("not measured 4", done.stdout)

    def test_kept_documents_are_judged_again(self):
        self.add("one", "slow")
        printed = self.run_all().stdout
        self.assertEqual(self.run_words("--judge", self.kept).stdout, printed)
        self.assertEqual((self.kept / "pages/one.md").read_text(), "page")


if __name__ == "__main__":
    unittest.main()
