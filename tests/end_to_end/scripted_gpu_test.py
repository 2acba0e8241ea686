"""Faults that only a GPU shows, on a GPU in virtual time: each is red at its boundary, for the right reason."""

import json
import subprocess
import time
import unittest

from gate_runner import BUILD, STEPGATE, Workplace, causes, metric
from two_builds import program

CASE = "vision/scripted/tiny"
QUICK = ["--session-gap", "0", "--replicates", "3"]


class ScriptedGpu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Workplace(program=BUILD / "bin" / "scripted_gpu", case=CASE)
        cls.place.manifest["cases"][0]["device"] = "cuda"
        cls.place.write_manifest()
        for session in range(5):
            time.sleep(1.1)  # sessions are distinguished by the second, and a run in virtual time is faster
            done = cls.place.run("gate", CASE, *QUICK)
            assert done.returncode in (0, 4, 5), done.stdout + done.stderr
            cls.place.accept(*(["--append"] if session else []), expect=0)

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def red(self, fault):
        done = self.place.run("gate", CASE, *QUICK, fault=fault, expect=1)
        outcome = self.place.verdict("all", CASE)
        self.assertEqual(outcome["status"], "regressed", done.stdout)
        return outcome, causes(outcome)

    def reds(self, outcome):
        return {m["metric"] for m in outcome["metrics"] if m["status"] == "regressed" and m["gating"]}

    def test_unchanged_code_passes(self):
        done = self.place.run("gate", CASE, *QUICK, expect=0)
        self.assertTrue(done.stdout.startswith("1 pass"), done.stdout)

    def test_lost_pinned_memory(self):
        outcome, cause = self.red("pageable")
        self.assertIn("pageable_copies_per_step", self.reds(outcome))
        self.assertRegex(cause, r"H2D copies from pageable memory: h2d \+2 per step.*pinned")
        self.assertIn("step_time_ns", self.reds(outcome))

    def test_copies_no_longer_overlapped(self):
        outcome, cause = self.red("no_overlap")
        self.assertEqual(self.reds(outcome),
                         {"step_time_ns", "step_time_mean_ns", "effective_tokens_per_s", "device_time_ns"})
        self.assertRegex(cause, r"h2d: 0 % of the copying runs beside compute, was \d\d+ %")

    def test_batch_split_into_many_small_tensors(self):
        outcome, cause = self.red("split")
        self.assertIn("h2d_copies_per_step", self.reds(outcome))
        self.assertRegex(cause, r"H2D copies: h2d \+62 per step")
        self.assertGreater(metric(outcome, "h2d_split_ratio")["current"], 2)

    def test_slow_loader(self):
        outcome, cause = self.red("slow_loader")
        self.assertIn("loader_samples_per_s", self.reds(outcome))
        self.assertNotIn("step_time_ns", self.reds(outcome), "the prefetched batches hide it")
        self.assertRegex(cause, r"data_wait: the loader alone gives \d+ samples/s, was \d+")

    def test_padding_that_raises_padded_tokens_per_second(self):
        outcome, cause = self.red("padding")
        self.assertLessEqual({"padding_tokens_per_step", "effective_tokens_per_s"}, self.reds(outcome))
        self.assertGreater(metric(outcome, "padded_tokens_per_s")["current"],
                           metric(outcome, "padded_tokens_per_s")["baseline"] * 1.2)
        self.assertRegex(cause, r"data_wait: 37\.5 % of the tokens are padding, was 6\.3 %; padded tokens/s look "
                                r"\+2\d\.\d % better, effective tokens/s are -1\d\.\d %")

    def test_a_new_shape_is_marked_and_excluded_from_the_mean(self):
        done = self.place.run("gate", CASE, *QUICK, fault="new_shape", expect=0)
        outcome = self.place.verdict("all", CASE)
        self.assertAlmostEqual(metric(outcome, "step_time_mean_ns")["change"], 0, places=4)
        self.assertRegex(done.stdout, r"3 of 180 timed steps met an input shape never seen before")

    def test_log_that_syncs_each_step(self):
        outcome, cause = self.red("log_sync")
        self.assertLessEqual({"host_syncs_per_step", "d2h_copies_per_step"}, self.reds(outcome))
        self.assertRegex(cause, r"logging")
        self.assertRegex(cause, r"aten::_local_scalar_dense")

    def test_device_sync_that_libtorch_does_not_warn_of(self):
        outcome, cause = self.red("device_sync")
        self.assertIn("device_syncs_per_step", self.reds(outcome))
        self.assertNotIn("host_syncs_per_step", self.reds(outcome))
        self.assertRegex(cause, r"device syncs: forward \+1 cudaDeviceSynchronize per step")

    def test_device_that_idles(self):
        outcome, _ = self.red("host_bound")
        self.assertAlmostEqual(metric(outcome, "device_idle_ratio")["current"], 0.72, delta=0.01)
        self.assertLess(metric(outcome, "device_idle_ratio")["baseline"], 0.05)

    def test_log_list_that_holds_graphs(self):
        outcome, cause = self.red("graph_log")
        self.assertEqual(self.reds(outcome), {"held_graphs_per_step"})
        self.assertRegex(cause, r"logging: a tensor outlives its step and keeps its graph")

    def test_two_builds_need_no_stored_file_for_counts(self):
        base = self.place.folder / "base"
        for folder, fault in ((base, "none"), (base / "head", "pageable")):
            manifest = json.loads(json.dumps(self.place.manifest))
            manifest["cases"][0]["program"] = str(program(folder / "bin" / "train", fault, BUILD / "bin" / "scripted_gpu"))
            (folder / "stepgate-manifest.json").write_text(json.dumps(manifest))
        words = ["ab", CASE, "--base-build", str(base), "--head-build", str(base / "head"), "--tier", "exact"]
        done = subprocess.run([str(STEPGATE), *words, "--out", str(self.place.out), "--baseline-dir", "/nowhere"],
                              capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("pageable_copies_per_step", self.reds(self.place.verdict("ab", CASE)))


if __name__ == "__main__":
    unittest.main()
