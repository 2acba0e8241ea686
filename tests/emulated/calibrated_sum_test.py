"""The sum of kernels on an emulated H200, by a table from a trace of a real one, is what that GPU launched.

Both the traces (tests/emulator/fidelity/traces) and the counts (baselines/h200) were recorded on one H200 with CUDA 13.
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import unittest

from emulated_program import skip_without_emulation

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("STEPGATE_TEST_BUILD") or SOURCE / "build/release")
TRACES = SOURCE / "tests/emulator/fidelity/traces"
NO_BASELINE = 5


def stepgate(*words, expect):
    done = subprocess.run([BUILD / "bin/stepgate", *map(str, words)], cwd=BUILD, capture_output=True, text=True)
    if done.returncode != expect:
        raise AssertionError(f"{words}: status {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def calibrated(suite, name, folder):
    """(kernels, memsets of libraries) of a step, as the gate says them."""
    table, case = folder / f"{name}.json", f"{suite}/{name}/gpu_small"
    stepgate("doctor", "--device", "--calibration", table, "--trace", TRACES / f"h200_{name}.json.gz", expect=0)
    stepgate("gate", case, "--device", "emulated:h200", "--calibration", table, "--out", folder / "out",
             "--baseline-dir", folder / "baselines", "--quiet", expect=NO_BASELINE)
    verdict = json.loads((folder / "out" / case / "exact/verdict.json").read_text())
    says = next(one["message"] for one in verdict["outcomes"][0]["findings"] if one["code"] == "sum-calibrated")
    found = re.search(r"([\d. ]+) a step there, beside ([\d. ]+) memsets", says)
    own = next(one["current"] for one in verdict["outcomes"][0]["metrics"] if one["metric"] == "memsets_per_step")
    return float(found.group(1).replace(" ", "")), own + float(found.group(2).replace(" ", ""))


class CalibratedSum(unittest.TestCase):
    def test_it_is_what_the_real_gpu_launched(self):
        for suite, name in (("vision", "digits_cnn"), ("vision", "photo_decode")):
            with self.subTest(case=name), tempfile.TemporaryDirectory(prefix="stepgate-calibrated-") as folder:
                real = json.loads((SOURCE / f"baselines/h200/{suite}/{name}/gpu_small.exact.json").read_text())["exact"]
                expected = (statistics.mean(real["kernels_per_step"]), statistics.mean(real["memsets_per_step"]))
                self.assertEqual(calibrated(suite, name, pathlib.Path(folder)), expected)
                print(f"{name}: {expected[0]:.0f} kernels and {expected[1]:.0f} memsets a step on both")


if __name__ == "__main__":
    skip_without_emulation()
    unittest.main(verbosity=2)
