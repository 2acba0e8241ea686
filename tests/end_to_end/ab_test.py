"""Two builds of one program in interleaved pairs: unchanged, slower, with more work; interrupted and resumed; misuse.

A one-line script around the faulty program chooses the fault of each side. So base and head are files of different
content, as two builds are. The machine may be shared: if a slow head is inconclusive, the test is skipped (77) with a
message. A slow head must never pass.
"""

import json
import signal
import subprocess
import sys
import time
import unittest

from gate_runner import CASE, STEPGATE, causes, metric
from two_builds import QUICK, Builds, program

TOO_NOISY = 77


class Unchanged(unittest.TestCase):
    def test_is_never_red_and_shows_its_evidence(self):
        builds = Builds("none")
        self.addCleanup(builds.close)
        done = builds.ab("--pairs", "4", "--order-seed", "5", "--interleave", "processes")
        self.assertIn(done.returncode, (0, 4), done.stdout)
        outcome = builds.outcome()
        self.assertEqual(metric(outcome, "operators_per_step")["reason"], "equal")
        step = metric(outcome, "step_time_ns")
        self.assertIn(step["status"], ("pass", "inconclusive"))
        self.assertIn("over 4 pairs", step["detail"])
        self.assertIsNone(step.get("detectable_change"), "with four pairs nothing can be red")
        plan = json.loads((builds.folder() / "ab.json").read_text())
        self.assertEqual((plan["order_seed"], plan["complete"], plan["control"]), (5, True, True))
        self.assert_sides_are_alike(builds)
        # A finished run gets no more pairs: the same command starts a new run.
        before = (builds.folder() / "pairs/000/base/measurement.json").stat().st_mtime_ns
        again = builds.ab("--pairs", "4", "--order-seed", "5", "--tier", "timed", "--budget", "0.1")
        self.assertNotIn("continuing", again.stderr)
        self.assertGreater((builds.folder() / "pairs/000/base/measurement.json").stat().st_mtime_ns, before)

    def assert_sides_are_alike(self, builds):
        sides = {}
        for side in ("pairs/000/base", "pairs/000/head"):
            document = json.loads((builds.folder() / side / "measurement.json").read_text())
            replicate = document["replicates"][-1]
            sides[side] = (sum(map(len, replicate["command"])), replicate["environment"])
        self.assertEqual(sides["pairs/000/base"], sides["pairs/000/head"])
        self.assertFalse((builds.folder() / "control").exists(), "nothing is red that a control could withdraw")
        base, head, aa_copy = (next((builds.head.out / "ab-builds").glob(f"*/{name}/train"))
                               for name in ("base", "head", "twin"))
        self.assertEqual(base.read_bytes(), aa_copy.read_bytes())
        self.assertEqual(len(str(base)), len(str(head)))


class AlternatingWindows(unittest.TestCase):
    """Both processes of a pair are alive and run their windows alternately."""

    def test_are_decided_like_other_pairs(self):
        builds = Builds("none")
        self.addCleanup(builds.close)
        done = builds.ab("--tier", "timed", "--pairs", "4")  # alternating windows are the default on one CPU
        self.assertIn(done.returncode, (0, 4), done.stdout)
        self.assertIn("over 4 pairs", metric(builds.outcome(), "step_time_ns")["detail"])
        sides = [json.loads((builds.folder() / f"pairs/000/{side}/measurement.json").read_text())["replicates"][-1]
                 for side in ("base", "head")]
        for side in sides:
            self.assertEqual(len(side["record"]["timed"]["e2e"]["steps"]["wall_ns"]), 40)
            self.assertRegex(" ".join(side["command"]), r"--stepgate_turns=\d{3}( |$)")
        self.assertTrue(json.loads((builds.folder() / "ab.json").read_text())["in_turns"])

    def test_a_crash_of_one_side_ends_the_wait_of_the_other(self):
        builds = Builds("crash")
        self.addCleanup(builds.close)
        begin = time.monotonic()
        done = builds.ab("--tier", "timed", "--pairs", "4", "--interleave", "windows", expect=3)
        self.assertIn("killed by signal", done.stdout)
        self.assertLess(time.monotonic() - begin, 100, "the time limit of the waiting process is 240 s")


class Slower(unittest.TestCase):
    def test_is_red_confirmed_and_names_forward(self):
        builds = Builds("slow_forward")
        self.addCleanup(builds.close)
        done = builds.ab("--tier", "timed", "--budget", "60")
        outcome = builds.outcome()
        self.assertIn(outcome["status"], ("regressed", "inconclusive"), done.stdout)
        red = [m for m in outcome["metrics"] if m["status"] == "regressed" and m["gating"]]
        # The first step is slower too and has its own margins: if only the first step is red, the others prove nothing.
        if not {m["metric"] for m in red} & {"step_time_ns", "step_time_mean_ns"}:
            print("SKIPPED, this machine is too noisy for a red:\n  " + outcome["detail"])
            self.skipTest("too noisy")
        self.assertEqual(done.returncode, 1)
        self.assertEqual({m["reason"] for m in red}, {"regressed"}, "confirmed, not 'regressed-unconfirmed'")
        self.assertIn("forward", causes(outcome), done.stdout)
        self.assertIn("ab language/char_lm/tiny --base-build", outcome["commands"]["reproduce"])
        # The red has its control, whose sides are measured alike.
        pairs, control = (len(list((builds.folder() / kind).iterdir())) for kind in ("pairs", "control"))
        self.assertEqual(pairs, control)
        sides = [json.loads((builds.folder() / f"control/000/{side}/measurement.json").read_text())["replicates"][-1]
                 for side in ("base", "twin")]
        self.assertEqual(sum(map(len, sides[0]["command"])), sum(map(len, sides[1]["command"])))
        self.assertEqual(sides[0]["environment"], sides[1]["environment"])


class MoreWork(unittest.TestCase):
    def test_is_red_in_the_exact_half_without_any_baseline(self):
        builds = Builds("stray_item")
        self.addCleanup(builds.close)
        builds.ab("--tier", "exact", expect=1)
        outcome = builds.outcome()
        self.assertEqual(metric(outcome, "host_syncs_per_step")["status"], "regressed")
        self.assertIn("aten::item", causes(outcome))
        self.assertFalse((builds.head.baselines / "portable").exists())

    def test_a_red_in_bytes_has_six_processes_per_side(self):
        builds = Builds("kept_activation")
        self.addCleanup(builds.close)
        builds.ab("--tier", "exact", expect=1)
        self.assertEqual(metric(builds.outcome(), "peak_allocated_bytes")["status"], "regressed")
        self.assertEqual(len(list((builds.folder() / "exact").glob("more-*/*/measurement.json"))), 8)

    def test_bytes_that_agreed_by_chance_are_not_red(self):
        builds = Builds("kept_activation")
        self.addCleanup(builds.close)
        train = builds.head.folder / "bin" / "train"
        # Only the first two processes of the head use more bytes.
        train.write_text(train.read_text().replace(
            "STEPGATE_TEST_FAULT=kept_activation",
            f"echo >> {train}.runs; [ $(wc -l < {train}.runs) -gt 2 ] && FAULT=none\n"
            "STEPGATE_TEST_FAULT=${FAULT:-kept_activation}"))
        builds.ab("--tier", "exact", expect=4)
        peak = metric(builds.outcome(), "peak_allocated_bytes")
        self.assertEqual((peak["status"], peak["reason"]), ("inconclusive", "bytes-vary"), peak)

    def test_less_work_is_improved(self):
        builds = Builds("none", base_fault="stray_item")
        self.addCleanup(builds.close)
        builds.ab("--tier", "exact", expect=0)
        self.assertEqual(metric(builds.outcome(), "host_syncs_per_step")["status"], "improved")


class Interrupted(unittest.TestCase):
    def test_a_resumed_run_keeps_its_pairs(self):
        builds = Builds("none")
        self.addCleanup(builds.close)
        words = [str(STEPGATE), "ab", CASE, "--base-build", str(builds.base), *QUICK, "--tier", "timed", "--pairs", "4",
                 "--build", str(builds.head.folder), "--out", str(builds.head.out)]
        running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = builds.folder() / "pairs/000/head/measurement.json"
        while not first.exists():
            self.assertIsNone(running.poll())
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=120)
        self.assertEqual(running.returncode, 128 + signal.SIGINT)
        self.assertIn("finished pairs are kept", said)
        kept = first.read_bytes()
        seed = json.loads((builds.folder() / "ab.json").read_text())["order_seed"]
        self.assertEqual((builds.head.out / "ab-unfinished.txt").read_text(), f"{seed}\n")
        done = builds.ab("--tier", "timed", "--pairs", "4")
        self.assertIn("continuing the run of", done.stderr)
        self.assertEqual(first.read_bytes(), kept)
        self.assertEqual(json.loads((builds.folder() / "ab.json").read_text())["order_seed"], seed)
        self.assertFalse((builds.head.out / "ab-unfinished.txt").exists())
        self.assertIn("over 4 pairs", metric(builds.outcome(), "step_time_ns")["detail"])


    def test_a_finished_case_gets_no_more_pairs(self):
        builds = Builds("none")
        self.addCleanup(builds.close)
        builds.ab("--tier", "timed", "--budget", "0.1")  # finished: the time budget ends after the first pair
        had = sorted((builds.folder() / "pairs").iterdir())
        seed = json.loads((builds.folder() / "ab.json").read_text())["order_seed"]
        (builds.head.out / "ab-unfinished.txt").write_text(f"{seed}\n")  # as if another case of the run had been interrupted
        builds.ab("--tier", "timed", "--budget", "20", expect=4)
        self.assertEqual(sorted((builds.folder() / "pairs").iterdir()), had)


class Gate(unittest.TestCase):
    def test_a_case_that_the_base_lacks_keeps_the_result_of_the_pre_check(self):
        builds = Builds("none")
        self.addCleanup(builds.close)
        manifest = json.loads((builds.base / "stepgate-manifest.json").read_text())
        manifest["cases"][0]["name"] = "language/char_lm/old"
        (builds.base / "stepgate-manifest.json").write_text(json.dumps(manifest))
        done = builds.head.run("gate", CASE, "--tier", "timed", "--replicates", "1", *QUICK, "--base-build",
                               str(builds.base), expect=5)
        self.assertIn(f"{CASE} is only in the head build", done.stderr)

    def test_a_crash_in_the_pre_check_stays_a_failure_after_clean_pairs(self):
        builds = Builds("none")
        self.addCleanup(builds.close)
        train = builds.head.folder / "bin" / "train"
        # The second timed process crashes. The reference case uses the same program.
        crash = (f"case \"$*\" in *group=timed*) if [ ! -e {train}.one ]; then touch {train}.one; "
                 f"elif [ ! -e {train}.two ]; then touch {train}.two; kill -SEGV $$; fi;; esac\n")
        train.write_text(train.read_text().replace("STEPGATE_TEST", crash + "STEPGATE_TEST"))
        done = builds.head.run("gate", CASE, "--tier", "timed", "--replicates", "2", "--pairs", "4", *QUICK,
                               "--base-build", str(builds.base), expect=3)
        self.assertIn("SIGSEGV", done.stdout)

    def test_a_slower_machine_is_distinguished_from_slower_code(self):
        """Stored sessions have half of today's times; both builds are the same."""
        builds = Builds("none")
        self.addCleanup(builds.close)
        words = ["gate", CASE, "--tier", "timed", "--replicates", "3", "--session-gap", "0", *QUICK]
        builds.head.run(*words, expect=5)
        builds.head.accept(expect=0)
        self.pretend_five_faster_sessions(builds.head.baselines / "local" / f"{CASE}.json")
        pre_check = builds.head.run(*words)
        self.assertIn(pre_check.returncode, (1, 4), pre_check.stdout)
        done = builds.head.run(*words, "--pairs", "4", "--base-build", str(builds.base))
        self.assertIn(done.returncode, (0, 4), done.stdout)
        step = metric(builds.head.verdict("timed"), "step_time_ns")
        self.assertIn("the machine moved: the base is slower here too", step["detail"])
        self.assertIn("over 4 pairs", step["detail"])

    @staticmethod
    def pretend_five_faster_sessions(file):
        document = json.loads(file.read_text())
        session = document["sessions"][0]
        for name, values in session["timed"].items():
            if name != "reference_step_ns":
                session["timed"][name] = [value / 2 if name.endswith("_ns") else value * 2 for value in values]
        document["sessions"] = [{**session, "unix_s": session["unix_s"] - 7200 * ago,
                                 "utc": f"2026-01-0{5 - ago}T00:00:00Z"} for ago in range(4, -1, -1)]
        file.write_text(json.dumps(document))


class BadInput(unittest.TestCase):
    def setUp(self):
        self.builds = Builds("none")
        self.addCleanup(self.builds.close)

    def refused(self, *words):
        done = self.builds.head.run("ab", *words)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("next: ", done.stderr)
        return done.stderr

    def test_without_a_base_build(self):
        self.assertIn("ab needs --base-build", self.refused(CASE))
        self.assertIn("--base-build: no stepgate-manifest.json in /nowhere", self.refused(CASE, "--base-build", "/nowhere"))

    def test_a_case_that_the_base_lacks(self):
        manifest = json.loads((self.builds.base / "stepgate-manifest.json").read_text())
        manifest["cases"][0]["name"] = "language/char_lm/old"
        (self.builds.base / "stepgate-manifest.json").write_text(json.dumps(manifest))
        said = self.refused(CASE, "--base-build", str(self.builds.base))
        self.assertIn("language/char_lm/old is only in the base build", said)
        self.assertIn(f"{CASE} is only in the head build", said)

    def test_a_missing_program(self):
        (self.builds.base / "bin" / "train").unlink()
        self.assertIn("base/bin/train", self.refused(CASE, "--base-build", str(self.builds.base)))

    def test_two_build_folders_that_run_one_program(self):
        (self.builds.base / "bin" / "train").unlink()
        (self.builds.base / "bin" / "train").symlink_to(self.builds.head.folder / "bin" / "train")
        self.assertIn("both run", self.refused(CASE, "--base-build", str(self.builds.base), "--tier", "exact"))
        done = self.builds.head.run("gate", CASE, "--base-build", str(self.builds.base), "--tier", "exact")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)

    def test_builds_of_different_kinds(self):
        manifest = json.loads((self.builds.base / "stepgate-manifest.json").read_text())
        for kind in ("RelWithDebInfo", "Debug"):
            manifest["build_type"] = kind
            (self.builds.base / "stepgate-manifest.json").write_text(json.dumps(manifest))
            self.assertIn(kind, self.refused(CASE, "--base-build", str(self.builds.base)))

    def test_a_crash_of_the_base_names_the_base(self):
        program(self.builds.base / "bin" / "train", "crash")
        done = self.builds.ab("--tier", "timed", expect=3)
        self.assertIn("base build: ", done.stdout)

    def test_invalid_numbers(self):
        for words in (["--pairs", "0"], ["--pairs", "5"], ["--budget", "-1"]):
            self.assertIn(words[0], self.refused(CASE, "--base-build", str(self.builds.base), *words))


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(1 if not result.wasSuccessful() else TOO_NOISY if result.skipped else 0)
