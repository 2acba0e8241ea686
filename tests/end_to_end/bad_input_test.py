"""Misuse and faulty programs: exit status, a message with what, where and the next command, and no data is lost."""

import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import time
import unittest

from gate_runner import BUILD, CASE, FAULTY, SOURCE, STEPGATE, Workplace

DATA = pathlib.Path(os.environ.get("STEPGATE_TEST_DATA_DIR", ""))


class BadInput(unittest.TestCase):
    def setUp(self):
        self.place = Workplace()
        self.addCleanup(self.place.close)

    def refused(self, done, status, *parts):
        text = done.stderr + done.stdout
        self.assertEqual(done.returncode, status, text)
        for part in parts:
            self.assertIn(part, text)

    def failed(self, fault, *parts, words=(), status=3):
        done = self.place.gate("exact", fault=fault, words=["--exact-replicates", "1", *words])
        self.refused(done, status, "1 failed", CASE, *parts)
        self.assertEqual(self.place.verdict("exact")["status"], "failed")
        measurement = json.loads((self.place.out / CASE / "exact" / "measurement.json").read_text())
        return measurement

    def test_unknown_case(self):
        done = self.place.run("gate", "language/char_lm/tinny")
        self.refused(done, 2, "language/char_lm/tinny", "did you mean 'language/char_lm/tiny'")

    def test_unknown_flag_and_command(self):
        self.refused(self.place.run("gate", "--replicate", "3"), 2, "--replicate", "--replicates")
        self.refused(self.place.run("gaet"), 2, "gaet", "stepgate gate")

    def test_filter_that_matches_nothing(self):
        self.refused(self.place.run("gate", "--filter", "vision/*"), 2, "vision/*", "stepgate list")

    def test_label_that_matches_nothing(self):
        done = subprocess.run(["ctest", "--test-dir", str(BUILD), "-L", "no_such_label", "--no-tests=error"],
                              capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("No tests were found", done.stdout + done.stderr)

    def test_no_manifest(self):
        done = subprocess.run([str(STEPGATE), "list"], cwd="/", capture_output=True, text=True)
        self.refused(done, 2, "stepgate-manifest.json", "--build")

    def test_zero_steps(self):
        self.refused(self.place.run("gate", "--steps", "counts=0"), 2, "--steps", "counts")
        self.refused(self.place.run("gate", "--replicates", "0"), 2, "--replicates")

    def test_steps_that_do_not_fit_a_window(self):
        done = self.place.gate("timed", words=["--steps", "e2e=15,window=10", "--replicates", "1"])
        self.refused(done, 3, "e2e", "15")

    def test_run_says_why_a_process_failed(self):
        done = self.place.run("run", CASE, "--tier", "timed", "--replicates", "1", "--steps", "e2e=15,window=10")
        self.refused(done, 3, "failed: ended with status", "e2e=15 is not a multiple of window=10", "next: ")

    def test_debug_build(self):
        self.place.manifest["build_type"] = "Debug"
        self.place.write_manifest()
        self.refused(self.place.gate("exact"), 2, "Debug", "Release")

    def test_program_is_missing(self):
        self.place.manifest["cases"][0]["program"] = str(self.place.folder / "gone")
        self.place.write_manifest()
        done = self.place.gate("exact")
        self.refused(done, 3, "not built: gone", "next: build it: cmake --build . --target stepgate_cases")
        self.assertEqual(done.stderr.count("gone"), 1, done.stderr)

    def test_policies_are_missing(self):
        shutil.rmtree(self.place.policies)
        self.refused(self.place.gate("exact"), 2, "no folder of policies", str(self.place.policies), "POLICY_ROOT")

    def test_crash(self):
        measurement = self.failed("crash", "killed by signal 11 (SIGSEGV)")
        failure = measurement["replicates"][0]["failure"]
        self.assertEqual(failure["kind"], "crashed")
        self.assertTrue(failure["message"].endswith(" s in pass counts, boundary forward, step 2"), failure)

    def test_crash_in_warm_up(self):
        done = self.place.gate("timed", fault="crash", words=["--replicates", "1"])
        self.refused(done, 3, "in warm-up, boundary forward, step 2")

    def test_crash_while_the_workload_is_built(self):
        measurement = self.failed("crash_at_start", "killed by signal 11 (SIGSEGV)")
        message = measurement["replicates"][0]["failure"]["message"]
        self.assertTrue(message.endswith(" s in pass counts, before its first step"), message)

    def test_stack_overflow(self):
        measurement = self.failed("stack_overflow", "killed by signal 11 (SIGSEGV)")
        message = measurement["replicates"][0]["failure"]["message"]
        self.assertTrue(message.endswith(" s in pass counts, boundary forward, step 2"), message)

    def test_hang(self):
        measurement = self.failed("hang", "10", words=["--timeout", "10"])
        failure = measurement["replicates"][0]["failure"]
        self.assertEqual(failure["kind"], "timed_out")
        self.assertIn("after its limit of 10 s in pass counts, boundary forward, step 2, stopped", failure["message"])
        self.assertEqual(subprocess.run(["pgrep", "-f", str(self.place.folder)], capture_output=True).stdout, b"")

    def test_garbage(self):
        measurement = self.failed("garbage", "record")
        self.assertEqual(measurement["replicates"][0]["failure"]["kind"], "no_record")

    def program(self, script):
        path = self.place.folder / "program.sh"
        path.write_text("#!/bin/bash\nfor word; do case $word in --stepgate_record=*) record=${word#*=};; esac; done\n"
                        + script)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        self.place.manifest["cases"][0]["program"] = str(path)
        self.place.write_manifest()

    def test_record_of_another_case(self):
        self.program(f'{FAULTY} "$@" && sed -i s,char_lm/tiny,char_lm/other, "$record"\n')
        measurement = self.failed("none", "language/char_lm/other")
        self.assertEqual(measurement["replicates"][0]["failure"]["kind"], "wrong_case")

    def test_truncated_record(self):
        self.program(f'{FAULTY} "$@" && truncate -s 1000 "$record"\n')
        self.assertEqual(self.failed("none")["replicates"][0]["failure"]["kind"], "bad_record")

    def test_record_without_steps(self):
        self.program('echo "{}" > "$record"\n')
        self.assertEqual(self.failed("none")["replicates"][0]["failure"]["kind"], "bad_record")

    def test_data_missing(self):
        self.failed("none", "/no/such/folder", "ci/setup", words=["--data", "/no/such/folder"])

    def test_data_altered(self):
        copy = self.place.folder / "data"
        shutil.copytree(DATA, copy)
        victim = max((p for p in copy.rglob("*.py")), key=lambda p: p.stat().st_size)
        victim.write_bytes(victim.read_bytes() + b"#")
        self.failed("none", "altered", "SHA-256", words=["--data", str(copy)])

    def inside_mount(self, options, words):
        """Runs stepgate with a private tmpfs over the result folder."""
        self.place.out.mkdir()
        script = f'mount -t tmpfs -o {options} tmpfs {self.place.out} && exec "$@"'
        wrapped = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", str(STEPGATE), *words,
                   "--build", str(self.place.folder), "--out", str(self.place.out)]
        return subprocess.run(wrapped, capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def test_read_only_result_folder(self):
        done = self.inside_mount("size=1m,ro", ["gate", CASE, "--tier", "exact"])
        self.refused(done, 2, "--out", "Read-only")

    def test_full_disk(self):
        done = self.inside_mount("size=24k", ["gate", CASE, "--tier", "exact", "--exact-replicates", "1"])
        self.refused(done, 3, "space")

    def test_a_missing_device_is_skipped_unless_required(self):
        self.place.manifest["cases"][0]["device"] = "cuda"
        self.place.write_manifest()
        no_gpu = {"CUDA_VISIBLE_DEVICES": ""}
        self.refused(self.place.gate("exact", env=no_gpu), 77, "1 skipped", "CUDA")
        failure = self.place.verdict("exact")["failures"][0]
        self.assertIn("CUDA", failure["message"] + failure["output_tail"])
        self.refused(self.place.gate("exact", env=no_gpu, words=["--require-gpu"]), 3, "1 failed", "--require-gpu allows",
                     "exit status 3")

    def test_with_a_required_gpu_one_skipped_case_of_two_is_not_green(self):
        other = BUILD / "bin" / "perftests"
        self.place.manifest["cases"].append({**self.place.manifest["cases"][0], "name": "language/char_lm/full",
                                             "device": "cuda", "program": str(other)})
        self.place.write_manifest()
        no_gpu = {"CUDA_VISIBLE_DEVICES": ""}
        words = ["gate", "--tier", "exact", "--exact-replicates", "1"]
        self.place.run(*words, env=no_gpu, expect=5)
        self.place.accept(expect=0)
        self.refused(self.place.run(*words, env=no_gpu), 77, "1 skipped, 1 pass", "nothing is known about the skipped ones")
        self.refused(self.place.run(*words, "--require-baseline", env=no_gpu), 77, "1 skipped, 1 pass")
        self.refused(self.place.run(*words, "--require-gpu", env=no_gpu), 3, "char_lm/full", "--may-skip", "exit status 3")
        allowed = {**no_gpu, "STEPGATE_MAY_SKIP": "language/char_lm/full"}
        self.refused(self.place.run(*words, "--require-gpu", env=allowed), 77, "1 skipped, 1 pass")
        self.refused(self.place.run(*words, "--may-skip", "language/char_lm/ful", env=no_gpu), 2,
                     "unknown case 'language/char_lm/ful'", "did you mean 'language/char_lm/full'?")
        self.a_required_job_reads_it({**no_gpu, "STEPGATE_COMMIT": "4be1c0ffee12" + "0" * 28}, words)

    def a_required_job_reads_it(self, env, words):
        self.place.run(*words, env=env, expect=77)
        self.place.run("report", env=env, expect=77)
        script = [sys.executable, str(SOURCE / "ci" / "workflows" / "require_green.py"), str(self.place.out / "verdict.json"),
                  "--commit", env["STEPGATE_COMMIT"]]
        red = subprocess.run(script, capture_output=True, text=True)
        self.assertEqual((red.returncode, red.stderr), (1, ""), red.stdout)
        self.assertIn("language/char_lm/full (exact): skipped", red.stdout)
        green = subprocess.run([*script, "--may-skip", "language/char_lm/full"], capture_output=True, text=True)
        self.assertEqual((green.returncode, green.stderr), (0, ""), green.stdout)

    def test_an_option_of_another_command(self):
        for words, flag in ((["gate", "--vary", "a=1,2"], "gate does not take --vary"),
                            (["report", "--replicates", "3"], "report does not take --replicates"),
                            (["run", "--ledger"], "a command that takes it (report)"), (["baseline"], "accept, diff, lint, show"),
                            (["report", "--ledger", "--json"], "below memory")):
            self.refused(self.place.run(*words), 2, flag, "next: ")

    def test_results_of_different_commits_have_none(self):
        """Both are of the programs, the policy and the baselines that are there; a required check accepts them for neither."""
        self.place.gate("exact", words=["--exact-replicates", "1"], expect=5)
        self.place.gate("timed", words=["--replicates", "1"], expect=5)
        for tier, commit in (("exact", "1111111"), ("timed", "2222222")):
            file = self.place.out / CASE / tier / "verdict.json"
            document = json.loads(file.read_text())
            document["commit"] = commit
            file.write_text(json.dumps(document))
        done = self.place.run("report", "--json")
        document = json.loads(done.stdout)
        self.assertEqual(document["commit"], "")
        self.assertEqual({outcome["group"] for outcome in document["outcomes"]}, {"exact", "timed"})
        self.assertIn("these results are of different commits (1111111, 2222222)", done.stderr)

    def test_check_judges_the_half_that_was_measured(self):
        self.place.gate("exact", expect=5)
        self.place.accept(expect=0)
        file = str(self.place.out / CASE / "exact" / "measurement.json")
        self.refused(self.place.run("check", file), 0, "1 pass")

    def wait_for_a_record(self):
        for _ in range(600):
            if any((self.place.out / CASE / "timed").glob("timed-*.record.json")):
                return
            time.sleep(0.1)
        self.fail("no process wrote its record within a minute")

    def test_interrupt_stops_children_and_leaves_valid_files(self):
        words = [str(STEPGATE), "gate", CASE, "--tier", "timed", "--replicates", "20", "--build",
                 str(self.place.folder), "--out", str(self.place.out)]
        running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.wait_for_a_record()  # a busy machine takes long for the first process
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=30)
        self.assertEqual(running.returncode, 130, errors)
        self.assertEqual(subprocess.run(["pgrep", "-f", "stepgate_record=" + str(self.place.out)], capture_output=True).stdout, b"")
        json.loads((self.place.out / CASE / "timed" / "stopped-measurement.json").read_text())


if __name__ == "__main__":
    unittest.main()
