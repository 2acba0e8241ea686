"""A loop with two optimizers names a boundary and guards a loss of its own: both are in the gate's table, and a mistake
in the update of the discriminator is red and names it."""

import json
import unittest

from gate_runner import BUILD, Workplace, causes, metric

GAN = "vision/gan/tiny"
GATE = ("gate", GAN, "--tier", "exact")
BOUNDARIES = ["data_wait", "h2d", "discriminator", "forward", "backward", "optimizer", "logging"]


class TwoOptimizers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Workplace(program=BUILD / "bin" / "faulty_gan", case=GAN)
        cls.place.run(*GATE, expect=5)
        cls.place.accept(expect=0)

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def red(self, fault):
        done = self.place.run(*GATE, fault=fault, expect=1)
        return done, self.place.verdict("exact", GAN)

    def baseline(self):
        return json.loads((self.place.baselines / "portable" / f"{GAN}.json").read_text())

    def test_unchanged_code_passes_with_both_losses(self):
        done = self.place.run(*GATE, "--verbose", expect=0)
        self.assertIn("discriminator loss", done.stdout)
        outcome = self.place.verdict("exact", GAN)
        for name in ("loss", "loss[discriminator]"):
            self.assertEqual(metric(outcome, name)["status"], "pass")
            self.assertTrue(metric(outcome, name)["gating"])

    def test_the_baseline_has_the_boundary_and_the_loss(self):
        baseline = self.baseline()
        self.assertGreater(baseline["where"]["counts_by_boundary"]["operators_per_step"]["discriminator"], 0)
        self.assertIn("aten::addmm", baseline["where"]["operators"]["discriminator"])
        self.assertGreater(baseline["where"]["peak_by_boundary"]["discriminator"], 0)
        numerics = baseline["numerics"]
        self.assertEqual(len(numerics["further_losses"]["discriminator"]), len(numerics["loss"]))

    def test_the_record_has_the_boundaries_in_the_order_of_the_loop(self):
        self.place.run("run", GAN, "--tier", "timed", "--steps", "e2e=20,phase=10", "--replicates", "1", expect=0)
        measurement = json.loads((self.place.out / GAN / "timed" / "measurement.json").read_text())
        document = next(r["record"] for r in measurement["replicates"] if r["record"]["group"] == "timed")
        self.assertEqual(document["boundaries"], BOUNDARIES)
        for name in ("e2e", "phase"):
            self.assertGreater(min(document["timed"][name]["steps"]["host_ns"]["discriminator"]), 0)

    def test_a_second_update_of_the_discriminator_is_red_and_names_it(self):
        done, outcome = self.red("second_update")
        self.assertEqual(metric(outcome, "operators_per_step")["status"], "regressed")
        self.assertEqual(metric(outcome, "loss[discriminator]")["status"], "regressed")
        self.assertRegex(causes(outcome), r"discriminator: .*aten::")
        self.assertNotRegex(causes(outcome), r"(?m)^(forward|backward|optimizer): ")
        self.assertIn("discriminator", [finding.get("boundary") for finding in outcome["findings"]])
        self.assertIn("discriminator loss", done.stdout)

    def test_another_loss_of_the_discriminator_is_red_without_more_work(self):
        done, outcome = self.red("label_changed")
        self.assertEqual(metric(outcome, "operators_per_step")["status"], "pass")
        self.assertEqual(metric(outcome, "loss[discriminator]")["status"], "regressed")
        self.assertRegex(causes(outcome), r"discriminator: its very first value differs")
        self.assertIn("discriminator loss", done.stdout)


if __name__ == "__main__":
    unittest.main()
