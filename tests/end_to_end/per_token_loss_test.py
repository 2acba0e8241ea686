"""Case study S1 (docs/case_studies.md): a loss that is computed token by token costs by an exact law, and is found alone."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from gate_runner import CASE, FAULTY, Workplace, training_data

BATCH = 4
VOCABULARY = 98
FLOAT_BYTES = 4
# Longest batch and width of a bucket: batches of 64, 48 and 32 tokens, and of 128, 96 and 64.
SHAPES = ((64, 16), (128, 32))


def counted(folder, fault, shape):
    """The record of one exact process."""
    record = pathlib.Path(folder) / f"{fault}-{shape[0]}.json"
    params = {"batch_size": BATCH, "max_length": shape[0], "bucket_width": shape[1]}
    subprocess.run([str(FAULTY), f"--stepgate_case={CASE}", "--stepgate_group=exact", f"--stepgate_record={record}",
                    f"--stepgate_data={training_data()}",
                    *(f"--stepgate_param={name}={value}" for name, value in params.items())],
                   env={"STEPGATE_TEST_FAULT": fault}, check=True, capture_output=True, text=True, timeout=300)
    return json.loads(record.read_text())


class TheLaw(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.pairs = [(counted(folder, "none", shape), counted(folder, "per_token_loss", shape)) for shape in SHAPES]

    def extra(self, metric):
        """{tokens of a row: what the loop adds to such a step}."""
        found = {}
        for batched, loop in self.pairs:
            for tokens, before, after in zip(batched["counts"]["per_step"]["padded_tokens_per_step"],
                                             batched["counts"]["per_step"][metric], loop["counts"]["per_step"][metric]):
                length = tokens // BATCH
                self.assertEqual(found.setdefault(length, after - before), after - before, f"{length} tokens")
        self.assertEqual(sorted(found), [32, 48, 64, 96, 128])
        return found

    def test_a_token_adds_33_operators_and_9_allocations(self):
        # From about 90 tokens on LibTorch fills the gradient of a token with one operator more: it is large by then.
        self.assertEqual(self.extra("operators_per_step"), {32: 33 * 32 + 5, 48: 33 * 48 + 5, 64: 33 * 64 + 5,
                                                            96: 34 * 96 + 4, 128: 34 * 128 + 4})
        self.assertEqual(self.extra("allocations_per_step"), {tokens: 9 * tokens + 4 for tokens in (32, 48, 64, 96, 128)})

    def test_bytes_grow_with_the_square_of_the_length(self):
        # Each token's gradient is a tensor of the size of all logits. What else a token allocates is at most 3.3 % of it.
        for tokens, extra in self.extra("allocated_bytes_per_step").items():
            law = tokens * (BATCH * tokens * VOCABULARY * FLOAT_BYTES)
            self.assertGreaterEqual(extra, law)
            self.assertLess(extra, 1.04 * law, f"{tokens} tokens")

    def test_the_peak_stays(self):
        for batched, loop in self.pairs:
            before, after = (each["memory"]["peak_allocated_bytes"] for each in (batched, loop))
            self.assertAlmostEqual(after / before, 1, delta=0.001)

    def test_losses_are_equal_to_seven_digits(self):
        for batched, loop in self.pairs:
            for one, other in zip(batched["numerics"]["loss"], loop["numerics"]["loss"]):
                self.assertAlmostEqual(other / one, 1, delta=5e-7)


class WithoutABaseline(unittest.TestCase):
    def profile(self, fault):
        place = Workplace()
        self.addCleanup(place.close)
        done = place.run("profile", CASE, "--prove", "off", "--replicates", "1", "--schedule", "none",
                         "--steps", "e2e=20,window=5,phase=5,synthetic=10,loader=10,h2d=3,logging=20", fault=fault)
        # Its times may drift on a shared machine; what is tested here are operators and memory, which need no quiet.
        if done.returncode != 0:
            self.assertEqual((done.returncode, "the step is not steady" in done.stdout), (3, True),
                             done.stdout + done.stderr)
        return json.loads((place.out / "profile" / CASE / "profile.json").read_text())

    def test_the_loop_is_found_as_once_per_token(self):
        page = self.profile("per_token_loss")
        loops = [advice["evidence"] for advice in page["advice"] if "once per token" in advice["evidence"]]
        self.assertTrue(loops, page["advice"])
        self.assertRegex(loops[0], r" at \S+\.cpp:\d+", "with its line")
        most = max(page["operators"], key=lambda row: row["site"].get("allocated_bytes", 0))
        self.assertEqual(most["site"]["name"], "aten::select_backward")
        self.assertIn("size of the logits each", most["calls_are"])
        self.assertIn("backward", page["boundary_memory"])

    def test_a_batched_loss_is_no_loop(self):
        page = self.profile("none")
        self.assertNotIn("per token", json.dumps([advice["evidence"] for advice in page["advice"]]))


if __name__ == "__main__":
    unittest.main()
