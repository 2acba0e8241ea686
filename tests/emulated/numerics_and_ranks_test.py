"""On the emulated GPU: deterministic attention, cudaMallocAsync, ranks over NCCL, a checkpoint in a graph."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
FOLDER = BUILD / "emulated_gpu"
PERFTESTS = BUILD / "bin" / "perftests"
SKIPPED = 77


def skip_without_emulation():
    if (FOLDER / "complete").exists():
        return
    print(f"no {FOLDER}: cmake --build {BUILD} --target emulated_gpu")
    sys.exit(SKIPPED)


def run(command, machine, folder, **variables):
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": folder, "TMPDIR": folder,
                   "STEPGATE_EMULATED_GPU": machine, "LD_AUDIT": str(FOLDER / "libstepgate_emulated_loader.so"),
                   **variables}
    return subprocess.run([str(part) for part in command], env=environment, cwd=folder, capture_output=True, text=True,
                          timeout=300)


class OnEmulatedGpu(unittest.TestCase):
    def exact(self, case, machine="h100", **variables):
        """The process of group exact, and its record."""
        with tempfile.TemporaryDirectory(prefix="stepgate-emulated-") as folder:
            record = pathlib.Path(folder) / "record.json"
            done = run([PERFTESTS, f"--stepgate_case={case}", "--stepgate_group=exact", "--stepgate_emulated", "--stepgate_device=cuda",
                        f"--stepgate_record={record}", f"--stepgate_data={os.environ['STEPGATE_TEST_DATA_DIR']}"],
                       machine, folder, **variables)
            self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
            return done, json.loads(record.read_text())

    def suite(self, program, tests, machine, **variables):
        """The process of a test program; each of the tests ran and passed."""
        with tempfile.TemporaryDirectory(prefix="stepgate-emulated-") as folder:
            done = run([os.environ[program], f"--gtest_filter={tests}"], machine, folder, **variables)
        said = done.stdout[-4000:] + done.stderr[-4000:]
        self.assertEqual(done.returncode, 0, said)
        self.assertIn("[  PASSED  ]", done.stdout, said)
        self.assertNotIn("[  SKIPPED ]", done.stdout, said)
        return done


class Numerics(OnEmulatedGpu):
    def test_attention_is_deterministic(self):
        # float32 takes memory-efficient attention, bfloat16 that of cuDNN or Flash. With warn_only each says that it
        # keeps its non-deterministic backward.
        for case in ("language/char_lm/tiny", "language/char_lm_bf16/tiny"):
            with self.subTest(case=case):
                done, record = self.exact(case, "h100 mode=values", CUBLAS_WORKSPACE_CONFIG=":4096:8")
                self.assertNotIn("non-deterministic algorithm", done.stderr)
                self.assertNotIn("nondeterministic_operators", record["numerics"])


class CudaMallocAsync(OnEmulatedGpu):
    ALLOCATOR = {"PYTORCH_ALLOC_CONF": "backend:cudaMallocAsync"}

    def test_what_it_does_not_tell_is_absent_with_a_reason(self):
        _, record = self.exact("language/char_lm/gpu_small", **self.ALLOCATOR)
        for metric in ("allocations_per_step", "allocated_bytes_per_step"):
            self.assertNotIn(metric, record["counts"]["per_step"])
            self.assertIn("cudaMallocAsync", record["absent"][metric])
        self.assertNotIn("ledger", record["memory"])
        self.assertIn("cudaMallocAsync", record["memory"]["absent"]["allocator_retries_per_step"])
        self.assertGreater(record["memory"]["peak_allocated_bytes"], 0)
        self.assertGreater(record["counts"]["per_step"]["kernels_per_step"][0], 0)


class Graphs(OnEmulatedGpu):
    def test_a_checkpoint_is_recorded(self):
        for machine in ("h100", "h100 mode=values"):
            with self.subTest(machine=machine):
                self.suite("STEPGATE_TEST_MEASURE", "GraphedStepOnGpu.RecordsACheckpointOrNamesIt", machine)


class NcclRanks(OnEmulatedGpu):
    NCCL = {"STEPGATE_TEST_NCCL": "1"}

    def test_they_shut_their_communicators_down(self):
        done = self.suite("STEPGATE_TEST_PERFTESTS", "NcclRanks.TrainAndShutTheirCommunicatorsDown", "h100:2",
                          **self.NCCL)
        self.assertNotIn("destroy_process_group", done.stderr)

    def test_a_failure_and_a_hang_end_with_what_happened(self):
        # A hang is a device that is busy in real time for longer than the patience of 2 s.
        for test, machine in {"SayThatARankNeverCame": "h100:2", "SayThatARankEnded": "h100:2",
                              "EndAnExchangeThatARankNeverStarts": "h100:2",
                              "EndAHangWithAMessage": "h100:2 clock=real scale=3000"}.items():
            with self.subTest(test=test):
                begin = time.monotonic()
                self.suite("STEPGATE_TEST_PERFTESTS", f"NcclRanks.{test}", machine, **self.NCCL)
                self.assertLess(time.monotonic() - begin, 30, "LibTorch would leave 60 s and more for a dump")


if __name__ == "__main__":
    skip_without_emulation()
    unittest.main(verbosity=2)
