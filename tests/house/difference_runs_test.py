"""What ci/difference_runs counts as found and as named, and its exact intervals."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
PROGRAM = SOURCE / "ci/difference_runs"
NAME, LINES = "perftests/language/a.cpp", range(7, 9)


def loaded():
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(PROGRAM.parent))
    loader = importlib.machinery.SourceFileLoader("difference_runs", str(PROGRAM))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("difference_runs", loader))
    loader.exec_module(module)
    return module


study = loaded()


def row(line, difference_ns, file="language/a.cpp"):
    at = {"function": "f", "file": file, "line": line}
    return {"operator": "aten::exp", "at": at, "difference_ns": difference_ns}


def difference(*rows, pairs=8, alike=False):
    return study.Difference({"pairs": pairs, "alike": {"differs": alike}, "step_ns": 1e6, "rows": list(rows)})


class DifferenceRuns(unittest.TestCase):
    def test_the_patches_of_this_repository_apply(self):
        done = subprocess.run([sys.executable, PROGRAM, "--apply-only"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_slow_line_must_be_named_first(self):
        self.assertTrue(difference(row(8, 3e4), row(20, 1e4)).finds(NAME, LINES))
        self.assertFalse(difference(row(8, 1e4), row(20, 3e4)).finds(NAME, LINES))
        self.assertFalse(difference(row(8, 3e4, file="language/b.cpp")).finds(NAME, LINES))
        self.assertFalse(difference(row(9, 3e4)).finds(NAME, LINES))
        self.assertFalse(difference(row(8, -3e4)).finds(NAME, LINES))
        self.assertFalse(difference().finds(NAME, LINES))

    def test_a_row_without_place_is_another_line(self):
        self.assertFalse(difference({"operator": "aten::exp", "difference_ns": 3e4}).finds(NAME, LINES))

    def test_rows_of_less_than_a_share_of_the_step_are_not_named(self):
        self.assertFalse(difference(row(8, 1e3)).names_something())
        self.assertTrue(difference(row(8, -3e3)).names_something())
        self.assertTrue(difference(alike=True).names_something())

    def test_the_time_of_the_line_is_a_share_of_the_step(self):
        self.assertAlmostEqual(difference(row(7, 2e4), row(8, 1e4), row(20, 5e4)).share_at(NAME, LINES), 0.03)

    def test_few_pairs_are_no_run(self):
        self.assertTrue(difference(pairs=6).tested)
        self.assertFalse(difference(pairs=5).tested)

    def test_exact_intervals(self):
        """Of Clopper and Pearson: with no success of n the upper bound is 1 - 0.025^(1/n)."""
        self.assertAlmostEqual(study.exact_interval(0, 20)[1], 1 - 0.025**(1 / 20), places=9)
        self.assertAlmostEqual(study.exact_interval(20, 20)[0], 0.025**(1 / 20), places=9)
        self.assertEqual((study.exact_interval(0, 20)[0], study.exact_interval(20, 20)[1]), (0.0, 1.0))
        low, high = study.exact_interval(19, 20)
        self.assertAlmostEqual(1 - study.binomial_at_most(18, 20, low), 0.025, places=9)
        self.assertAlmostEqual(study.binomial_at_most(19, 20, high), 0.025, places=9)

    def test_nineteen_of_twenty_are_enough_and_eighteen_are_not(self):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertTrue(study.counted("found", 19, 20))
            self.assertFalse(study.counted("found", 18, 20))
            self.assertFalse(study.counted("found", 0, 0))
        self.assertIn("found: 19 of 20, 95 % [75, 100]\n", printed.getvalue())
        self.assertIn("18 of 20, 90 % [68, 99], fewer than 95 %", printed.getvalue())


if __name__ == "__main__":
    unittest.main()
