"""The required job is green only for a complete verdict of the right commit in which nothing is worse."""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"]) / "ci" / "workflows" / "require_green.py"
COMMIT = "4be1c0ffee12" + "0" * 28
GREEN = {"schema": {"name": "stepgate.verdict", "major": 1, "minor": 1}, "exit_status": 0, "status": "pass",
         "commit": COMMIT[:12], "missing_cases": [],
         "outcomes": [{"case": "a/b", "group": "exact", "status": "pass", "detail": ""},
                      {"case": "a/c", "group": "timed", "status": "skipped", "detail": "no GPU"},
                      {"case": "a/d", "group": "timed", "status": "improved", "detail": ""}]}


class RequireGreen(unittest.TestCase):
    def status(self, text, commit=COMMIT):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "verdict.json"
            if text is not None:
                file.write_text(text if isinstance(text, str) else json.dumps(text))
            done = subprocess.run([sys.executable, str(SCRIPT), str(file), "--commit", commit], capture_output=True,
                                  text=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.count("\n"), 1)
        return done.returncode

    def changed(self, **values):
        return {**copy.deepcopy(GREEN), **values}

    def test_green(self):
        self.assertEqual(self.status(GREEN), 0)

    def test_every_other_status_of_a_case(self):
        for status in ("regressed", "failed", "inconclusive", "no-baseline", "something new"):
            document = self.changed()
            document["outcomes"][1]["status"] = status  # even if somebody edited exit_status to 0
            self.assertEqual(self.status(document), 1, status)

    def test_nothing_measured(self):
        self.assertEqual(self.status(self.changed(outcomes=[])), 1)
        self.assertEqual(self.status(self.changed(outcomes=GREEN["outcomes"][1:2])), 1)
        self.assertEqual(self.status(self.changed(missing_cases=["a/e"])), 1)

    def test_contradicting_status_and_exit_status(self):
        self.assertEqual(self.status(self.changed(exit_status=77)), 1)
        self.assertEqual(self.status(self.changed(status="regressed")), 1)

    def test_another_commit(self):
        self.assertEqual(self.status(GREEN, "5" * 40), 1)
        for commit in ("", "4be1c0ffee12-dirty", "4"):
            self.assertEqual(self.status(self.changed(commit=commit)), 1, commit)

    def test_files_that_are_not_a_verdict(self):
        whole = json.dumps(GREEN)
        for text in (None, "", whole[:-20], "[]", "null", '{"outcomes": 3}', whole.replace("stepgate.verdict", "x"),
                     whole.replace('"major": 1', '"major": 2')):
            self.assertEqual(self.status(text), 1, text)

    def test_hostile_names_stay_in_one_line(self):
        document = self.changed()
        document["outcomes"][0].update(status="regressed", case="a\n::error::b\x1b[2J")
        self.assertEqual(self.status(document), 1)


if __name__ == "__main__":
    unittest.main()
