"""Two measurements without baseline: counts and losses decide; times are shown but only pairs decide them."""

import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from gate_runner import CASE, STEPGATE, Workplace, causes, metric

QUICK = ["--replicates", "3", "--steps", "e2e=40,window=10,phase=10,loader=20,h2d=2,logging=40,synthetic=20"]


class Compare(unittest.TestCase):
    """Measures once; each test compares copies, in a folder without a build."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-compare-"))
        cls.place = Workplace()
        cls.policies = ["--policy-dir", str(cls.place.policies)]
        cls.measure("before", "exact")
        cls.measure("before", "timed")
        cls.measure("same", "exact")
        cls.measure("same", "timed")
        cls.measure("more_work", "exact", fault="extra_operator")

    @classmethod
    def tearDownClass(cls):
        cls.place.close()
        shutil.rmtree(cls.folder, ignore_errors=True)

    @classmethod
    def measure(cls, name, tier, fault="none"):
        cls.place.run("run", CASE, "--tier", tier, *(QUICK if tier == "timed" else []), fault=fault, expect=0)
        target = cls.folder / name / CASE / tier
        target.mkdir(parents=True)
        shutil.copy(cls.place.out / CASE / tier / "measurement.json", target)

    def file(self, name, tier):
        return str(self.folder / name / CASE / tier / "measurement.json")

    def compare(self, *words, expect=None):
        done = subprocess.run([str(STEPGATE), "compare", *words, *(self.policies if words else [])], capture_output=True, text=True, cwd=self.folder,
                              timeout=60, env={"NO_COLOR": "1", "PATH": "/usr/bin:/bin"}, stdin=subprocess.DEVNULL)
        if expect is not None:
            self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def outcome(self, *words, expect):
        return json.loads(self.compare(*words, "--json", expect=expect).stdout)["outcomes"][0]

    def test_the_same_work_passes_and_nothing_is_written(self):
        before = sorted(self.folder.rglob("*"))
        done = self.compare(self.file("before", "exact"), self.file("same", "exact"), expect=0)
        self.assertTrue(done.stdout.startswith("1 pass"), done.stdout)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def test_more_work_is_red_and_explained(self):
        outcome = self.outcome(self.file("before", "exact"), self.file("more_work", "exact"), expect=1)
        self.assertEqual(outcome["status"], "regressed")
        self.assertEqual(outcome["group"], "compare-exact")
        self.assertEqual(metric(outcome, "operators_per_step")["status"], "regressed")
        self.assertRegex(causes(outcome), r"forward")
        self.assertIn(" compare ", outcome["commands"]["reproduce"])
        self.assertIn("measured 20", outcome["baseline"]["summary"])

    def test_less_work_is_an_improvement(self):
        outcome = self.outcome(self.file("more_work", "exact"), self.file("before", "exact"), expect=0)
        self.assertEqual(outcome["status"], "improved")

    def test_times_are_shown_as_a_ratio_and_not_decided(self):
        outcome = self.outcome(self.file("before", "timed"), self.file("same", "timed"), expect=4)
        self.assertEqual(outcome["group"], "compare-timed")
        step = metric(outcome, "step_time_ns")
        self.assertEqual(step["reason"], "no-pairs")
        self.assertRegex(step["detail"], r"\d times the first; a decision needs pairs")
        self.assertIn("stepgate ab", causes(outcome))

    def test_a_base_without_clean_processes_is_inconclusive(self):
        def discard(document):
            for replicate in document["replicates"]:
                replicate["taint_reasons"] = ["steal_fraction 0.5 > 0.02"]
        done = self.compare(self.edited("timed", discard), self.file("before", "timed"), expect=4)
        self.assertRegex(" ".join(done.stdout.split()), r"the first measurement has no clean timed process; \d+ discarded")

    def test_grown_bytes_are_inconclusive_with_few_processes_and_red_with_six(self):
        def grow(document):
            for replicate in document["replicates"]:
                replicate["record"]["memory"]["peak_allocated_bytes"] += 1 << 20
        grown = self.edited("exact", grow)
        done = self.compare(self.file("before", "exact"), grown, expect=4)
        self.assertIn("2 and 2 processes may agree by chance", " ".join(done.stdout.split()))
        self.assertIn("--exact-replicates 6", done.stdout)
        def six(document):
            document["replicates"] = (document["replicates"] * 3)[:6]
        grown_six = self.edited("exact", lambda document: (grow(document), six(document)), "grown")
        outcome = self.outcome(self.edited("exact", six, "six"), grown_six, expect=1)
        self.assertEqual(metric(outcome, "peak_allocated_bytes")["reason"], "above-limit")

    def test_folders_compare_their_common_cases(self):
        done = self.compare(str(self.folder / "before"), str(self.folder / "more_work"), expect=1)
        self.assertIn(f"{CASE}/timed is only in", done.stderr)
        self.assertIn("1 regressed", done.stdout)

    def test_folders_with_both_halves_give_both_or_the_selected_one(self):
        both = [str(self.folder / "before"), str(self.folder / "same")]
        self.assertEqual(len(json.loads(self.compare(*both, "--json").stdout)["outcomes"]), 2)
        exact = json.loads(self.compare(*both, "--tier", "exact", "--json", expect=0).stdout)["outcomes"]
        self.assertEqual([outcome["group"] for outcome in exact], ["compare-exact"])
        self.assertIn("no case matches", self.refused(*both, "--filter", "vision/*"))

    def test_a_half_that_only_one_file_has_is_reported(self):
        def add_timed(document):
            document["replicates"] += json.loads(pathlib.Path(self.file("same", "timed")).read_text())["replicates"]
        done = self.compare(self.edited("exact", add_timed), self.file("before", "exact"), expect=0)
        self.assertIn(f"the timed half of {CASE} is only in", done.stderr)

    def test_without_policies_the_report_names_the_default_limits(self):
        words = [self.file("before", "exact"), self.file("same", "exact")]
        self.assertNotIn("default limits", self.compare(*words).stderr)
        done = subprocess.run([str(STEPGATE), "compare", *words], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no policy of suite language was found: the default limits hold", done.stderr)

    def test_a_measurement_under_other_conditions_is_incompatible(self):
        other = self.edited("timed", lambda document: self.set_fact(document, "torch", "1.0.0"))
        done = self.compare(self.file("before", "timed"), other, expect=5)
        self.assertIn("torch", done.stdout)

    def test_a_base_that_failed_has_no_verdict(self):
        def crash(document):
            replicate = document["replicates"][0]
            replicate.pop("record")
            replicate["failure"] = {"kind": "crashed", "message": "killed by signal 11", "output_tail": ""}
        broken = self.edited("exact", crash)
        done = self.compare(broken, self.file("before", "exact"), expect=3)
        self.assertIn("killed by signal 11", done.stdout)
        self.assertIn("edited", done.stdout)

    def edited(self, tier, change, name="edited"):
        document = json.loads(pathlib.Path(self.file("same", tier)).read_text())
        change(document)
        file = self.place.folder / f"{name}-{self.id().split('.')[-1]}.json"
        file.write_text(json.dumps(document))
        return str(file)

    @staticmethod
    def set_fact(document, name, value):
        for replicate in document["replicates"]:
            replicate["record"]["fingerprint"][name] = value

    def refused(self, *words, expect=2):
        done = self.compare(*words, expect=expect)
        self.assertIn("next:", done.stderr)
        self.assertNotIn("should not happen", done.stderr)
        return done.stderr

    def test_incomparable_files_are_refused(self):
        before = self.file("before", "exact")
        self.assertIn("found 1", self.refused(before))
        self.assertIn("found 0", self.refused())
        self.assertIn("is given twice", self.refused(before, before))
        self.assertIn("'/nowhere' does not exist", self.refused(before, "/nowhere"))
        self.assertIn("one is a folder", self.refused(before, str(self.folder / "same")))
        self.assertIn("nothing in common", self.refused(before, self.file("same", "timed")))
        self.assertIn("in the timed half", self.refused(before, self.file("same", "exact"), "--tier", "timed"))
        self.assertIn("--replicates", self.refused(before, self.file("same", "exact"), "--replicates", "3"))
        empty = self.place.folder / "empty"
        empty.mkdir()
        self.assertIn("nothing in common", self.refused(str(self.folder / "before"), str(empty)))
        other = self.edited("exact", lambda document: document.update({"case": "vision/other/tiny"}))
        self.assertIn("vision/other/tiny", self.refused(before, other))
        gpu = self.edited("exact", lambda document: document["plan"].update({"device": "cuda"}))
        self.assertIn("is of cpu", self.refused(before, gpu))

    def test_a_damaged_file_is_named(self):
        damaged = self.place.folder / "damaged.json"
        damaged.write_text(pathlib.Path(self.file("same", "exact")).read_text()[:-200])
        self.assertIn("damaged.json", self.refused(self.file("before", "exact"), str(damaged), expect=3))


if __name__ == "__main__":
    unittest.main()
