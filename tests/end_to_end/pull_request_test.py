"""A red of a real program in a pull request: the annotation is on the line of the code that changed."""

import os
import pathlib
import re
import unittest

from gate_runner import CASE, Workplace

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
FAULTY = "tests/end_to_end/faulty_char_lm.cpp"


class PullRequest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Workplace()
        cls.place.gate("exact", expect=5)
        cls.place.accept(expect=0)
        cls.summary = cls.place.folder / "step_summary.md"
        github = {"GITHUB_WORKSPACE": str(cls.place.folder), "GITHUB_STEP_SUMMARY": str(cls.summary)}
        cls.red = cls.place.gate("exact", fault="stray_item", words=["--github"], env=github, expect=1)

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def test_each_annotation_is_on_the_line_of_the_fault(self):
        found = re.findall(r"^::error file=([^,]+),line=(\d+),title=[^:]*%3A ([\w ]+) REGRESSED::", self.red.stdout, re.M)
        self.assertLessEqual({"operators", "host syncs"}, {metric for _, _, metric in found}, self.red.stdout)
        for file, line, _ in found:
            self.assertEqual(file, FAULTY)
            text = (SOURCE / file).read_text().splitlines()[int(line) - 1]
            self.assertIn("loss.item<float>()", text)

    def test_the_summary_names_the_cause_and_both_commands(self):
        text = self.summary.read_text()
        self.assertTrue(text.startswith("**1 regressed** · runner class <code>local</code> · baseline"), text[:200])
        self.assertRegex(text, r"\n- \*\*cause\*\* .*aten::&#95;local_scalar_dense")
        self.assertIn(f"gate {CASE} --tier exact", text)
        self.assertIn(f"baseline accept {CASE} --tier exact --reason", text)

    def test_the_same_summary_is_beside_the_verdict(self):
        beside = (self.place.out / CASE / "exact" / "summary.md").read_text()
        self.assertEqual(beside, self.summary.read_text())


if __name__ == "__main__":
    unittest.main()
