"""The tests of LibTorch programs that are skipped without a GPU pass on the emulated one, with values."""

import os
import subprocess
import tempfile
import unittest

from emulated_program import environment_of, skip_without_emulation

# Program -> its tests that ask for a GPU.
TESTS = {"STEPGATE_TEST_MEASURE": "*OnGpu.*", "STEPGATE_TEST_PERFTESTS": "CharLmGraphed.TrainsAsTheEagerStep"}
NUMBER = {"STEPGATE_TEST_MEASURE": 8, "STEPGATE_TEST_PERFTESTS": 1}


class GpuTests(unittest.TestCase):
    def test_each_runs_and_passes(self):
        for program, tests in TESTS.items():
            with self.subTest(program=program), tempfile.TemporaryDirectory(prefix="stepgate-emulated-") as folder:
                done = subprocess.run([os.environ[program], f"--gtest_filter={tests}"], cwd=folder, capture_output=True,
                                      text=True, timeout=300, env=environment_of(folder, "h100 mode=values"))
                said = done.stdout[-4000:] + done.stderr[-4000:]
                self.assertEqual(done.returncode, 0, said)
                self.assertIn(f"[  PASSED  ] {NUMBER[program]} test", done.stdout, said)
                self.assertNotIn("[  SKIPPED ]", done.stdout, said)


if __name__ == "__main__":
    skip_without_emulation()
    unittest.main(verbosity=2)
