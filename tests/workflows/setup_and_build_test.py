"""ci/setup --build-meanwhile compiles while LibTorch is downloaded, and shows the errors of either. pip, the packages and
ci/build are scripts of this test."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
LIMIT_S = 60
# Stands for Python: pip makes the folder that it should install into, after $PIP where that is LibTorch.
PYTHON = f"""#!/usr/bin/env bash
case "$*" in
  *check_machine*) exec {sys.executable} "$@" ;;
  *requirements-torch.txt*) eval "$PIP" || exit 1 ;;
esac
while [ $# -gt 0 ]; do
  [ "$1" != --target ] || mkdir -p "$2"
  shift
done
"""
# Waits for the other half, so that a set-up which runs them one after the other fails.
WAIT = "for i in $(seq 600); do [ ! -e {file} ] || break; sleep 0.1; done; [ -e {file} ]"


class SetupAndBuild(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-setup-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, True)
        for name in ("setup", "paths.sh", "check_machine"):
            self.write(f"tree/ci/{name}", (SOURCE / "ci" / name).read_text())
        self.write("tree/ci/packages-debian.txt", "")
        self.write("tree/ci/requirements-torch.txt", "torch\n")
        self.write("tree/ci/requirements-workflows.txt", "linter\n")
        self.write("tree/ci/fetch_data", "#!/bin/sh\n")
        self.write("bin/python3", PYTHON)
        self.write("cuda/bin/nvcc", "#!/bin/sh\necho 'Cuda compilation tools, release 13.0, V13.0.88'\n")

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def start(self, *words, pip="true", build="true", **more):
        self.write("tree/ci/build", f'#!/usr/bin/env bash\necho "$*" >>{self.folder}/built\n{build}\n')
        kept = {k: v for k, v in os.environ.items() if not k.startswith("STEPGATE_") and k != "CMAKE_PREFIX_PATH"}
        environment = {**kept, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "PIP": pip,
                       "STEPGATE_CACHE": str(self.folder / "cache"), "CUDA_HOME": str(self.folder / "cuda"), **more}
        return subprocess.Popen([self.folder / "tree/ci/setup", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, env=environment)

    def run_setup(self, *words, expect=0, **more):
        running = self.start(*words, **more)
        said = running.communicate(timeout=LIMIT_S)[0]
        self.assertEqual(running.returncode, expect, said)
        return said

    def builds(self):
        noted = self.folder / "built"
        return noted.read_text().splitlines() if noted.exists() else []

    def wait_for(self, file):
        deadline = time.monotonic() + LIMIT_S
        while not file.exists() or not file.read_text():
            self.assertLess(time.monotonic(), deadline, f"{file} did not come")
            time.sleep(0.05)
        return file.read_text()

    def ended(self, pid):
        """Whether the process is gone or waits for its parent to read its status."""
        deadline = time.monotonic() + LIMIT_S
        while time.monotonic() < deadline:
            try:
                if pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] in "ZX":
                    return True
            except FileNotFoundError:
                return True
            time.sleep(0.05)
        return False

    def test_both_run_at_a_time_and_the_setup_ends_after_both(self):
        said = self.run_setup(
            "--build-meanwhile", pip=f"touch {self.folder}/pip; {WAIT.format(file=self.folder / 'compiled')}",
            build=f"{WAIT.format(file=self.folder / 'pip')} && touch {self.folder}/compiled && sleep 1 && echo the last line of the build")
        self.assertEqual(self.builds(), ["--without-torch stepgate stepgate_measure_loop"])
        self.assertIn("the last line of the build", said)
        self.assertTrue((self.folder / "cache/torch-2.11.0/stepgate-stamp").exists())

    def test_nothing_is_built_without_the_option(self):
        self.run_setup()
        self.assertEqual(self.builds(), [])

    def test_nothing_is_built_where_libtorch_is_present(self):
        self.run_setup()
        self.run_setup("--build-meanwhile")
        self.assertEqual(self.builds(), [])
        self.write("own/share/cmake/Torch/TorchConfig.cmake", "")
        self.run_setup("--build-meanwhile", CMAKE_PREFIX_PATH=str(self.folder / "own"), STEPGATE_CACHE=str(self.folder / "empty"))
        self.assertEqual(self.builds(), [])

    def test_a_failed_download_ends_the_build(self):
        said = self.run_setup("--build-meanwhile", expect=1,
                              pip=f"{WAIT.format(file=self.folder / 'pid')}; echo no such host; false",
                              build=f"echo a line of the build; sleep 300 & echo $! >{self.folder}/pid; wait")
        self.assertIn("no such host", said)
        self.assertIn("pip could not install LibTorch", said)
        self.assertNotIn("a line of the build", said)
        self.assertTrue(self.ended(int((self.folder / "pid").read_text())), "the build runs on")

    def test_a_setup_that_is_stopped_ends_the_build(self):
        running = self.start("--build-meanwhile", pip="sleep 5", build=f"sleep 300 & echo $! >{self.folder}/pid; wait")
        pid = int(self.wait_for(self.folder / "pid"))
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=LIMIT_S)
        self.assertNotEqual(running.returncode, 0)
        self.assertTrue(self.ended(pid), "the build runs on")

    def test_a_failed_build_is_shown_and_fails_the_setup(self):
        said = self.run_setup("--build-meanwhile", expect=1, build="echo file.cpp:1: error; exit 1")
        self.assertEqual(said.count("file.cpp:1: error"), 1, said)
        self.assertRegex(said, r"stepgate setup: the build failed; .*without_torch\.log")
        self.assertTrue((self.folder / "cache/torch-2.11.0/stepgate-stamp").exists(), "LibTorch is kept for the next run")

    def test_a_toolkit_that_is_too_old_is_told_before_anything_is_installed(self):
        self.write("cuda/bin/nvcc", "#!/bin/sh\necho 'Cuda compilation tools, release 11.8, V11.8.89'\n")
        said = self.run_setup("--build-meanwhile", expect=1, pip=f"touch {self.folder}/pip")
        self.assertIn(f"bad   CUDA toolkit: {self.folder}/cuda is CUDA 11.8, and LibTorch is built for CUDA 13", said)
        self.assertIn("next: install NVIDIA's package cuda-toolkit-13-0", said)
        self.assertFalse((self.folder / "pip").exists())
        self.assertEqual(self.builds(), [])

    def test_a_toolkit_is_compared_with_a_libtorch_of_ones_own(self):
        self.write("cuda/bin/nvcc", "#!/bin/sh\necho 'Cuda compilation tools, release 12.6, V12.6.1'\n")
        self.write("own/share/cmake/Torch/TorchConfig.cmake", "")
        self.write("own/version.py", "cuda = '12.6'\n")
        self.run_setup(CMAKE_PREFIX_PATH=str(self.folder / "own"))

    def test_a_mistyped_option_is_refused(self):
        self.assertIn("--build-meanwhil", self.run_setup("--build-meanwhil", expect=1))


if __name__ == "__main__":
    unittest.main()
