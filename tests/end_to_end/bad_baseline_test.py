"""A damaged or foreign baseline: exit status 5, a message with file, key and next command, and nothing is overwritten."""

import json
import unittest

from gate_runner import CASE, Workplace, metric


class BadBaseline(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Workplace()
        cls.place.gate("exact", expect=5)
        cls.measurement = (cls.place.out / CASE / "exact" / "measurement.json").read_bytes()
        cls.place.accept(expect=0)
        cls.file = cls.place.baselines / "portable" / f"{CASE}.json"
        cls.good = cls.file.read_text()

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def setUp(self):
        self.file.write_text(self.good)

    def check(self):
        """Judges the stored measurement again: every decision can be repeated from files."""
        return self.place.run("check", str(self.place.out / CASE / "exact" / "measurement.json"), "--tier", "exact")

    def damaged(self, text, *expected):
        self.file.write_text(text)
        done = self.check()
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertIn(f"portable/{CASE}.json", done.stderr)
        self.assertIn("next:", done.stderr)
        for part in expected:
            self.assertIn(part, done.stderr)
        self.assertEqual(self.file.read_text(), text, "a damaged baseline must not be changed")
        lint = self.place.run("baseline", "lint")
        self.assertEqual(lint.returncode, 5, lint.stdout)
        self.assertIn(f"{CASE}.json", lint.stdout)

    def test_a_good_baseline_passes_and_has_no_lint(self):
        self.assertEqual(self.check().returncode, 0)
        self.assertEqual(self.place.run("baseline", "lint").returncode, 0)

    def test_malformed(self):
        self.damaged(self.good.replace(":", ";", 1), "line")

    def test_truncated_at_any_place(self):
        for share in (0.05, 0.4, 0.8, 0.99):
            self.damaged(self.good[: int(len(self.good) * share)])

    def test_empty(self):
        self.damaged("")

    def test_wrong_schema(self):
        document = json.loads(self.good)
        document["schema"]["major"] = 99
        self.damaged(json.dumps(document), "schema")

    def test_not_finite(self):
        document = json.loads(self.good)
        document["numerics"]["loss"][3] = 12345.0
        self.damaged(json.dumps(document).replace("12345.0", "NaN"))
        self.damaged(json.dumps(document).replace("12345.0", "1e999"))

    def test_conflict_markers(self):
        half = len(self.good) // 2
        cut = self.good.index("\n", half) + 1
        self.damaged(self.good[:cut] + "<<<<<<< ours\n" + "=======\n" + ">>>>>>> theirs\n" + self.good[cut:], "conflict")

    def test_unknown_key(self):
        document = json.loads(self.good)
        document["exact"]["operators_per_stepp"] = document["exact"]["operators_per_step"]
        self.file.write_text(json.dumps(document))
        self.assertNotEqual(self.check().returncode, 0)

    def test_fingerprint_mismatch(self):
        document = json.loads(self.good)
        document["key"]["torch"] = "1.13.1"
        self.file.write_text(json.dumps(document))
        done = self.check()
        self.assertEqual(done.returncode, 5, done.stdout)
        for part in ("torch", "1.13.1", "2."):
            self.assertIn(part, done.stdout)
        self.assertEqual(metric(self.place.verdict("exact"), "operators_per_step")["reason"], "incompatible-baseline")

    def test_the_file_of_another_case(self):
        self.damaged(self.good.replace("char_lm/tiny", "char_lm/other"))

    def test_malformed_policy(self):
        policy = self.place.policies / "language" / "policy.json"
        good = policy.read_text()
        try:
            policy.write_text(good.replace('"schema"', '"loss_rtoll": 1, "schema"', 1))
            done = self.check()
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("policy.json", done.stderr)
            self.assertIn("loss_rtol", done.stderr)
        finally:
            policy.write_text(good)

    def test_truncated_measurement(self):
        bad = self.place.folder / "measurement.json"
        bad.write_bytes(self.measurement[: len(self.measurement) // 2])
        done = self.place.run("check", str(bad), "--tier", "exact")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("measurement.json", done.stderr)


class Accepting(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Workplace()
        cls.place.gate("exact", expect=5)
        cls.pending = cls.place.out / "pending" / "portable" / f"{CASE}.json"

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def test_refused_under_ci_and_the_pending_file_stays(self):
        done = self.place.run("baseline", "accept", "--reason", "x", env={"CI": "true"})
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("CI", done.stderr)
        self.assertTrue(self.pending.exists())
        self.assertFalse((self.place.baselines / "portable").exists())

    def test_refused_without_a_reason(self):
        done = self.place.run("baseline", "accept")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--reason", done.stderr)

    def test_dots_are_no_reason(self):
        done = self.place.run("baseline", "accept", "--reason", "...")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the reason says nothing", done.stderr)
        self.assertTrue(self.pending.exists())

    def test_the_other_half_stays_pending(self):
        done = self.place.run("baseline", "accept", "--tier", "timed", "--reason", "x")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no pending file of the timed half in", done.stderr)
        self.assertTrue(self.pending.exists())

    def test_refused_for_a_case_without_pending_file(self):
        done = self.place.run("baseline", "accept", "no/such/case", "--reason", "x")
        self.assertEqual(done.returncode, 2)
        self.assertIn("stepgate gate", done.stderr)

    def test_diff_shows_before_accept(self):
        done = self.place.run("baseline", "diff", expect=0)
        self.assertIn("operators", done.stdout)


class NewMetrics(unittest.TestCase):
    def setUp(self):
        self.place = Workplace()
        self.place.gate("exact", expect=5)
        self.place.accept(expect=0)
        self.file = self.place.baselines / "portable" / f"{CASE}.json"
        self.measurement = str(self.place.out / CASE / "exact" / "measurement.json")

    def tearDown(self):
        self.place.close()

    def accept_new(self):
        return self.place.accept("--new-metrics", "--tier", "exact")

    def check_against(self, **changes):
        """Judges the stored measurement by a baseline that never held copies to the device."""
        document = json.loads(self.file.read_text())
        del document["exact"]["h2d_copies_per_step"]
        document["where"]["counts_by_boundary"].pop("h2d_copies_per_step", None)
        document["exact"].update(changes)
        self.file.write_text(json.dumps(document))
        return self.place.run("check", self.measurement, "--tier", "exact").returncode

    def test_those_of_a_case_that_passes_are_accepted(self):
        self.assertEqual(self.check_against(), 0)
        done = self.accept_new()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("h2d_copies_per_step", json.loads(self.file.read_text())["exact"])

    def test_a_pending_file_of_another_run_is_not(self):
        self.assertEqual(self.check_against(), 0)
        pending = self.place.out / "pending" / "portable" / f"{CASE}.json"
        document = json.loads(pending.read_text())
        document["exact"]["operators_per_step"] = [count + 1 for count in document["exact"]["operators_per_step"]]
        pending.write_text(json.dumps(document))
        before = self.file.read_text()
        done = self.accept_new()
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("another run has replaced it", done.stderr)
        self.assertIn(f"stepgate gate {CASE}", done.stderr)
        self.assertEqual(self.file.read_text(), before)

    def test_those_of_a_red_case_are_not(self):
        operators = json.loads(self.file.read_text())["exact"]["operators_per_step"]
        self.assertEqual(self.check_against(operators_per_step=[count - 1 for count in operators]), 1)
        before = self.file.read_text()
        done = self.accept_new()
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("no stored verdict", done.stderr)
        self.assertEqual(self.file.read_text(), before)


if __name__ == "__main__":
    unittest.main()
