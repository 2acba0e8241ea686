"""stepgate doctor --device on a GPU in virtual time: each line good and bad, checks that crash, hang or write nonsense."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
STEPGATE = BUILD / "bin" / "stepgate"
SCRIPTED = BUILD / "bin" / "scripted_device_check"
REAL = BUILD / "bin" / "stepgate_device_check"
NVML = BUILD / "tests" / "environment" / "fake_nvml"

LINES = ["device", "event_order", "growth_race", "syncs_by_warning", "syncs_by_cupti", "allocator_trace", "work_counts",
         "same_training", "event_cost", "pinning", "copy_rate", "clock", "process_list", "nvml_cost"]


class Doctor(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_doctor(self, *options, laws="", nvml=True, listed=True, **variables):
        """The self-test with some laws broken. With `listed` the driver lists our process while it computes."""
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "STEPGATE_SCRIPTED_DEVICE": laws,
                       "FAKE_NVML_PROCESSES": "0,1" if listed else "0", **variables}
        if nvml:
            environment["LD_LIBRARY_PATH"] = str(NVML)
        words = [str(STEPGATE), "doctor", "--device", "--device-check", str(SCRIPTED), *options]
        return subprocess.run(words, env=environment, cwd=self.folder, capture_output=True, text=True, timeout=300)

    def report(self, *options, **settings):
        """Exit status and the lines by name."""
        done = self.run_doctor("--json", *options, **settings)
        self.assertTrue(done.stdout, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["schema"]["name"], "stepgate.device_report")
        return done.returncode, {line["name"]: line for line in document["lines"]}

    def assert_verdicts(self, lines, **changed):
        """All other lines are ok."""
        expected = {name: changed.get(name, "ok").replace("_", " ") for name in LINES}
        self.assertEqual({name: line["verdict"] for name, line in lines.items()}, expected,
                         json.dumps(lines, indent=1))


class EachLine(Doctor):
    def broken(self, laws, status, **changed):
        found, lines = self.report(laws=laws)
        self.assert_verdicts(lines, **changed)
        self.assertEqual(found, status)
        for name, verdict in changed.items():
            if verdict in ("bad", "crashed"):
                self.assertTrue(lines[name]["remedy"], name)

    def test_all_are_ok_on_a_good_runner(self):
        status, lines = self.report()
        self.assertEqual(list(lines), LINES)
        self.assert_verdicts(lines)
        self.assertEqual(status, 0)

    def test_what_verdicts_rest_on_is_bad_with_status_3(self):
        self.broken("other_gpu", 3, device="bad")
        self.broken("unsigned_time", 3, event_order="bad")
        self.broken("event_ignored", 3, growth_race="bad")
        self.broken("warning_blind", 3, syncs_by_warning="bad")
        self.broken("callback_blind", 3, syncs_by_cupti="bad")
        self.broken("trace_short", 3, allocator_trace="bad")
        self.broken("work_differs", 3, work_counts="bad")
        self.broken("random_training", 3, same_training="bad")

    def test_costs_and_readings_are_bad_with_status_0(self):
        self.broken("slow_events", 0, event_cost="bad")
        self.broken("slow_pinning", 0, pinning="bad")
        self.broken("slow_link", 0, copy_rate="bad")
        self.broken("other_clock", 0, clock="bad")

    def test_what_cannot_be_seen_is_said(self):
        self.broken("cupti_refused", 0, syncs_by_cupti="cannot_see", work_counts="cannot_see")
        self.broken("no_link", 0, copy_rate="cannot_see")
        self.broken("no_race", 0, growth_race="look")
        self.broken("kernel_unrecorded", 0, work_counts="look")

    def test_a_library_may_ask_for_memsets_that_leave_no_record(self):
        self.broken("memset_unrecorded", 0)
        status, lines = self.report()
        self.assertIn("of the kernels 9 by calls of the driver", lines["work_counts"]["figure"])
        self.assertEqual(status, 0)

    def test_several_laws_are_several_lines(self):
        self.broken("event_ignored trace_short slow_link", 3, growth_race="bad", allocator_trace="bad", copy_rate="bad")


class Readings(Doctor):
    def test_a_list_without_our_process(self):
        status, lines = self.report(listed=False)
        self.assert_verdicts(lines, process_list="bad")
        self.assertEqual(status, 0)

    def test_another_process_on_the_gpu(self):
        status, lines = self.report(FAKE_NVML_PROCESSES="1,2")
        self.assert_verdicts(lines, process_list="look")
        self.assertIn("somebody else", lines["process_list"]["meaning"])
        self.assertEqual(status, 0)

    def test_a_driver_that_refuses(self):
        status, lines = self.report(FAKE_NVML_FAIL="nvmlDeviceGetComputeRunningProcesses_v3=4 nvmlDeviceGetClockInfo=3")
        self.assert_verdicts(lines, process_list="cannot_see", clock="cannot_see")
        self.assertIn("nvmlDeviceGetComputeRunningProcesses_v3", lines["process_list"]["figure"])
        self.assertEqual(status, 0)

    def test_a_slow_driver(self):
        status, lines = self.report(FAKE_NVML_SLOW_MS="30")
        self.assert_verdicts(lines, nvml_cost="bad")
        self.assertEqual(status, 0)

    def test_no_library_of_the_driver(self):
        status, lines = self.report(nvml=False)
        self.assert_verdicts(lines, device="look", clock="cannot_see", process_list="cannot_see", nvml_cost="cannot_see")
        self.assertIn("libnvidia-ml", lines["clock"]["figure"])
        self.assertEqual(status, 0)

    def test_processes_are_pinned_by_uuid(self):
        log = self.folder / "seen"
        spy = self.folder / "spy"
        spy.write_text(f"#!/bin/sh\necho \"$2 ${{CUDA_VISIBLE_DEVICES-none}}\" >> {log}\nexec {SCRIPTED} \"$@\"\n")
        spy.chmod(0o755)
        first, second = (f"GPU-fa4e0000-0000-0000-0000-00000000000{n}" for n in range(2))

        def seen(**variables):
            """What the first process got, and what the others got."""
            log.unlink(missing_ok=True)
            environment = {"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": str(NVML), "FAKE_NVML_GPUS": "2", **variables}
            subprocess.run([str(STEPGATE), "doctor", "--device", "--device-check", str(spy)], env=environment,
                           capture_output=True, timeout=300)
            lines = [line.split() for line in log.read_text().splitlines()]
            self.assertEqual((lines[0][0], len(lines)), ("device", 14))
            return lines[0][1], {visible for _, visible in lines[1:]}

        self.assertEqual(seen(), (first, {first}))
        self.assertEqual(seen(CUDA_VISIBLE_DEVICES="1"), (second, {second}))
        self.assertEqual(seen(SLURM_JOB_GPUS="1"), (second, {second}), "the gate takes Slurm's GPU, too")
        self.assertEqual(seen(FAKE_NVML_NAMES="0=Slower"), ("none", {first}), "only CUDA knows which one is its first")
        self.assertEqual(seen(FAKE_NVML_GPUS="1", FAKE_NVML_MIG="1", FAKE_NVML_INSTANCES="1"),
                         ("MIG-fa4e-0", {"MIG-fa4e-0"}))

    def test_a_uuid_that_opens_another_gpu_is_bad(self):
        status, lines = self.report(FAKE_NVML_GPUS="2", CUDA_VISIBLE_DEVICES="1")
        self.assertEqual((status, lines["device"]["verdict"]), (3, "bad"), "the scripted GPU is the first one")
        self.assertIn("the driver has the GPU of its UUID at 0000:4b:00.0", lines["device"]["figure"])


class Failures(Doctor):
    def test_a_crash_is_its_own_line(self):
        status, lines = self.report(laws="crash=growth_race")
        self.assert_verdicts(lines, growth_race="crashed")
        self.assertIn("SIGSEGV", lines["growth_race"]["figure"])
        self.assertEqual(status, 3)
        status, lines = self.report(laws="crash=event_cost")
        self.assert_verdicts(lines, event_cost="crashed")
        self.assertEqual(status, 0, "no verdict rests on it")

    def test_a_hang_ends_at_the_limit(self):
        status, lines = self.report("--timeout", "2", laws="hang=pinning")
        self.assert_verdicts(lines, pinning="crashed")
        self.assertIn("limit of 2 s", lines["pinning"]["figure"])
        self.assertEqual(status, 0)

    def test_silence_garbage_and_an_error_are_told(self):
        status, lines = self.report(laws="silent=training garbage=event_order fail=copy_rate")
        self.assert_verdicts(lines, same_training="crashed", event_order="crashed", copy_rate="crashed")
        self.assertIn("wrote no figures", lines["same_training"]["figure"])
        self.assertIn("event_order.json", lines["event_order"]["figure"])
        self.assertIn("illegal memory access", lines["copy_rate"]["figure"])
        self.assertEqual(status, 3)

    def test_a_broken_gpu_is_no_missing_gpu(self):
        status, lines = self.report(laws="fail=device")
        self.assert_verdicts(lines, device="crashed")
        self.assertIn("illegal memory access", lines["device"]["figure"])
        self.assertEqual(status, 3)
        status, lines = self.report(laws="fail=device", nvml=False)
        self.assert_verdicts(lines, device="crashed", clock="cannot_see", process_list="cannot_see",
                             nvml_cost="cannot_see")
        self.assertEqual(status, 3)

    def test_a_gpu_that_the_driver_lists_is_not_missing(self):
        status, lines = self.report(laws="missing")
        self.assertEqual((status, lines["device"]["verdict"]), (3, "crashed"))
        for part in ("no CUDA device is visible", "the driver lists GPU-fa4e0000-0000-0000-0000-000000000000"):
            self.assertIn(part, lines["device"]["figure"])

    def test_a_choice_that_cannot_be_meant_is_refused(self):
        done = self.run_doctor(CUDA_VISIBLE_DEVICES="9")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("CUDA_VISIBLE_DEVICES=9: '9' names no GPU of this machine", done.stderr)
        self.assertIn("next: nvidia-smi -L", done.stderr)

    def test_without_a_gpu_nothing_else_is_started(self):
        done = self.run_doctor(laws="missing", nvml=False)
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertIn("no CUDA device is visible", done.stdout)
        hidden = self.run_doctor(laws="missing", CUDA_VISIBLE_DEVICES="")
        self.assertEqual(hidden.returncode, 77, "the driver lists a GPU that nobody asks for")
        document = json.loads(self.run_doctor("--json", laws="missing", nvml=False).stdout)
        self.assertEqual((document["lines"], list(document["runs"])), ([], ["device"]))
        self.assertIn("no CUDA device", document["missing"])

    def test_no_program(self):
        done = subprocess.run([str(STEPGATE), "doctor", "--device", "--device-check", "/nonexistent"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("/nonexistent is not there", done.stderr)
        self.assertIn("next: ", done.stderr)

    def test_leaves_no_files_behind(self):
        scratch = self.folder / "tmp"
        scratch.mkdir()
        self.run_doctor(laws="crash=training", TMPDIR=str(scratch))
        self.assertEqual(list(scratch.iterdir()), [])


class Page(Doctor):
    def test_a_good_page(self):
        done = self.run_doctor()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("self-test of a GPU · Scripted GPU"), done.stdout)
        self.assertIn("14 lines: 14 ok\n", done.stdout)
        self.assertIn("exit status 0", done.stdout)

    def test_a_bad_page_has_a_remedy_for_each_bad_line(self):
        done = self.run_doctor(laws="event_ignored slow_link crash=training")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(len(re.findall(r"^(bad|crashed) ", done.stdout, re.M)), 3)
        self.assertEqual(len(re.findall(r"remedy: ", done.stdout)), 3)
        self.assertIn("(growth_race, same_training): exit status 3", " ".join(done.stdout.split()))


class Options(unittest.TestCase):
    def refused(self, *options):
        done = subprocess.run([str(STEPGATE), "doctor", *options], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr

    def test_options_of_the_host_and_of_the_gpu_do_not_mix(self):
        for words in (["--guard", "host"], ["--build", "."], ["--state-dir", "."], ["--runner-class", "x"],
                      ["--guard", "host", "--gpu-clock", "1500"]):
            self.assertIn("--device", self.refused("--device", *words), words)
        self.assertIn("need --device", self.refused("--timeout", "5"))
        self.assertIn("need --device", self.refused("--device-check", "program"))
        self.refused("--device", "language/char_lm/tiny")


@unittest.skipUnless(REAL.exists(), "this build has no LibTorch with CUDA")
class RealProgram(unittest.TestCase):
    """These hold on a machine without a GPU."""

    def test_lists_its_checks(self):
        done = subprocess.run([str(REAL), "--list"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [line.split()[0] for line in done.stdout.splitlines()]
        self.assertEqual(names[0], "device")
        self.assertEqual(len(names), 13)

    def test_refuses_a_wrong_command_line(self):
        for words in ([], ["--check"], ["--check", "event_orde"], ["--everything"]):
            done = subprocess.run([str(REAL), *words], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn("next: ", done.stderr)
        self.assertIn("event_order?", subprocess.run([str(REAL), "--check", "event_orde"], capture_output=True,
                                                     text=True).stderr)

    @unittest.skipIf(pathlib.Path("/dev/nvidiactl").exists(), "this machine has a GPU")
    def test_without_a_gpu_says_what_is_missing(self):
        done = subprocess.run([str(STEPGATE), "doctor", "--device"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 77, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"no GPU +\S")


if __name__ == "__main__":
    unittest.main()
