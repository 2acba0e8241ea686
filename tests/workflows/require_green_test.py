"""The required job is green only for a complete verdict of the right commit in which nothing is worse."""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
SCRIPT = SOURCE / "ci" / "workflows" / "require_green.py"
HOSTILE = [one["text"] for one in json.loads((SOURCE / "tests" / "attack" / "hostile_texts.json").read_text())["texts"]]
COMMIT = "4be1c0ffee12" + "0" * 28
GREEN = {"schema": {"name": "stepgate.verdict", "major": 1, "minor": 1}, "exit_status": 0, "status": "pass",
         "commit": COMMIT, "missing_cases": [],
         "outcomes": [{"case": "a/b", "group": "exact", "status": "pass", "detail": ""},
                      {"case": "a/c", "group": "timed", "status": "skipped", "detail": "no GPU"},
                      {"case": "a/d", "group": "timed", "status": "improved", "detail": ""}]}


class RequireGreen(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def answer(self, text, commit=COMMIT, inside="results"):
        file = self.folder / inside / "verdict.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        if text is not None:
            file.write_text(text if isinstance(text, str) else json.dumps(text))
        done = subprocess.run([sys.executable, str(SCRIPT), str(file), "--commit", commit], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.count("\n"), 1)
        return done

    def status(self, text, commit=COMMIT):
        return self.answer(text, commit).returncode

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
        for commit in ("", COMMIT + "-dirty", "4", COMMIT[:12], COMMIT[:39], COMMIT.upper()):
            self.assertEqual(self.status(self.changed(commit=commit)), 1, commit)

    def test_a_short_commit_is_never_enough(self):
        for commit in ("", COMMIT[:7], COMMIT[:12], COMMIT[:39], COMMIT + "0"):
            done = self.answer(self.changed(commit=commit), commit)
            self.assertEqual(done.returncode, 1, commit)
            self.assertIn("not the full id", done.stdout)
        self.assertEqual(self.status(self.changed(commit=COMMIT + "0" * 24), COMMIT + "0" * 24), 0)

    def test_a_file_of_the_checkout_is_never_green(self):
        for mark in (".git", "clone/.git"):
            (self.folder / mark).mkdir(parents=True)
            done = self.answer(GREEN, inside="clone/results")
            self.assertEqual(done.returncode, 1)
            self.assertIn("lies in the checkout", done.stdout)
        elsewhere = tempfile.TemporaryDirectory()
        self.addCleanup(elsewhere.cleanup)
        link = pathlib.Path(elsewhere.name) / "results"
        link.symlink_to(self.folder / "clone" / "results")
        self.folder = pathlib.Path(elsewhere.name)
        self.assertIn("lies in the checkout", self.answer(GREEN).stdout)

    def test_files_that_are_not_a_verdict(self):
        whole = json.dumps(GREEN)
        for text in (None, "", whole[:-20], "[]", "null", '{"outcomes": 3}', whole.replace("stepgate.verdict", "x"),
                     whole.replace('"major": 1', '"major": 2'), "[" * 100_000 + "]" * 100_000,
                     whole.replace('"a/b"', '"' + "x" * 1_000_000 + '"').replace('"pass"', '"failed"')):
            done = self.answer(text)
            self.assertEqual(done.returncode, 1, text)
            self.assertLess(len(done.stdout), 2100)

    def test_a_pipe_in_place_of_the_file(self):
        (self.folder / "results").mkdir()
        os.mkfifo(self.folder / "results" / "verdict.json")
        done = subprocess.run([sys.executable, str(SCRIPT), str(self.folder / "results" / "verdict.json"), "--commit", COMMIT],
                              capture_output=True, text=True, timeout=30)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not a file", done.stdout)

    def test_hostile_names_stay_in_one_line_that_is_no_command(self):
        for text in HOSTILE:
            for outcome in ({"case": text}, {"detail": text}, {"status": text or "x"}):
                document = self.changed()
                document["outcomes"][0].update(status="regressed")
                document["outcomes"][0].update(outcome)
                done = self.answer(document)
                self.assertEqual(done.returncode, 1)
                self.assertNotRegex(done.stdout, r"^\s*::|##\w*\[|[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


if __name__ == "__main__":
    unittest.main()
