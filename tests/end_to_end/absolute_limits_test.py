"""A floor, a budget and a target, each met, missed and undecided: exit status, console, Markdown, page and JUnit agree."""

import json
import os
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests" / "attack"))
from workplace import CASE, POLICY, PROGRAM, Workplace  # noqa: E402

# Wide: only the limits on the values themselves decide.
WITHOUT_LIMITS = {**POLICY, "margins": {"ignore": 5, "matter": 50}, "metric_margins": {}}
for limits in ("floors", "case_budgets", "targets", "gating_rates"):
    del WITHOUT_LIMITS[limits]
PACES = (0.97, 1.0, 1.03)  # of the three processes
SAMPLES_PER_S = 1550  # their mean is 1 496, and the interval ends at 1 612 (targets) and 1 688
STEP_TIME_NS = 5.7e6  # their mean is 5.90 ms
# The list in the policy, its key, the metric; values that are surely met and missed, and one that the mean misses and the interval
# does not; the exit status of each.
KINDS = [
    ("floors", "at_least", "samples_per_s", {"met": (100, 0), "undecided": (SAMPLES_PER_S, 4), "missed": (9000, 1)}),
    ("case_budgets", "at_most", "step_time_ns", {"met": (9e8, 0), "undecided": (STEP_TIME_NS, 4), "missed": (1e5, 1)}),
    ("targets", "value", "samples_per_s", {"met": (100, 0), "undecided": (SAMPLES_PER_S, 0), "not met": (9000, 0)}),
]
NAMES = {"floors": "floor", "case_budgets": "budget", "targets": "target"}


def scaled(value, pace):
    if isinstance(value, dict):
        return {key: scaled(one, pace) for key, one in value.items()}
    if isinstance(value, list):
        return [scaled(one, pace) for one in value]
    return int(value * pace) if isinstance(value, int) and value > 1000 else value


class AbsoluteLimits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="stepgate-absolute-")
        cls.addClassCleanup(folder.cleanup)
        cls.place = Workplace(pathlib.Path(folder.name).resolve())
        cls.place.lay_out()
        manifest = json.loads((cls.place.folder / "build/stepgate-manifest.json").read_text())
        manifest["cases"] = manifest["cases"][:1]
        cls.place.write("build/stepgate-manifest.json", manifest)
        cls.write_processes()
        cls.policy()
        for expected in (5, 0):
            for tier in ("exact", "timed"):
                done = cls.place.gate(tier)
                if done.status != expected:
                    raise RuntimeError(done.text)
            if expected == 5 and cls.place.accept().status != 0:
                raise RuntimeError("no baseline")

    @classmethod
    def write_processes(cls):
        """The three timed processes take unlike times, so that the interval has a width."""
        program = (PROGRAM % {"here": cls.place.folder / "build"}).replace("records/$group.json", "records/$group$replicate.json")
        cls.place.write("build/bin/train", program).chmod(0o755)
        cls.place.write("build/records/exact0.json", cls.place.record("exact"))
        for replicate, pace in enumerate(PACES):
            record = cls.place.record("timed")
            record["timed"] = scaled(record["timed"], pace)
            cls.place.write(f"build/records/timed{replicate}.json", record)

    @classmethod
    def policy(cls, **keys):
        cls.place.write("policies/toys/policy.json", {**WITHOUT_LIMITS, **keys})

    def page_rows(self):
        page = (self.place.folder / "p.html").read_text()
        return page[page.index('<section id="absolute-limits"'):].split("</section>")[0]

    def judged(self, expect):
        """What each report of the check says of limits: console, Markdown, page, and properties of JUnit."""
        self.assertEqual(self.place.run("check", "--build", "build").status, expect)
        done = self.place.run("report", "--build", "build", "--markdown", "m.md", "--junit", "j.xml", "--html", "p.html")
        self.assertEqual(done.status, expect, done.text)
        tree = xml.etree.ElementTree.parse(self.place.folder / "j.xml")
        properties = {one.get("name"): one.get("value") for one in tree.iter("property")}
        failures = [one.get("type") for one in tree.iter("failure")] + [one.get("type") for one in tree.iter("error")]
        return " ".join(done.stdout.decode().split()), (self.place.folder / "m.md").read_text(), properties, failures

    def test_every_report_has_the_same_answer(self):
        for limits, key, metric, values in KINDS:
            for answer, (value, status) in values.items():
                with self.subTest(limits, answer=answer):
                    self.policy(**{limits: [{"case": "toys/*", "metric": metric, key: value}]})
                    self.each_report_says(NAMES[limits], metric, answer, status)

    def each_report_says(self, name, metric, answer, status):
        console, markdown, properties, failures = self.judged(status)
        self.assertRegex(console, rf"{name}:? (samples at least|step time at most) [^:]*: {answer}, ")
        self.assertRegex(markdown, rf"<code>{CASE}</code> \(timed\): \**{name}\**: [^:]*: {answer}, ")
        self.assertRegex(self.page_rows(), rf"> ?{answer}<")
        self.assertEqual(properties[f"{name}.{metric}"], answer)
        self.assertEqual(len(failures), 0 if status == 0 else 1, failures)
        if status != 0:
            self.assertIn(f"exit status {status}", console)

    def test_an_old_policy_has_no_limits_and_no_line_of_them(self):
        self.policy()
        console, markdown, properties, _ = self.judged(0)
        self.assertNotIn("limits floor", console)
        self.assertNotIn("Floors, budgets and targets", markdown)
        self.assertNotIn('id="absolute-limits"', (self.place.folder / "p.html").read_text())
        self.assertEqual([name for name in properties if name.split(".")[0] in NAMES.values()], [])


if __name__ == "__main__":
    unittest.main()
