"""Faults between real photographs and the step: each is red, and the cause names its boundary.

The exact half decides where work moved. The supply of the loader is a time, and the machine may be shared. So a faulty
program is measured up to four times. It must never pass, and the first red must name the loader.
"""

import sys
import unittest

from gate_runner import BUILD, Workplace, causes, metric

CASE = "vision/photo_decode/tiny"
TOO_NOISY = 77
# Only the loader pass matters here. The others are as short as allowed.
QUICK = ["--tier", "timed", "--session-gap", "0", "--replicates", "3", "--steps",
         "e2e=10,window=10,phase=1,synthetic=10,loader=200,h2d=1,logging=40"]


def workplace():
    place = Workplace(program=BUILD / "bin" / "faulty_photo_decode", case=CASE)
    place.manifest["cases"][0]["cpus"] = 2
    place.write_manifest()
    return place


class ExactHalf(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = workplace()
        cls.place.run("gate", CASE, "--tier", "exact", expect=5)
        cls.place.accept(expect=0)

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def red(self, fault):
        done = self.place.run("gate", CASE, "--tier", "exact", fault=fault, expect=1)
        outcome = self.place.verdict("exact", CASE)
        self.assertEqual(outcome["status"], "regressed", done.stdout)
        return outcome, causes(outcome)

    def assert_regressed(self, outcome, name):
        self.assertEqual(metric(outcome, name)["status"], "regressed", metric(outcome, name))

    def test_unchanged_code_passes(self):
        self.place.run("gate", CASE, "--tier", "exact", expect=0)

    def test_workers_do_not_change_the_work(self):
        self.place.run("gate", CASE, "--tier", "exact", fault="one_worker_less", expect=0)

    def test_batch_split_into_many_small_tensors(self):
        outcome, cause = self.red("split_batch")
        self.assert_regressed(outcome, "h2d_copies_per_step")
        self.assertRegex(cause, r"H2D copies: h2d \+3 per step")

    def test_wider_dtype(self):
        outcome, cause = self.red("upcast")
        self.assert_regressed(outcome, "h2d_bytes_per_step")
        self.assert_regressed(outcome, "loader_bytes_per_batch")
        self.assertRegex(cause, r"H2D bytes: h2d \+")
        self.assertRegex(cause, r"dtype")

    def test_augmentation_moved_into_forward(self):
        outcome, cause = self.red("hot_augmentation")
        self.assert_regressed(outcome, "operators_per_step")
        self.assertEqual(metric(outcome, "loader_operators_per_batch")["status"], "pass")
        self.assertRegex(cause, r"forward.*aten::")
        self.assertRegex(cause, r"aten::(arange|flip|where|remainder)")

    def test_log_that_syncs_each_step(self):
        outcome, cause = self.red("log_sync")
        self.assert_regressed(outcome, "host_syncs_per_step")
        self.assertRegex(cause, r"logging")


class Supply(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = workplace()
        for session in range(5):
            done = cls.place.run("gate", CASE, *QUICK)
            assert done.returncode in (0, 1, 4, 5), done.stdout + done.stderr
            cls.place.accept(*(["--append"] if session else []), expect=0)

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def red_supply(self, fault):
        seen = []
        for _ in range(4):
            done = self.place.run("gate", CASE, *QUICK, fault=fault)
            outcome = self.place.verdict("timed", CASE)
            supply = metric(outcome, "loader_samples_per_s")
            self.assertIn(supply["status"], ("regressed", "inconclusive"), done.stdout)
            if outcome["status"] == "regressed" and supply["status"] == "regressed":
                self.assertEqual(done.returncode, 1)
                self.assertRegex(causes(outcome), r"data_wait: the loader alone gives \d+ samples/s, was \d+")
                return
            seen.append(supply["detail"])
        print(f"SKIPPED {fault}, this machine is too noisy for a red:\n  " + "\n  ".join(seen))
        self.skipTest("too noisy")

    def test_loader_that_takes_50_percent_longer(self):
        self.red_supply("slow_loader")

    def test_one_worker_fewer(self):
        self.red_supply("one_worker_less")


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(1 if not result.wasSuccessful() else TOO_NOISY if result.skipped else 0)
