"""What ci/advice_pays calls advice that pays."""

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
PROGRAM = SOURCE / "ci/advice_pays"


def loaded():
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(PROGRAM.parent))
    loader = importlib.machinery.SourceFileLoader("advice_pays", str(PROGRAM))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("advice_pays", loader))
    loader.exec_module(module)
    return module


study = loaded()


def gain(value, reach=0.01):
    return study.Gain(value, value - reach, value + reach, "proven")


def pays(*gains):
    with contextlib.redirect_stdout(io.StringIO()):
        return study.report(list(gains))


class AdvicePays(unittest.TestCase):
    def test_the_patch_applies(self):
        done = subprocess.run([sys.executable, PROGRAM, "--apply-only"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_build_must_gain_what_was_predicted(self):
        self.assertTrue(pays((gain(0.06), gain(0.05)), (gain(0.06), gain(0.07)), (gain(0.06), gain(0.2))))
        self.assertFalse(pays((gain(0.06), gain(0.2)), (gain(0.06), gain(0.05)), (gain(0.06), gain(0.2))))

    def test_a_loss_is_no_gain(self):
        self.assertFalse(pays((gain(0.001), gain(-0.001))))


if __name__ == "__main__":
    unittest.main()
