"""ci/zoo --records asks the causes of what was measured of each fault, and refuses those that its table does not allow."""

import json
import os
import subprocess
import unittest

import zoo_run_test


class ZooRecords(unittest.TestCase):
    """In the small tree of zoo_run_test."""
    small = zoo_run_test.ZooRun
    setUp, write, add, run_zoo, gate_all = small.setUp, small.write, small.add, small.run_zoo, small.gate_all

    def keep(self, *options):
        self.records = self.folder / "records"
        done = self.gate_all("--keep-records", self.records, *options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def ask(self, *pairs):
        rows = [{"fault": fault, "code": code, "reason": reason} for fault, code, reason in pairs]
        self.write("tests/zoo/causes.json", json.dumps({"pairs": rows}))
        return self.run_zoo("--records", self.records, "--stepgate", self.root / "stepgate")

    def test_a_record_is_asked_again_without_a_build(self):
        self.add("a", "language", "slow language")
        self.keep()
        built = (self.folder / "copy/builds").read_text()
        done = self.ask()
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("causes right 1 of 1 (100 %); lines right 1 of 1 (100 %)\ncauses outside of the table 0", done.stdout)
        self.assertNotIn("counterparts", done.stdout)
        self.assertEqual((self.folder / "copy/builds").read_text(), built)

    def test_a_cause_outside_of_the_table_is_a_failure(self):
        self.add("a", "language", "slow language large")
        self.keep()
        done = self.ask()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, "a +FAILED +cause peak-grew is not allowed")
        self.assertIn("causes outside of the table 1", done.stdout)
        self.assertEqual(self.ask(("a", "peak-grew", "it is larger")).returncode, 0)

    def test_the_table_is_of_faults_and_says_why(self):
        self.add("a", "language", "slow language")
        self.keep()
        for pair, problem in ((("b", "peak-grew", "why"), "there is no fault b"),
                              (("a", "peak-grew", ""), "its reason is missing"),
                              (("a", "work-added", "why"), "it is the expected cause")):
            done = self.ask(pair)
            self.assertEqual(done.returncode, 1)
            self.assertIn(problem, done.stderr)
        pair = ("a", "peak-grew", "why")
        self.assertIn("it is there twice", self.ask(pair, pair).stderr)

    def test_a_fault_without_a_record_is_named(self):
        self.add("a", "language", "slow language")
        self.keep()
        self.add("b", "vision", "slow vision")
        done = self.ask()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, "b +FAILED .* holds no record; ci/zoo b --keep-records")
        self.assertIn("causes right 1 of 2", done.stdout)  # a was asked

    def test_the_night_asks_the_records_of_a_run_that_failed(self):
        nightly = (zoo_run_test.SOURCE / "ci/nightly").read_text()
        begin = nightly.index("\nzoo() {")
        zoo = nightly[begin:nightly.index("\n}\n", begin) + 3]
        self.write("ci/zoo", '#!/bin/sh\necho "$1" >>log\n[ "$1" != "$FAILS" ]\n', 0o755)
        for fails, status in (("", 0), ("--keep-records", 1), ("--records", 1)):
            (self.root / "log").unlink(missing_ok=True)
            done = subprocess.run(["bash", "-c", f"set -euo pipefail; stepgate_root=. stepgate_build=build\n{zoo}zoo || exit 1"],
                                  cwd=self.root, env={**os.environ, "FAILS": fails})
            self.assertEqual(done.returncode, status, fails)
            self.assertEqual((self.root / "log").read_text(), "--keep-records\n--records\n")

    def test_a_timed_fault_keeps_its_verdict(self):
        self.add("a", "language", "slow language", tier="timed")
        self.keep()
        self.assertIn("causes right 0 of 0", self.ask().stdout)  # only times show it: it was not run
        self.keep("--timed")
        self.assertEqual([file.name for file in (self.records / "a").iterdir()], ["verdict.json"])
        self.assertIn("causes right 1 of 1 (100 %)", self.ask().stdout)


if __name__ == "__main__":
    unittest.main()
