"""An outside project uses an installed stepgate. It has a perftest of 25 lines and one around its own training loop, and gates
both with ctest -L perf."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from gate_runner import BUILD, SOURCE, causes, metric

PROJECT = SOURCE / "tests" / "outside_project"


class OutsideProject(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-outside-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def run_words(self, *words, expect=0, env=None):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("STEPGATE_") and k != "CI"}
        environment.update(env or {})
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, cwd=self.folder, env=environment)
        self.assertEqual(done.returncode, expect, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def test_its_perftest_is_short(self):
        lines = (PROJECT / "my_perftest.cpp").read_text().splitlines()
        self.assertLessEqual(len(lines), 25)

    def test_install_find_build_gate(self):
        prefix, build = self.folder / "prefix", self.folder / "build"
        self.run_words("cmake", "--install", BUILD, "--prefix", prefix)
        moved = self.folder / "moved"  # an install tree must work after a move
        prefix.rename(moved)
        self.run_words("cmake", "-S", PROJECT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                       f"-DCMAKE_PREFIX_PATH={moved}", f"-DSTEPGATE_TORCH_ROOT={os.environ['STEPGATE_TEST_TORCH_ROOT']}",
                       "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        self.run_words("cmake", "--build", build)
        stepgate = moved / "bin" / "stepgate"
        first = self.run_words("ctest", "--test-dir", build, "-L", "perf", "-R", "exact", "--no-tests=error")
        self.assertIn("Skipped", first, "no baseline is skipped, not passed")
        out = build / "stepgate-out"
        self.run_words(stepgate, "baseline", "accept", "--build", build, "--out", out, "--reason", "first")
        second = self.run_words("ctest", "--test-dir", build, "-L", "perf", "-R", "exact", "--no-tests=error")
        self.assertRegex(second, r"perf\.exact\.mine/mlp/tiny \.+ +Passed")
        listed = self.run_words(stepgate, "list", "--build", build)
        self.assertRegex(listed, r"mine/mlp/tiny .* portable")
        self.assertRegex(second, r"perf\.exact\.mine/loop/tiny \.+ +Passed")
        self.check_own_loop(build, stepgate)

    def check_own_loop(self, build, stepgate):
        """The loop trains in its own program. Its perftest detects an operator that was added to the loop."""
        trained = self.run_words(build / "train")
        self.assertRegex(trained, r"\n200 steps, \d+\.\d % of the time waiting for data, \d+ samples/s")
        self.assertRegex(trained, r"backward +median +\d+\.\d us")
        faulty = {"OUTSIDE_EXTRA_ACTIVATION": "1"}
        out = build / "own-loop"
        self.run_words(stepgate, "gate", "mine/loop/tiny", "--tier", "exact", "--build", build, "--out", out, expect=1,
                       env=faulty)
        verdict = json.loads((out / "mine" / "loop" / "tiny" / "exact" / "verdict.json").read_text())["outcomes"][0]
        self.assertEqual(metric(verdict, "operators_per_step")["status"], "regressed")
        self.assertRegex(causes(verdict), r"aten::tanh.*forward|forward.*aten::tanh")
        self.run_words(stepgate, "gate", "mine/loop/tiny", "--tier", "exact", "--build", build, "--out", out)


if __name__ == "__main__":
    unittest.main()
