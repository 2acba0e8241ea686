"""Whole loss trajectories of two builds, seed by seed: equal, different, failing, interrupted and resumed; and misuse."""

import json
import signal
import subprocess
import time
import unittest

from gate_runner import CASE, STEPGATE, metric
from two_builds import Builds

SHORT = ["--tier", "exact", "--seeds", "5", "--seed-steps", "50", "--steps", "counts=1,memory=4"]


class Seeds(unittest.TestCase):
    def builds(self, head_fault, **faults):
        builds = Builds(head_fault, **faults)
        self.addCleanup(builds.close)
        return builds

    def ab(self, builds, *words, **options):
        return builds.head.run("ab", CASE, "--base-build", str(builds.base), *words, **options)

    def test_other_rounding_ends_with_the_same_loss(self):
        builds = self.builds("per_token_loss")
        done = self.ab(builds, *SHORT, "--seed", "77", expect=1)  # more work is red
        final = metric(builds.outcome(), "final_loss")
        self.assertEqual((final["status"], final["gating"]), ("pass", True), final)
        self.assertIn("5 seeds of 50 steps", " ".join(done.stdout.split()))
        for side in ("base", "head"):
            files = [builds.folder() / f"seeds/{i:03}/{side}/measurement.json" for i in range(5)]
            records = [json.loads(file.read_text())["replicates"][0]["record"] for file in files]
            self.assertEqual([record["seed"] for record in records], [77, 78, 79, 80, 81])
            losses = {tuple(record["numerics"]["loss"]) for record in records}
            self.assertEqual(({len(each) for each in losses}, len(losses)), ({50}, 5), side)
        exact = json.loads((builds.folder() / "exact/head/measurement.json").read_text())["replicates"][0]["record"]
        self.assertEqual(len(exact["numerics"]["loss"]), 21, "the exact half keeps its own length")

    def test_a_run_with_another_final_loss_is_red(self):
        builds = self.builds("forgotten_zero_grad")
        done = self.ab(builds, *SHORT, expect=1)
        final = metric(builds.outcome(), "final_loss")
        self.assertEqual((final["status"], final["reason"]), ("regressed", "numerics-changed"), done.stdout)
        self.assertIn("--seeds 5 --seed-steps 50", builds.outcome()["commands"]["reproduce"])

    def test_a_failed_run_ends_the_comparison_without_a_verdict(self):
        builds = self.builds("none")
        train = builds.base / "bin" / "train"
        train.write_text(train.read_text().replace("STEPGATE_TEST", "case \"$*\" in *seed=20260102*) exit 9;; esac\n"
                                                   "STEPGATE_TEST"))
        done = self.ab(builds, *SHORT, expect=3)
        self.assertIn("base build, seed 20260102", done.stdout)
        self.assertFalse((builds.folder() / "seeds/002").exists())

    def test_an_interrupted_comparison_keeps_its_runs(self):
        builds = self.builds("none")
        words = [str(STEPGATE), "ab", CASE, "--base-build", str(builds.base), *SHORT, "--build",
                 str(builds.head.folder), "--out", str(builds.head.out)]
        running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = builds.folder() / "seeds/000/head/measurement.json"
        while not first.exists():
            self.assertIsNone(running.poll())
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=120)
        self.assertEqual(running.returncode, 128 + signal.SIGINT)
        kept = first.stat().st_mtime_ns
        done = self.ab(builds, *SHORT, expect=0)
        self.assertEqual(first.stat().st_mtime_ns, kept)
        self.assertIn("5 seeds of 50 steps, equal in every step", " ".join(done.stdout.split()))

    def test_invalid_options_are_refused(self):
        builds = self.builds("none")
        for words, said in ((["--seeds", "4"], "from 5 to"), (["--seeds", "5", "--tier", "timed"], "measures none"),
                            (["--seeds", "5", "--seed-steps", "20"], "from 50 to"),
                            (["--seed-steps", "200"], "add --seeds"), (["--steps", "e2e=20,e2e=30"], "twice")):
            self.assertIn(said, self.ab(builds, *words, expect=2).stderr)


if __name__ == "__main__":
    unittest.main()
