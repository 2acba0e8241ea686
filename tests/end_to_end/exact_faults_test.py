"""Each injected fault is red for the right reason: the right metric changes, and the cause names it."""

import json
import pathlib
import unittest

from gate_runner import CASE, Workplace, causes, metric

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FAULTS = "tests/end_to_end/faulty_char_lm.cpp"


class ExactFaults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Workplace()
        first = cls.place.gate("exact", expect=5)
        assert "baseline accept" in first.stdout, first.stdout
        cls.place.accept(expect=0)

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def red(self, fault):
        done = self.place.gate("exact", fault=fault, expect=1)
        outcome = self.place.verdict("exact")
        self.assertEqual(outcome["status"], "regressed", done.stdout)
        self.assertTrue(done.stdout.splitlines()[0].startswith("1 regressed"), done.stdout)
        self.assertIn("reproduce", done.stdout.lower())
        return outcome, causes(outcome)

    def assert_regressed(self, outcome, name):
        self.assertEqual(metric(outcome, name)["status"], "regressed", metric(outcome, name))

    def assert_passed(self, outcome, name):
        self.assertEqual(metric(outcome, name)["status"], "pass", metric(outcome, name))

    def test_unchanged_code_passes(self):
        done = self.place.gate("exact", expect=0)
        self.assertTrue(done.stdout.startswith("1 pass"), done.stdout)

    def test_one_extra_operator(self):
        outcome, cause = self.red("extra_operator")
        self.assert_regressed(outcome, "operators_per_step")
        entry = metric(outcome, "operators_per_step")
        self.assertAlmostEqual(entry["current"] - entry["baseline"], 1, places=9)
        self.assertRegex(cause, r"forward.*\+1 .*aten::")

    def test_stray_item(self):
        outcome, cause = self.red("stray_item")
        self.assert_regressed(outcome, "host_syncs_per_step")
        self.assertRegex(cause, r"host sync")
        self.assertRegex(cause, r"aten::_local_scalar_dense")
        self.assert_names_line(outcome, "loss.item<float>()", "StrayItem::loss_of")

    def assert_names_line(self, outcome, code, function):
        """The first line that a cause names is the one of faulty_char_lm.cpp with this code."""
        lines = (SOURCE / FAULTS).read_text().splitlines()
        line = next(number for number, text in enumerate(lines, 1) if code in text)
        cause = next(one for one in outcome["findings"] if one["severity"] == "cause")
        self.assertIn(f"{FAULTS}:{line} in {function}", cause["message"])
        self.assertEqual(cause["sources"][0], {"function": function, "file": FAULTS, "line": line})

    def test_needless_contiguous_copy(self):
        outcome, cause = self.red("contiguous_copy")
        self.assert_regressed(outcome, "allocated_bytes_per_step")
        self.assertRegex(cause, r"forward.*aten::(contiguous|clone|copy_)")

    def test_per_token_loss_loop(self):
        outcome, cause = self.red("per_token_loss")
        self.assert_regressed(outcome, "operators_per_step")
        self.assert_regressed(outcome, "allocated_bytes_per_step")
        self.assertRegex(cause, r"forward")
        self.assertRegex(cause, r"once per token.*faulty_char_lm.cpp:\d+ in loss_of")

    def test_activation_kept_alive(self):
        outcome, cause = self.red("kept_activation")
        self.assert_regressed(outcome, "peak_allocated_bytes")
        self.assert_passed(outcome, "leak_bytes_per_step")
        self.assertRegex(cause, r"peak|resident")
        measured = json.loads((self.place.out / CASE / "exact" / "measurement.json").read_text())["replicates"]
        self.assertEqual(len(measured), 6, "a red in bytes needs six processes")

    def test_log_list_that_holds_graphs(self):
        outcome, cause = self.red("graph_log")
        self.assert_regressed(outcome, "leak_bytes_per_step")
        self.assertGreater(metric(outcome, "leak_bytes_per_step")["current"], 0)
        self.assertRegex(cause, r"each step leaves .* behind")
        self.assertRegex(cause, r"graph")

    def test_host_memory_that_each_step_adds(self):
        outcome, cause = self.red("host_leak")
        self.assert_regressed(outcome, "host_heap_growth_bytes_per_step")
        grown = metric(outcome, "host_heap_growth_bytes_per_step")["current"]
        self.assertAlmostEqual(grown, 256 * 1024, delta=4096)
        for untouched in ("leak_bytes_per_step", "peak_allocated_bytes", "operators_per_step"):
            self.assert_passed(outcome, untouched)
        self.assertRegex(cause, r"host heap growth: about 25\d(\.\d+)? KiB per step")
        self.assertRegex(cause, r"container")

    def assert_kept(self, fault, name, message):
        outcome, _ = self.red(fault)
        self.assert_regressed(outcome, name)
        cause = next(one for one in outcome["findings"] if one["severity"] == "cause")
        self.assertEqual(cause["code"], "resource-grew", cause)
        self.assertEqual(cause["boundary"], "logging", cause)
        self.assertRegex(cause["message"], message)

    def test_a_mapping_in_each_step(self):
        self.assert_kept("kept_mapping", "mapped_growth_bytes_per_step",
                         r"mapped memory: 1.048.576 B in each step \(0 B before\), in logging \(anonymous memory\)")

    def test_a_descriptor_in_each_step(self):
        self.assert_kept("kept_descriptor", "descriptors_growth_per_step",
                         r"new descriptors: 1 in each step \(0 before\), in logging \(file, such as .*faulty_char_lm\)")

    def test_a_temporary_file_in_each_step(self):
        self.assert_kept("kept_temporary_file", "temporary_files_growth_per_step", r"in logging \(such as entry-\d+\)")

    def test_a_thread_in_each_step(self):
        self.assert_kept("kept_thread", "threads_growth_per_step", r"new threads: 1 in each step")

    def test_a_child_in_each_step(self):
        self.assert_kept("kept_child", "child_processes_growth_per_step", r"new child processes: 1 in each step")

    def test_forgotten_zero_grad(self):
        outcome, cause = self.red("forgotten_zero_grad")
        self.assert_regressed(outcome, "grad_norm")
        self.assertRegex(cause, r"zero_grad")

    def first_cause(self, fault):
        outcome, _ = self.red(fault)
        return next(f for f in outcome["findings"] if f["severity"] == "cause")

    def test_gradients_zeroed_in_place(self):
        cause = self.first_cause("gradients_zeroed")
        self.assertEqual(cause["code"], "gradients-zeroed", cause)
        self.assertRegex(cause["message"], r"optimizer: zero_grad\(false\) sets 28 gradients to zero in place")

    def test_conversion_in_each_step(self):
        cause = self.first_cause("converted_each_step")
        self.assertEqual(cause["code"], "conversion-added", cause)
        self.assertRegex(cause["message"], r"forward: 2 more tensors per step are converted or moved by \.to\(\)")

    def test_batch_norm(self):
        cause = self.first_cause("batch_norm_added")
        self.assertEqual(cause["code"], "batch-norm-added", cause)
        self.assertRegex(cause["message"], r"forward: batch normalisation was added, \+1 aten::batch_norm per step")

    def test_one_more_layer(self):
        cause = self.first_cause("deeper_model")
        self.assertEqual(cause["code"], "parameters-added", cause)
        self.assertRegex(cause["message"], r"the model has 12 more parameter tensors, \+\d")

    def test_loss_changed_by_a_tenth_of_a_percent(self):
        outcome, cause = self.red("loss_scaled")
        self.assert_regressed(outcome, "loss")
        self.assertRegex(cause, r"step [0-5]\b")
        self.assert_passed(outcome, "peak_allocated_bytes")

    def test_nan_loss(self):
        outcome, cause = self.red("nan_loss")
        self.assertEqual(metric(outcome, "loss")["reason"], "non-finite")
        self.assertRegex(cause, r"step 3\b")

    def test_threads_that_the_program_sets(self):
        """Under CTest it fails, with a baseline or without, and there is nothing to accept."""
        for options in ([], ["--baseline-dir", str(self.place.folder / "none")]):
            done = self.place.gate("exact", fault="two_threads", words=["--ctest", *options], expect=3)
            outcome = self.place.verdict("exact")
            self.assertEqual((outcome["status"], outcome["reason"]), ("failed", "program-changed-setting"), done.stdout)
            self.assertIn("was asked for threads 1 and ended with 2: the program changed it", outcome["detail"])
            self.assertEqual(outcome["commands"]["accept"], "", done.stdout)

    def test_a_red_keeps_the_baselines(self):
        before = sorted(p.read_bytes() for p in self.place.baselines.rglob("*.json"))
        self.red("extra_operator")
        self.assertEqual(before, sorted(p.read_bytes() for p in self.place.baselines.rglob("*.json")))


if __name__ == "__main__":
    unittest.main()
