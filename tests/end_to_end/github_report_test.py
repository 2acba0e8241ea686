"""`stepgate report` for GitHub: annotations, a summary that is appended as a whole or not at all, and no foreign commands."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
CASE = "language/char_lm/tiny"
LIMIT = 1024 * 1024
HOSTILE = "\n::add-mask::x\n##[error]y\n<script> |`@octocat"


def verdict(detail=HOSTILE):
    metric = {"metric": "operators_per_step", "status": "regressed", "reason": "not-equal", "detail": "", "gating": True,
              "scope": "portable", "baseline": 10, "current": 11, "change": 0.1, "limit": "+0"}
    outcome = {"group": "exact", "case": CASE, "status": "regressed", "reason": "not-equal", "detail": detail,
               "metrics": [metric], "findings": [{"code": "operator-added", "severity": "cause", "message": detail,
                                                  "advice": detail, "metric": ""}],
               "failures": [{"kind": "crashed", "message": detail, "output_tail": detail}],
               "commands": {"reproduce": "stepgate gate", "accept": ""}, "pending_path": "",
               "baseline": {"path": "", "summary": ""}, "fingerprint": {}, "seconds": 1,
               "background": [{"metric": "operators_per_step", "scope": "portable", "sessions": [], "now": [],
                               "baseline_path": "baselines/portable/a.json", "baseline_line": 30}],
               "inputs": {"program": "cbf29ce484222325"}}  # of an empty file
    return {"schema": {"name": "stepgate.verdict", "major": 1, "minor": 1}, "exit_status": 1, "status": "regressed",
            "utc": "2026-11-21T10:00:00Z", "commit": "abc", "runner_class": "local", "stepgate_version": "0.1.0",
            "expected_cases": [], "missing_cases": [], "outcomes": [outcome]}


class GithubReport(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="stepgate-github-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.summary = self.folder / "step_summary.md"
        manifest = {"schema": {"name": "stepgate.manifest", "major": 1, "minor": 0}, "build_type": "Release",
                    "policy_root": "policies", "baseline_root": "baselines",
                    "cases": [{"name": CASE, "suite": "language", "program": "none", "device": "cpu"}]}
        (self.folder / "stepgate-manifest.json").write_text(json.dumps(manifest))
        (self.folder / "none").touch()
        results = self.folder / "out" / CASE / "exact"
        results.mkdir(parents=True)
        (results / "verdict.json").write_text(json.dumps(verdict()))

    def report(self, *words, summary=True):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("STEPGATE_", "GITHUB_"))}
        if summary:
            environment["GITHUB_STEP_SUMMARY"] = str(self.summary)
        done = subprocess.run([str(BUILD / "bin" / "stepgate"), "report", "--build", ".", "--out", "out", *words],
                              cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return done

    def test_annotates_the_line_and_appends_to_the_summary(self):
        self.summary.write_text("of another step")
        lines = self.report("--github").stdout.splitlines()
        self.assertTrue([line for line in lines if line.startswith("::error file=baselines/portable/a.json,line=30,")])
        self.assertTrue(self.summary.read_text().startswith("of another step\n**1 regressed** · runner class"))

    def test_the_only_commands_are_the_annotations_of_stepgate(self):
        lines = self.report("--github").stdout.splitlines()
        word = re.fullmatch(r"::stop-commands::([0-9a-f]{32})", lines[0]).group(1)
        self.assertEqual(lines.count(f"::{word}::"), 1)
        after = lines[lines.index(f"::{word}::") + 1:]
        self.assertEqual([line[:8] for line in after], ["::error "])
        again = self.report("--github").stdout.splitlines()[0]
        self.assertNotEqual(lines[0], again, "a token that can be guessed does not protect")

    def test_with_json_stdout_is_only_json(self):
        done = self.report("--github", "--json")
        self.assertEqual(json.loads(done.stdout)["status"], "regressed")
        self.assertTrue(done.stderr.startswith("::error "))

    def test_a_summary_never_exceeds_the_limit(self):
        self.summary.write_text("x" * (LIMIT - 2500))
        self.report("--github")
        text = self.summary.read_text()
        self.assertLessEqual(len(text.encode()), LIMIT)
        self.assertIn("**1 regressed**", text)

    def test_a_full_summary_stays_unchanged(self):
        self.summary.write_text("x" * (LIMIT - 100))
        done = self.report("--github")
        self.assertEqual(self.summary.stat().st_size, LIMIT - 100)
        self.assertIn("the step summary is full", done.stderr)

    def test_without_the_flag_nothing_is_written_for_github(self):
        done = self.report()
        self.assertFalse(self.summary.exists())
        self.assertNotIn("::error ", done.stdout)
        self.assertNotIn("::stop-commands::", done.stdout)

    def test_a_missing_summary_file_is_reported(self):
        self.assertIn("GITHUB_STEP_SUMMARY is not set", self.report("--github", summary=False).stderr)

    def test_named_files_are_written(self):
        self.report("--markdown", "a/b/m.md", "--junit", "j.xml")
        self.assertEqual((self.folder / "a/b/m.md").read_text(), (self.folder / "out/summary.md").read_text())
        self.assertIn("<testsuites", (self.folder / "j.xml").read_text())


if __name__ == "__main__":
    unittest.main()
