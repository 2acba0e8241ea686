"""A CUDA case under CTest on the scripted GPU: no baseline, accept, pass, and then one fault after the other is red."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
STEPGATE = BUILD / "bin" / "stepgate"
CASE = "vision/scripted/tiny"
OLD_FORM = "written by a version before the counters of a GPU had a file of their own: accept them anew"
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(on_gpu LANGUAGES NONE)
enable_testing()
include({SOURCE}/ci/cmake/stepgate_perftest.cmake)
add_executable(stepgate::stepgate IMPORTED)
set_target_properties(stepgate::stepgate PROPERTIES IMPORTED_LOCATION {STEPGATE})
add_executable(train IMPORTED)
set_target_properties(train PROPERTIES IMPORTED_LOCATION {BUILD}/bin/scripted_gpu)
stepgate_add_cases(train SUITE vision CASES {CASE} DEVICE cuda POLICY_ROOT policies BASELINE_ROOT baselines)
"""


class OnGpu:
    """A project outside of this one, with one CUDA case, configured by CMake."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-gpu-ctest-"))
        policy = self.folder / "policies" / "vision" / "policy.json"
        policy.parent.mkdir(parents=True)
        limits = {key: 1 for key in ("steal_fraction", "runqueue_wait_fraction", "foreign_busy_fraction")}
        policy.write_text(json.dumps({"schema": {"name": "stepgate.policy", "major": 1, "minor": 0},
                                      "session_gap_s": 0, "taint_limits": limits}))
        (self.folder / "CMakeLists.txt").write_text(PROJECT)
        self.run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", expect=0)
        self.runner = self.folder / "baselines" / "local" / f"{CASE}.json"
        self.exact = self.folder / "baselines" / "local" / f"{CASE}.exact.json"

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *words, fault="none", env=None, expect=None):
        variables = {k: v for k, v in os.environ.items() if not k.startswith("STEPGATE_") and k != "CI"}
        variables.update({"STEPGATE_TEST_FAULT": fault, "NO_COLOR": "1"}, **(env or {}))
        done = subprocess.run([str(word) for word in words], cwd=self.folder, env=variables, capture_output=True,
                              text=True, timeout=300, stdin=subprocess.DEVNULL)
        if expect is not None and done.returncode != expect:
            raise AssertionError(f"{words}: exit {done.returncode}, not {expect}\n{done.stdout}\n{done.stderr}")
        return done

    def stepgate(self, *words, **options):
        return self.run(STEPGATE, *words, "--build", "build", **options)

    def ctest(self, tier, **options):
        """What CTest says of the test of one half ("Passed", "Skipped", "Failed"), and all that it printed on one line."""
        done = self.run("ctest", "--test-dir", "build", "-R", f"^perf.{tier}.", "-FA", ".", "-V", **options)
        said = re.search(rf"Test +#\d+: perf\.{tier}\.\S+ [ .*]*(Passed|Skipped|Failed)", done.stdout)
        return said.group(1), " ".join(re.sub(r"^\d+: *", "", done.stdout, flags=re.MULTILINE).split())

    def accept(self, *words, **options):
        return self.stepgate("baseline", "accept", "--reason", "recorded by an end-to-end test", "--local", *words,
                             **{"expect": 0, **options})


class Accepted(unittest.TestCase):
    """Both tests of the case ran, as CTest runs them, and one accept followed; then four more sessions."""

    @classmethod
    def setUpClass(cls):
        cls.place = OnGpu()
        cls.first = {tier: cls.place.ctest(tier) for tier in ("exact", "timed")}
        cls.required = cls.place.ctest("exact", env={"STEPGATE_REQUIRE_BASELINE": "1"})
        cls.place.accept()
        for session in range(4):  # one session alone is too few for a verdict on times
            time.sleep(1.1)  # sessions are distinguished by the second
            cls.place.ctest("timed")
            cls.place.accept("--append", "--tier", "timed")

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def red(self, tier, fault, *patterns):
        result, text = self.place.ctest(tier, fault=fault)
        self.assertEqual(result, "Failed", text)
        for pattern in patterns:
            self.assertRegex(text, pattern)

    def passes(self, tier, **options):
        result, text = self.place.ctest(tier, **options)
        self.assertEqual(result, "Passed", text)

    def test_the_first_run_has_no_baseline(self):
        for tier, (result, text) in self.first.items():
            self.assertEqual(result, "Skipped", text)
            self.assertIn("baseline accept", text)
        self.assertEqual(self.required[0], "Failed", self.required[1])

    def test_counters_and_times_have_a_file_each(self):
        exact = json.loads(self.place.exact.read_text())
        self.assertEqual(exact["exact"]["kernels_per_step"], [26] * 8)
        self.assertEqual(exact["sessions"], [])
        self.assertEqual({key: exact["key"].get(key) for key in ("gpu", "gpu_memory_bytes", "tf32_cudnn", "cpu_model")},
                         {"gpu": "Scripted GPU", "gpu_memory_bytes": "85899345920", "tf32_cudnn": "on",
                          "cpu_model": None})
        runner = json.loads(self.place.runner.read_text())
        self.assertEqual(runner["exact"], {})
        self.assertEqual(len(runner["sessions"]), 5)

    def test_unchanged_code_passes_both(self):
        self.passes("exact")
        self.passes("timed")

    def test_a_host_sync_is_red(self):
        self.red("exact", "log_sync", r"host_syncs_per_step|host syncs", r"logging", r"aten::_local_scalar_dense")

    def test_a_copy_from_pageable_memory_is_red(self):
        self.red("exact", "pageable", r"H2D copies from pageable memory: h2d \+2 per step", "pinned")

    def test_one_more_kernel_is_red(self):
        self.red("exact", "extra_kernel", r"kernels: optimizer \+1 cudaLaunchKernel per step")

    def test_growing_reserved_memory_is_red(self):
        self.red("exact", "reserved", r"peak reserved")

    def test_a_batch_in_many_small_tensors_is_red(self):
        self.red("exact", "split", r"H2D copies: h2d \+62 per step")

    def test_copies_that_no_longer_overlap_are_red(self):
        self.passes("exact", fault="no_overlap")
        self.red("timed", "no_overlap", r"h2d: 0 % of the copying runs beside compute, was \d+ %")

    def test_another_cpu_passes_the_counters(self):
        self.passes("exact", env={"STEPGATE_TEST_FACTS": "cpu_model=another"})

    def facts(self, tier, facts):
        return self.place.ctest(tier, env={"STEPGATE_TEST_FACTS": facts})

    def test_threads_that_the_program_sets_fail_both_halves(self):
        for tier in ("exact", "timed"):
            result, text = self.facts(tier, "threads=2")
            self.assertEqual(result, "Failed", text)
            self.assertIn("was asked for threads 1 and ended with 2: the program changed it", text)

    def test_a_switch_that_the_program_turns_is_red_and_named(self):
        for tier in ("exact", "timed"):
            result, text = self.facts(tier, "tf32_matmul=on")
            self.assertEqual(result, "Failed", text)
            self.assertIn("REGRESSED", text)
            self.assertIn("the program changed tf32_matmul from off to on", text)

    def test_other_data_fail_and_are_named_before_the_machine(self):
        result, text = self.facts("timed", "data_digest=other,malloc=system,cpu_model=another")
        self.assertEqual(result, "Failed", text)
        self.assertRegex(text, "data_digest was scripted, is other; malloc was tuned, is system; cpu_model was")

    def test_another_gpu_has_no_baseline_and_each_fact_is_named(self):
        facts = "gpu_memory_bytes=8589934592,tf32_matmul="
        result, text = self.place.ctest("exact", env={"STEPGATE_TEST_FACTS": facts})
        self.assertEqual(result, "Skipped", text)
        self.assertIn("gpu_memory_bytes was 85899345920, is 8589934592", text)
        self.assertIn("tf32_matmul was off, is unknown", text)

    def test_a_pull_request_on_the_same_runner_is_red_in_exit_status_too(self):
        self.place.stepgate("gate", CASE, "--tier", "exact", expect=0)
        done = self.place.stepgate("gate", CASE, "--tier", "all", fault="log_sync", expect=1)
        self.assertIn("host syncs", done.stdout)

    def test_files_are_shown_listed_and_linted(self):
        shown = self.place.stepgate("baseline", "show", CASE, expect=0).stdout
        self.assertIn("kernels", shown)
        self.assertIn("step time", shown)
        self.place.stepgate("baseline", "lint", expect=0)
        self.assertRegex(self.place.stepgate("list", expect=0).stdout, rf"{CASE} .* local\n")


class Later(unittest.TestCase):
    """What changes the baselines: each test has a project of its own."""

    def setUp(self):
        self.place = OnGpu()
        self.addCleanup(self.place.close)
        for tier in ("exact", "timed"):
            self.place.ctest(tier)
        self.place.accept()

    def test_a_meant_change_is_shown_by_diff_and_accepted_without_touching_the_times(self):
        before = self.place.runner.read_text()
        self.assertEqual(self.place.ctest("exact", fault="extra_kernel")[0], "Failed")
        self.assertRegex(self.place.stepgate("baseline", "diff", CASE, expect=0).stdout, r"kernels")
        said = self.place.accept(CASE, "--tier", "exact").stdout
        self.assertRegex(said, r"replaced: \S+tiny\.exact\.json \(kernels_per_step 26 -> 27")
        self.assertEqual(self.place.runner.read_text(), before)
        self.assertEqual(self.place.ctest("exact", fault="extra_kernel")[0], "Passed")

    def test_counters_in_a_file_of_times_are_read_and_the_way_out_is_named(self):
        old = json.loads(self.place.runner.read_text())
        exact = json.loads(self.place.exact.read_text())
        for part in ("exact", "bytes", "where"):
            old[part] = exact[part]
        self.place.runner.write_text(json.dumps(old))
        self.place.exact.unlink()
        result, text = self.place.ctest("exact")
        self.assertEqual(result, "Skipped", text)
        self.assertIn(OLD_FORM, text)
        time.sleep(1.1)  # sessions are told apart by the second, and a run in virtual time is faster
        self.assertIn("against 1 session", self.place.ctest("timed")[1], "its session counts")
        self.place.accept(CASE)
        self.assertEqual(self.place.ctest("exact")[0], "Passed")
        self.assertEqual(json.loads(self.place.runner.read_text())["exact"], {})
        self.assertEqual(len(json.loads(self.place.runner.read_text())["sessions"]), 2)
        self.place.stepgate("baseline", "lint", expect=0)

    def test_two_builds_on_this_machine_need_no_file(self):
        for name, fault in (("base", "none"), ("head", "extra_kernel")):
            folder = self.place.folder / name
            shutil.copytree(self.place.folder / "build", folder)
            program = folder / "train"
            program.write_text(f'#!/bin/sh\nSTEPGATE_TEST_FAULT={fault} exec {BUILD}/bin/scripted_gpu "$@"\n')
            program.chmod(0o755)
            file = folder / "stepgate-manifest.json"
            manifest = json.loads(file.read_text())
            manifest["cases"][0]["program"] = str(program)
            file.write_text(json.dumps(manifest))
        shutil.rmtree(self.place.folder / "baselines")
        words = [STEPGATE, "ab", CASE, "--base-build", "base", "--build", "head", "--tier", "exact"]
        done = self.place.run(*words, expect=1)
        self.assertRegex(done.stdout, r"kernels: optimizer \+1 cudaLaunchKernel per step")
        program = self.place.folder / "head" / "train"
        for facts, status, said in (("tf32_matmul=on", 1, "the program changed tf32_matmul from off to on"),
                                    ("threads=2", 3, "was asked for threads 1 and ended with 2")):
            program.write_text(f'#!/bin/sh\nSTEPGATE_TEST_FACTS={facts} exec {BUILD}/bin/scripted_gpu "$@"\n')
            self.assertIn(said, " ".join(self.place.run(*words, expect=status).stdout.split()))


if __name__ == "__main__":
    unittest.main()
