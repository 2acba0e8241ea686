"""`stepgate init` with an installed stepgate: the commands that it prints build and gate the project. A project with a workload
class, one around a training loop of its own, and one that answers requests."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from gate_runner import BUILD

HAS_CUDA = (pathlib.Path(os.environ.get("STEPGATE_TEST_TORCH_ROOT") or "/nonexistent") / "torch/lib/libtorch_cuda.so").exists()
VARIABLES = {k: v for k, v in os.environ.items() if not k.startswith("STEPGATE_") and k != "CI"}


class Installation(unittest.TestCase):
    """stepgate in a prefix that was moved after the installation."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-outside-"))
        prefix = cls.folder / "prefix"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, capture_output=True)
        moved = cls.folder / "moved"  # an install tree must work after a move
        prefix.rename(moved)
        cls.stepgate = moved / "bin" / "stepgate"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, True)

    def run_words(self, *words, at=None, expect=0):
        variables = {**VARIABLES, "PATH": f"{self.stepgate.parent}:{os.environ['PATH']}", "NO_COLOR": "1",
                     "CMAKE_CXX_COMPILER_LAUNCHER": "ccache"}
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, cwd=at or self.folder, env=variables)
        self.assertEqual(done.returncode, expect, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout


class Found(Installation):
    def test_a_project_configures_with_it(self):
        for option in ("--own-loop", "--gpu") if HAS_CUDA else ("--own-loop",):
            with self.subTest(option=option):
                place = self.folder / f"found{option}"
                self.run_words("stepgate", "init", place, option)
                self.run_words("cmake", "-S", place, "-B", place / "build", f"-DCMAKE_PREFIX_PATH={self.stepgate.parent.parent}")


class OutsideProject(Installation):
    def made(self, name, *options):
        """A project, built and gated once by the commands that init prints. What ctest printed comes back too."""
        said = self.run_words("stepgate", "init", name, *options)
        place = self.folder / name
        commands = [line.split("   #")[0].strip() for line in said.split("next:\n")[1].split("\n\n")[0].splitlines()]
        self.assertEqual(commands.pop(0), f"cd {name}")
        self.assertEqual([line.split()[0] for line in commands], ["cmake", "cmake", "ctest", "stepgate"])
        first = ""
        for line in commands:
            tested = line.startswith("ctest")
            text = self.run_words("bash", "-c", line.replace("-L perf", "-L exact") if tested else line, at=place)
            first = text if tested else first
        return place, first

    def gated(self, place):
        return self.run_words("ctest", "--test-dir", "build", "-L", "exact", "--no-tests=error", at=place)

    def test_a_workload(self):
        place, first = self.made("job")
        self.assertIn("Skipped", first, "no baseline is skipped, not passed")
        self.assertRegex(self.gated(place), r"perf\.exact\.mine/mlp/tiny \.+ +Passed")
        self.assertRegex(self.run_words("stepgate", "list", at=place), r"mine/mlp/tiny .* portable")
        self.assertLessEqual(len((place / "mlp_perftest.cpp").read_text().splitlines()), 25, "a workload is short")
        self.assertEqual(sorted(entry.name for entry in place.iterdir() if not entry.name.startswith(".")),
                         ["CMakeLists.txt", "README.md", "baselines", "build", "mlp_perftest.cpp", "perftests"],
                         "results lie in the build folder")
        refused = subprocess.run([self.stepgate, "init", place, "--own-loop"], capture_output=True, text=True)
        self.assertEqual(refused.returncode, 2)
        self.assertIn(str(place / "CMakeLists.txt"), refused.stderr)

    def test_an_own_loop(self):
        place, _ = self.made("loop", "--own-loop")
        self.assertRegex(self.gated(place), r"perf\.exact\.mine/loop/tiny \.+ +Passed")
        trained = self.run_words(place / "build" / "train")
        self.assertRegex(trained, r"\n200 steps, \d+\.\d % of the time waiting for data, \d+ samples/s")
        self.assertRegex(trained, r"backward +median +\d+\.\d us")
        source = place / "train.cpp"
        source.write_text(source.read_text().replace("net->forward(batch.data)", "net->forward(batch.data).tanh()"))
        self.run_words("cmake", "--build", "build", at=place)
        red = self.run_words("stepgate", "gate", "mine/loop/tiny", "--tier", "exact", at=place, expect=1)
        self.assertRegex(red, r"REGRESSED +mine/loop/tiny \(exact\)")
        self.assertRegex(red, r"operators .* REGRESSED")
        self.assertIn("aten::tanh", red)
        self.check_offered_commands(red, place)
        source.write_text(source.read_text().replace("loss.backward();", 'marks.boundary("penalty");\n      loss.backward();'))
        self.run_words("cmake", "--build", "build", at=place)
        self.assertRegex(self.run_words(place / "build" / "train"), r"\npenalty +median +\d+\.\d us")

    def test_a_case_that_answers_requests(self):
        place, _ = self.made("answers", "--inference")
        self.assertRegex(self.gated(place), r"perf\.exact\.mine/classifier/tiny \.+ +Passed")
        self.assertLessEqual(len((place / "classifier_perftest.cpp").read_text().splitlines()), 25, "a workload is short")
        source = place / "classifier_perftest.cpp"
        source.write_text(source.read_text().replace("Classifier() { net->eval(); }\n", ""))
        self.run_words("cmake", "--build", "build", at=place)
        red = self.run_words("stepgate", "gate", "mine/classifier/tiny", "--tier", "exact", at=place, expect=1)
        self.assertRegex(red, r"modules in train mode .* REGRESSED")

    @unittest.skipUnless(HAS_CUDA, "this build's LibTorch has no CUDA")
    def test_a_case_for_a_gpu_is_gated_without_one(self):
        said = self.run_words("stepgate", "init", "gpu_job", "--gpu")
        place = self.folder / "gpu_job"
        commands = [line.split("   #")[0].strip() for line in said.split("next:\n")[1].split("\n\n")[0].splitlines()][1:]
        self.assertEqual([line.split()[0] for line in commands], ["cmake", "cmake", "ctest", "stepgate", "stepgate"])
        for line in commands:
            self.run_words("bash", "-c", line.replace("-L perf", "-L 'exact|emulated'"), at=place)
        self.assertEqual((place / "build" / "emulated_gpu").stat().st_mode & 0o777, 0o700, "a folder of its user alone")
        passed = self.run_words("ctest", "--test-dir", "build", "-L", "emulated", "--no-tests=error", at=place)
        self.assertRegex(passed, r"perf\.emulated-h100\.mine/mlp/gpu \.+ +Passed")
        self.assertTrue((place / "baselines" / "emulated-h100" / "mine" / "mlp" / "gpu.exact.json").exists())

        source = place / "mlp_perftest.cpp"
        source.write_text(source.read_text().replace("optimizer.step();", "optimizer.step();\n    net->parameters()[0].sum().item<float>();"))
        self.run_words("cmake", "--build", "build", at=place)
        red = self.run_words("stepgate", "gate", "mine/mlp/gpu", "--device", "emulated:h100", at=place, expect=1)
        self.assertRegex(red, r"REGRESSED +mine/mlp/gpu \(exact, emulated H100\)")
        self.assertRegex(red, r"host syncs .* REGRESSED")
        self.assertIn("mlp_perftest.cpp", red)
        self.assertIn("docs/emulated_green.md", red)
        reported = self.run_words("stepgate", "report", "--github", "--runner-class", "emulated-h100", at=place, expect=1)
        self.assertIn("::error", reported, "as the workflow calls it: the case for the CPU is not missing there")

        cmake = place / "CMakeLists.txt"
        cmake.write_text(cmake.read_text().replace("emulated:h100 ", "emulated:h1000 "))
        refused = subprocess.run(["cmake", "build"], capture_output=True, text=True, cwd=place)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("take one of h100, h200, a100, l4, t4", " ".join(refused.stderr.split()))

    def test_an_installation_has_no_file_with_a_vendors_library_name(self):
        vendor = re.compile(r"lib(cuda|cudart|cublas|cudnn|cufft|cupti|curand|cusolver|cusparse|nccl|nvrtc|nvidia|nvJitLink)")
        names = [path.name for path in self.stepgate.parent.parent.rglob("*")]
        self.assertIn("emulated_gpu.cmake", names)
        self.assertEqual([name for name in names if vendor.match(name)], [])

    def check_offered_commands(self, red, place):
        """They work in the folder where they were printed, and name no folder that is found without it."""
        offered = dict(re.findall(r"^  (reproduce|accept) +(.*)$", red, re.M))
        self.assertEqual(offered["reproduce"], "stepgate gate mine/loop/tiny --tier exact")
        self.assertEqual(offered["accept"], 'stepgate baseline accept mine/loop/tiny --tier exact --reason "..."')
        self.run_words("bash", "-c", offered["accept"].replace("...", "one tanh more"), at=place)
        self.run_words("bash", "-c", offered["reproduce"], at=place)


if __name__ == "__main__":
    unittest.main()
