"""Which GPU is measured: the preset of a GPU runner, in a project of its own, on scripted GPUs and a scripted NVIDIA driver."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from gate_runner import BUILD, SOURCE, STEPGATE

ONE = "vision/scripted/tiny"
TWO = "vision/scripted_pair/tiny"
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(runner LANGUAGES NONE)
enable_testing()
include({SOURCE}/ci/cmake/stepgate_perftest.cmake)
add_executable(stepgate::stepgate IMPORTED)
set_target_properties(stepgate::stepgate PROPERTIES IMPORTED_LOCATION {STEPGATE})
add_executable(scripted IMPORTED)
set_target_properties(scripted PROPERTIES IMPORTED_LOCATION {BUILD}/bin/scripted_gpu)
stepgate_add_cases(scripted SUITE vision CASES {ONE} DEVICE cuda POLICY_ROOT policies BASELINE_ROOT baselines)
stepgate_add_cases(scripted SUITE vision CASES {TWO} DEVICE cuda GPUS 2)
"""
POLICY = {
    "schema": {"name": "stepgate.policy", "major": 1, "minor": 0},
    "session_gap_s": 0,
    "taint_limits": {key: 1 for key in ("steal_fraction", "runqueue_wait_fraction", "foreign_busy_fraction")},
}
UUIDS = [f"GPU-{n}0c0ffee-1111-2222-3333-44444444444{n}" for n in range(8)]
BUS_IDS = [f"00000000:{digit}B:00.0" for digit in "3456789A"]  # of the scripted driver


def machine(gpus, **more):
    """The environment of a machine with so many GPUs. `driver` and `runtime` list what the two of them say."""
    variables = {k: v for k, v in os.environ.items()
                 if not k.startswith(("STEPGATE_", "CUDA_", "SLURM_", "CTEST_", "FAKE_NVML_")) and k != "CI"}
    runtime = more.pop("runtime", [f"{uuid}={bus}" for uuid, bus in zip(UUIDS, BUS_IDS)][:gpus])
    return {**variables, "NO_COLOR": "1", "LD_LIBRARY_PATH": str(BUILD / "tests" / "environment" / "fake_nvml"),
            "FAKE_NVML_GPUS": str(gpus), "FAKE_NVML_UUIDS": " ".join(f"{n}={uuid}" for n, uuid in enumerate(UUIDS)),
            "STEPGATE_TEST_GPUS": ",".join(runtime), **more}


class WhichGpu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-gpus-")).resolve()
        (cls.folder / "policies" / "vision").mkdir(parents=True)
        (cls.folder / "policies" / "vision" / "policy.json").write_text(json.dumps(POLICY))
        (cls.folder / "CMakeLists.txt").write_text(PROJECT)
        shutil.copy(SOURCE / "CMakePresets.json", cls.folder)
        subprocess.run(["cmake", "--preset", "release"], cwd=cls.folder, check=True, capture_output=True)
        for session in range(5):
            time.sleep(1.1)  # sessions are distinguished by the second
            cls.stepgate("gate", "--replicates", "3", env=machine(8))
            accepted = cls.stepgate("baseline", "accept", "--local", "--reason", "recorded by an end-to-end test",
                                    *(["--append"] if session else []), env=machine(8))
            assert accepted.returncode == 0, accepted.stderr

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)

    @classmethod
    def stepgate(cls, *words, env):
        return subprocess.run([str(STEPGATE), *words, "--build", str(cls.folder / "build" / "release")], env=env,
                              cwd=cls.folder, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)

    def preset(self, env, *words):
        """As on a GPU runner: the exit status of CTest, and what it prints with every test's output."""
        done = subprocess.run(["ctest", "--preset", "perf-gpu-runner", "--verbose", *words], env=env, cwd=self.folder,
                              capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout + done.stderr

    def visible(self, case, tier="timed"):
        """CUDA_VISIBLE_DEVICES of each process of the last measurement."""
        [file] = self.folder.glob(f"**/{case}/{tier}/measurement.json")
        return [one["environment"].get("CUDA_VISIBLE_DEVICES") for one in json.loads(file.read_text())["replicates"]]

    def green(self, env, *words):
        status, text = self.preset(env, *words)
        self.assertEqual(status, 0, text)
        self.assertIn("100% tests passed", text)
        return text

    def test_a_case_for_two_gpus_is_not_green_on_a_runner_with_one(self):
        status, text = self.preset(machine(1))
        self.assertNotEqual(status, 0, text)
        self.assertRegex(text, rf"perf\.timed\.{TWO} \.*\*\*\*Failed")
        self.assertRegex(text, rf"perf\.timed\.{ONE} \.* +Passed")
        said = " ".join(re.sub(r"^\d+: *", "", text, flags=re.MULTILINE).split())
        self.assertIn("needs 2 GPUs, this machine offers 1; --require-gpu allows no skipped case", said)

    def test_one_gpu_is_green_where_the_runner_names_the_case_for_two_and_that_is_skipped_loudly(self):
        text = self.green(machine(1, STEPGATE_MAY_SKIP=TWO))
        self.assertRegex(text, rf"perf\.timed\.{TWO} \.*\*\*\*Skipped")
        self.assertRegex(text, rf"perf\.exact\.{TWO} \.*\*\*\*Skipped")
        self.assertRegex(text, rf"perf\.timed\.{ONE} \.* +Passed")
        self.assertIn(f"{TWO}: skipped: needs 2 GPUs, this machine offers 1", text)
        self.assertEqual(set(self.visible(ONE)), {UUIDS[0]})

    def two_of_eight(self, env, *words):
        text = self.green(env, *words)
        self.assertNotIn("***Skipped", text)
        self.assertEqual(set(self.visible(TWO)), {f"{UUIDS[2]},{UUIDS[5]}"})
        self.assertEqual(set(self.visible(TWO, "exact")), {f"{UUIDS[2]},{UUIDS[5]}"})
        self.assertEqual(set(self.visible(ONE)), {UUIDS[2]})

    def test_two_of_eight_by_index(self):
        self.two_of_eight(machine(8, CUDA_VISIBLE_DEVICES="2,5"))

    def test_two_of_eight_by_the_beginning_of_the_uuid(self):
        self.two_of_eight(machine(8, CUDA_VISIBLE_DEVICES="GPU-20c0,GPU-5"))

    def test_two_of_eight_by_slurm(self):
        self.two_of_eight(machine(8, SLURM_JOB_GPUS="2,5"))

    def test_two_of_eight_by_the_resource_spec_of_ctest(self):
        spec = self.folder / "gpus.json"
        ids = [UUIDS[2].lower().replace("-", "_"), "5"]
        spec.write_text(json.dumps({"version": {"major": 1, "minor": 0},
                                    "local": [{"gpus": [{"id": one, "slots": 1} for one in ids]}]}))
        text = self.green(machine(8), "--resource-spec-file", str(spec))
        self.assertNotIn("***Skipped", text)
        self.assertEqual({tuple(sorted(one.split(","))) for one in self.visible(TWO)}, {(UUIDS[2], UUIDS[5])})
        self.assertLessEqual(set(self.visible(ONE)), {UUIDS[2], UUIDS[5]})

    def test_a_choice_that_cannot_be_meant_is_an_error(self):
        for value, why in (("9", "'9' names no GPU of this machine, which has 8"), ("2,2", "twice"),
                           ("GPU-9", "'GPU-9' names no GPU"), ("GPU-", "fits two GPUs")):
            done = self.stepgate("gate", ONE, env=machine(8, CUDA_VISIBLE_DEVICES=value))
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(f"CUDA_VISIBLE_DEVICES={value}", done.stderr)
            self.assertIn(why, done.stderr)
            self.assertIn("next: ", done.stderr)
        status, text = self.preset(machine(8, CUDA_VISIBLE_DEVICES="9"))
        self.assertNotEqual(status, 0, text)

    def test_doctor_names_what_decides(self):
        def doctor(env):
            document = json.loads(self.stepgate("doctor", "--json", env=env).stdout)
            return {one["name"]: one for one in document["settings"]}["gpu"], " ".join(document["warnings"])

        gpu, warnings = doctor(machine(8, CUDA_VISIBLE_DEVICES="2"))
        self.assertEqual((gpu["value"], gpu["source"]), (UUIDS[2], "CUDA_VISIBLE_DEVICES=2"))
        self.assertNotIn("CUDA_VISIBLE_DEVICES", warnings)
        gpu, warnings = doctor(machine(8, CUDA_VISIBLE_DEVICES="9"))
        self.assertEqual((gpu["value"], gpu["source"]), ("none", "CUDA_VISIBLE_DEVICES=9"))
        self.assertIn("'9' names no GPU of this machine, which has 8", warnings)
        self.assertIn("nvidia-smi -L", warnings)

    def test_a_runner_that_offers_no_gpu_is_not_green(self):
        hidden = machine(1, CUDA_VISIBLE_DEVICES="")
        gone = self.stepgate("gate", ONE, env=hidden)
        self.assertEqual(gone.returncode, 3, gone.stdout + gone.stderr)
        self.assertIn("the case ran on this runner class before", " ".join(gone.stdout.split()))
        done = self.stepgate("gate", ONE, TWO, "--require-gpu", env=hidden)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("2 failed", done.stdout)
        self.assertIn("this machine offers none", done.stdout)

    def test_where_gpus_differ_the_first_process_says_which_it_used(self):
        unlike = machine(2, FAKE_NVML_NAMES="0=Slower")
        done = self.stepgate("gate", ONE, "--replicates", "3", "--tier", "timed", env=unlike)
        self.assertIn("known after the first process", done.stderr)
        first, *others = self.visible(ONE)
        self.assertIsNone(first)
        self.assertEqual(set(others), {UUIDS[0]})

    def test_a_record_of_another_gpu_fails(self):
        swapped = machine(2, runtime=[f"{UUIDS[0]}={BUS_IDS[1]}", f"{UUIDS[1]}={BUS_IDS[0]}"])
        done = self.stepgate("gate", ONE, "--tier", "timed", env=swapped)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("was asked for GPU 0000:3b:00.0 and wrote a record of 0000:4b:00.0", done.stdout)

    def test_a_gpu_that_the_driver_does_not_list_fails(self):
        foreign = machine(2, FAKE_NVML_NAMES="0=Slower", runtime=[f"{UUIDS[7]}={BUS_IDS[7]}"])
        done = self.stepgate("gate", ONE, "--tier", "timed", env=foreign)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("0000:ab:00.0, which the driver does not list", done.stdout)


if __name__ == "__main__":
    unittest.main()
