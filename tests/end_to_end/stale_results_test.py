"""A result counts only while it is of what is there now: a run that was killed, an edit and a new suite leave no older green.

The perftest program is a shell script. It can be told to wait, so that the launcher is killed while it measures.
"""

import fcntl
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests" / "attack"))
from workplace import CASE, STEPGATE, Workplace  # noqa: E402

RUN_LOCK = pathlib.Path("/tmp/stepgate-run.lock")
REQUIRE_GREEN = SOURCE / "ci" / "workflows" / "require_green.py"
COMMIT, LATER = "a" * 40, "b" * 40
GATE = ("gate", CASE, "--tier", "exact", "--exact-replicates", "1", "--build", "build", "--quiet")
AB = ("ab", CASE, "--tier", "exact", "--exact-replicates", "1", "--build", "build", "--base-build", "base", "--quiet")
WAITS = 'if [ -e "$here/hold" ]; then touch "$here/waiting"; sleep 60; fi\n'
PATIENCE_S = 20


class Stale(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="stepgate-stale-")
        self.addCleanup(folder.cleanup)
        self.place = Workplace(pathlib.Path(folder.name).resolve())
        self.place.lay_out()
        manifest = self.place.folder / "build/stepgate-manifest.json"
        document = json.loads(manifest.read_text())
        document["cases"] = document["cases"][:1]
        manifest.write_text(json.dumps(document))
        for build in ("build", "base"):
            program = self.place.folder / build / "bin/train"
            program.write_text(program.read_text().replace("replicate=0\n", WAITS + "replicate=0\n", 1))
        self.words(*GATE, expect=5)
        self.expect(self.place.accept(), 0)
        self.words(*GATE, expect=0)
        self.expect(self.report(), 0)

    def expect(self, outcome, status, *parts):
        self.assertEqual(outcome.status, status, outcome.text)
        for part in parts:
            self.assertIn(part, outcome.text)
        return outcome

    def words(self, *words, expect, commit=COMMIT):
        return self.expect(self.place.run(*words, environment={"STEPGATE_COMMIT": commit}, limit_s=PATIENCE_S), expect)

    def report(self, *words):
        return self.place.run("report", "--build", "build", *words, environment={"STEPGATE_COMMIT": COMMIT})

    def start(self, *words, commit=COMMIT):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.place.folder), "TMPDIR": str(self.place.folder / "tmp"),
                       "STEPGATE_STATE_DIR": str(self.place.folder / "state"), "STEPGATE_OUT": str(self.place.out),
                       "STEPGATE_COMMIT": commit}
        run = subprocess.Popen([str(STEPGATE), *words], cwd=self.place.folder, env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(self.end, run)
        return run

    def end(self, run):
        run.kill()
        run.wait()
        run.stderr.close()

    def until(self, holds):
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def stop_while_it_measures(self, number, *words, build="build", commit=COMMIT):
        hold, waiting = (self.place.folder / build / name for name in ("hold", "waiting"))
        waiting.unlink(missing_ok=True)
        hold.touch()
        run = self.start(*words, commit=commit)
        self.until(waiting.exists)
        run.send_signal(number)
        run.wait(PATIENCE_S)
        hold.unlink()
        self.assertEqual(run.returncode, -number if number == signal.SIGKILL else 128 + number)

    def required_check(self, folder=""):
        file = self.place.out / folder / "verdict.json"
        return subprocess.run([sys.executable, str(REQUIRE_GREEN), str(file), "--commit", COMMIT], capture_output=True,
                              text=True).returncode

    def files(self):
        return {file: file.read_bytes() for file in self.place.out.rglob("*") if file.is_file()}


class Judged(Stale):
    """The exact half has passed and the timed one was not measured."""

    def test_a_half_without_a_verdict_is_no_pass_and_the_last_lines_say_what_would_judge_it(self):
        lines = ("judged: 1 exact of 1, 0 timed of 1", "not judged: 1 timed (not measured)", "on a branch, this judges 1 of what was not:",
                 "gate --tier timed --base-build DIR")
        self.expect(self.report("--expect-all", "--judged", "last.txt"), 77, *lines)
        last = (self.place.folder / "last.txt").read_text()
        for line in lines:
            self.assertIn(line, last)
        self.assertIn(lines[-1], last.splitlines()[-1])
        self.expect(self.report("--judged", "last.txt"), 2, "add --expect-all")

    def test_a_case_that_gates_its_exact_half_alone_needs_no_other(self):
        manifest = self.place.folder / "build/stepgate-manifest.json"
        document = json.loads(manifest.read_text())
        document["cases"][0]["tiers"] = "exact"
        manifest.write_text(json.dumps(document))
        self.expect(self.report("--expect-all"), 0, "all that the expected case gates was judged",
                    "not gated: the times of 1 case (TIERS exact)")


class Killed(Stale):
    def test_a_run_that_did_not_end_is_no_pass(self):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                self.words(*GATE, expect=0)
                self.stop_while_it_measures(number, *GATE)
                self.expect(self.report(), 3, "has not ended; previous, of " + COMMIT, "1 not measured")
                self.assertEqual(self.required_check(), 1)
                self.assertFalse((self.place.out / CASE / "exact/junit.xml").exists(), "that of the older run")

    def test_nor_after_an_edit(self):
        self.place.edit()
        self.stop_while_it_measures(signal.SIGKILL, *GATE)
        self.expect(self.report(), 3, "previous, of " + COMMIT)
        self.words(*GATE, expect=1)
        self.expect(self.report(), 1)

    def test_nor_at_another_commit(self):
        self.stop_while_it_measures(signal.SIGKILL, *GATE, commit=LATER)
        self.expect(self.report(), 3, "previous, of " + COMMIT)

    def test_nor_in_a_new_suite(self):
        self.expect(self.report("--begin"), 0)
        self.stop_while_it_measures(signal.SIGKILL, *GATE)
        self.expect(self.report(), 3, "previous, of " + COMMIT)

    def test_nor_where_the_other_half_passed(self):
        self.words(*GATE[:3], "all", *GATE[4:], "--replicates", "3", expect=5)
        self.stop_while_it_measures(signal.SIGKILL, *GATE)
        self.expect(self.report(), 3, "has not ended")

    def test_pairs_that_did_not_end_are_no_pass(self):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                self.words(*AB, expect=0)
                self.assertEqual(self.required_check("ab"), 0)
                self.stop_while_it_measures(number, *AB)
                self.expect(self.report(), 3, "(ab) is not counted: the run that began")
                self.assertEqual(self.required_check("ab"), 1)
                self.words(*AB, expect=0)
                self.expect(self.report(), 0)

    def test_an_older_measurement_is_not_checked_after_an_edit(self):
        check = ("check", "--build", "build")
        self.words(*check, expect=0)
        self.place.edit()
        self.stop_while_it_measures(signal.SIGKILL, "run", *GATE[1:])
        self.expect(self.place.run(*check), 2, "its program changed since", "of the programs as they are now")


class Edited(Stale):
    def changes(self, file, why):
        before = file.read_bytes()
        file.write_bytes(before + b" ")
        self.expect(self.report(), 3, f"{CASE} (exact) is not counted: previous, of {COMMIT}", why)
        file.write_bytes(before)
        self.expect(self.report(), 0)

    def test_of_another_program_policy_or_baseline_is_no_pass(self):
        self.changes(self.place.folder / "build/bin/train", "its program changed since")
        self.changes(self.place.folder / "policies/toys/policy.json", "its policy changed since")
        self.changes(self.place.baseline, "its baseline changed since")

    def test_pairs_are_of_their_base_build(self):
        self.words(*AB, expect=0)
        base = self.place.folder / "base/bin/train"
        before = base.read_bytes()
        base.write_bytes(before + b" ")
        self.expect(self.report(), 0, f"{CASE} (ab) is not counted", "the base build changed since")
        base.unlink()
        self.assertNotIn("is not counted", self.expect(self.report(), 0).text, "a base build often lies in a temporary folder")


class Begun(Stale):
    def test_a_new_suite_leaves_no_answer_of_the_older_one(self):
        self.words(*AB, expect=0)
        self.expect(self.report(), 0)
        self.assertEqual(self.required_check(), 0)
        self.expect(self.report("--begin"), 0)
        for folder in ("", "ab"):
            self.assertEqual(self.required_check(folder), 1)
        self.assertEqual([file for name in ("junit.xml", "summary.md") for file in self.place.out.rglob(name)], [])
        self.expect(self.report(), 3, "previous, of " + COMMIT)

    def test_a_run_of_one_case_leaves_no_answer_of_the_suite(self):
        self.stop_while_it_measures(signal.SIGKILL, *GATE)
        self.assertEqual(self.required_check(), 1)

    def test_a_damaged_number_of_the_suite_counts_nothing(self):
        manifest = self.place.folder / "build/stepgate-manifest.json"
        whole = manifest.read_text()
        document = json.loads(whole)
        document["cases"][0]["name"] = "toys/other/tiny"
        manifest.write_text(json.dumps(document))
        self.expect(self.report("--begin"), 0)
        manifest.write_text(whole)
        self.expect(self.report(), 3, "it is of another suite run")
        for file in self.place.out.glob("suite*.txt"):
            file.write_text("garbage")
        self.expect(self.report(), 2, "suite.txt: damaged", "stepgate report --begin")


class NotBegun(Stale):
    def test_a_run_that_is_stopped_while_it_waits_loses_nothing(self):
        with RUN_LOCK.open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
                for words in (GATE, AB, ("run", *GATE[1:])):
                    with self.subTest(number=number, words=words):
                        before = self.files()
                        run = self.start(*words)
                        self.until(lambda run=run: RUN_LOCK in self.opened_by(run.pid))
                        time.sleep(0.2)
                        run.send_signal(number)
                        run.wait(PATIENCE_S)
                        self.assertEqual(run.returncode, -number if number == signal.SIGKILL else 128 + number)
                        self.assertEqual(self.files(), before)
        self.expect(self.report(), 0)

    def opened_by(self, pid):
        try:
            return {pathlib.Path(os.readlink(file)) for file in pathlib.Path(f"/proc/{pid}/fd").iterdir()}
        except OSError:
            return set()

    def test_a_run_that_is_refused_loses_nothing(self):
        before = self.files()
        self.place.baseline.write_text("{")
        self.words(*GATE, expect=5)
        self.assertEqual(self.files(), before)
        self.place.write("policies/toys/policy.json", "{")
        for words in (GATE, AB, ("check", "--build", "build")):
            self.words(*words, expect=2)
            self.assertEqual(self.files(), before)


if __name__ == "__main__":
    unittest.main()
