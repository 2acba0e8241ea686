"""ci/check_machine: what it says of machines that were made up, and how it reads files of the kernel."""

import dataclasses
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
LOADER = importlib.machinery.SourceFileLoader("check_machine", str(SOURCE / "ci/check_machine"))
check_machine = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_machine", LOADER))
sys.modules["check_machine"] = check_machine
LOADER.exec_module(check_machine)

GOOD = check_machine.Machine(compiler="12", has_cmake=True, toolkit="/usr/local/cuda", nvcc_version="13.0", gpus_in_slots=2,
                             gpu_files=2, driver="580.95.05", has_management=True, is_admin=True, shared_bytes=8 << 30,
                             persistence=("Enabled", "Enabled"))
NONE = dataclasses.replace(GOOD, gpus_in_slots=0, gpu_files=0, driver="", has_management=False, persistence=())
CONTAINER = dataclasses.replace(GOOD, is_container=True)

# Each: a machine, what is changed, the line that this makes, its verdict, a part of its text and of what is next.
PROBLEMS = (
    (NONE, {"compiler": ""}, "compiler", "bad", "no g++", "apt-get install g++"),
    (NONE, {"compiler": "11"}, "compiler", "bad", "too old", "g++ 12"),
    (NONE, {"has_cmake": False}, "cmake", "bad", "no cmake", "apt-get install cmake"),
    (NONE, {"toolkit": ""}, "CUDA toolkit", "bad", "no nvcc", "cuda-toolkit-13-0"),
    (NONE, {"nvcc_version": ""}, "CUDA toolkit", "bad", "names no release", "cuda-toolkit-13-0"),
    (NONE, {"nvcc_version": "11.8"}, "CUDA toolkit", "bad", "is CUDA 11.8, and LibTorch is built for CUDA 13", "Debian's"),
    (NONE, {"nvcc_version": "13.0", "torch_cuda": 12}, "CUDA toolkit", "bad", "built for CUDA 12", "cuda-toolkit-12-0"),
    (NONE, {"gpus_in_slots": 1}, "GPU", "look", "no driver offers it", "driver 580"),
    (NONE, {"gpus_in_slots": 1, "is_container": True}, "GPU", "look", "this container has none", "--gpus all"),
    (NONE, {"driver": "580.95.05", "is_container": True}, "GPU", "look", "this container has none", "--gpus all"),
    (GOOD, {"driver": "570.86.15"}, "driver", "look", "older than CUDA 13 needs", "580"),
    (GOOD, {"driver": "515.65.01", "torch_cuda": 12, "nvcc_version": "12.6"}, "driver", "look", "CUDA 12", "525"),
    (GOOD, {"driver": ""}, "driver", "look", "could not be read", "nvidia-smi"),
    (CONTAINER, {"has_management": False}, "management library", "look", "does not open", "compute,utility"),
    (CONTAINER, {"shared_bytes": 64 << 20}, "shared memory", "look", "64 MiB", "--shm-size=1g"),
    (CONTAINER, {"shared_bytes": None}, "shared memory", "look", "no /dev/shm", "tmpfs"),
    (CONTAINER, {"is_admin": False}, "privileges", "look", "cannot lock clocks", "--cap-add=SYS_ADMIN"),
    (GOOD, {"is_admin": False, "profiling_is_restricted": True}, "profiling", "look", "CUPTI", "NVreg_RestrictProfiling"),
    (GOOD, {"persistence": ("Enabled", "Disabled")}, "persistence", "look", "off", "nvidia-smi -pm 1"),
    (GOOD, {"persistence": ()}, "persistence", "look", "not known", "nvidia-smi"),
)


class Lines(unittest.TestCase):
    def test_a_good_machine_has_no_problem(self):
        for machine in (GOOD, NONE, CONTAINER):
            self.assertEqual({line.verdict for _, line in check_machine.lines_of(machine)}, {"ok"})

    def test_each_problem_is_one_line_with_what_is_next(self):
        for machine, change, name, verdict, text, following in PROBLEMS:
            with self.subTest(change=change):
                lines = dict(check_machine.lines_of(dataclasses.replace(machine, **change)))
                self.assertEqual(lines[name].verdict, verdict)
                self.assertIn(text, lines[name].text)
                self.assertIn(following, lines[name].next)

    def test_each_question_has_a_problem_here(self):
        self.assertEqual({problem[2] for problem in PROBLEMS}, {*check_machine.OF_THE_BUILD, *check_machine.OF_A_GPU})

    def test_the_version_is_the_one_that_setup_installs(self):
        self.assertIn(f"\nnvidia-cuda-runtime=={check_machine.PINNED_CUDA}.", (SOURCE / "ci/requirements-torch.txt").read_text())

    def test_one_gpu_needs_no_shared_memory(self):
        lines = dict(check_machine.lines_of(dataclasses.replace(CONTAINER, gpu_files=1, shared_bytes=64 << 20)))
        self.assertEqual(lines["shared memory"].verdict, "ok")

    def test_only_an_administrator_needs_no_leave_to_profile(self):
        lines = dict(check_machine.lines_of(dataclasses.replace(GOOD, profiling_is_restricted=True)))
        self.assertEqual(lines["profiling"].verdict, "ok")

    def test_a_libtorch_without_a_version_is_compared_with_nothing(self):
        lines = dict(check_machine.lines_of(dataclasses.replace(NONE, torch_cuda=None, nvcc_version="12.6")))
        self.assertEqual(lines["CUDA toolkit"].verdict, "ok")


class Reading(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_drivers_of_both_kinds_name_their_version(self):
        self.assertEqual(check_machine.driver_version(self.root), "")
        for kind in ("Kernel Module", "Open Kernel Module for x86_64"):
            self.write("proc/driver/nvidia/version",
                       f"NVRM version: NVIDIA UNIX {kind}  580.95.05  Tue Sep 23\nGCC version: gcc 12.2.0\n")
            self.assertEqual(check_machine.driver_version(self.root), "580.95.05")

    def test_controllers_of_nvidia_are_counted(self):
        for name, vendor, kind in (("a", "0x10de", "0x030200"), ("b", "0x10de", "0x040300"), ("c", "0x8086", "0x030000")):
            self.write(f"sys/bus/pci/devices/{name}/vendor", vendor + "\n")
            self.write(f"sys/bus/pci/devices/{name}/class", kind + "\n")
        self.assertEqual(check_machine.gpus_in_slots(self.root), 1)

    def test_the_capability_is_read(self):
        for mask, expected in (("00000000a80425fb", False), ("00000000a82425fb", True)):
            self.write("proc/self/status", f"Name:\tx\nCapEff:\t{mask}\nCapBnd:\t0\n")
            self.assertEqual(check_machine.is_admin(self.root), expected)

    def test_a_container_is_known_by_its_files_and_variables(self):
        self.assertFalse(check_machine.is_container(self.root, {}))
        self.assertTrue(check_machine.is_container(self.root, {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}))
        self.write(".dockerenv", "")
        self.assertTrue(check_machine.is_container(self.root, {}))

    def test_libtorch_says_its_cuda(self):
        self.assertIsNone(check_machine.cuda_of(self.root))
        self.write("build-version", "2.9.0+cu126\n")
        self.assertEqual(check_machine.cuda_of(self.root), 12)
        self.write("torch/version.py", "from typing import Optional\ncuda: Optional[str] = '13.0'\n")
        self.assertEqual(check_machine.cuda_of(self.root), 13)
        self.write("torch/version.py", "cuda: Optional[str] = None\n")
        (self.root / "build-version").unlink()
        self.assertIsNone(check_machine.cuda_of(self.root))

    def test_a_program_that_is_missing_says_nothing(self):
        self.assertEqual(check_machine.said_by(self.root / "none"), "")
        self.assertEqual(check_machine.said_by("false"), "")


class Doctor(unittest.TestCase):
    def test_has_the_same_numbers(self):
        """stepgate doctor asks the same of a machine without a checkout (docs/gpu_machine.md)."""
        source = (SOURCE / "harness/environment/facts/gpu_hindrances.cpp").read_text()
        driver = re.search(r"least_driver = (\d+);", source).group(1)
        self.assertEqual(int(driver), check_machine.LEAST_DRIVER[check_machine.PINNED_CUDA])
        shared = re.search(r"least_shared_bytes = std::int64_t\{1\} << (\d+);", source).group(1)
        self.assertEqual(1 << int(shared), check_machine.LEAST_SHARED_BYTES)
        admin = re.search(r"sys_admin = 1ULL << (\d+)U;", source).group(1)
        self.assertEqual(1 << int(admin), check_machine.SYS_ADMIN)


if __name__ == "__main__":
    unittest.main()
