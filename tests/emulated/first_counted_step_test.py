"""The counted steps of char_lm on a GPU take no memory from the driver, although the first one meets a new length."""

import unittest

from emulated_program import record_of, skip_without_emulation


class FirstCountedStep(unittest.TestCase):
    def test_no_counted_step_pins_memory(self):
        for case in ("language/char_lm/gpu_small", "language/char_lm/full_bf16"):
            with self.subTest(case=case):
                counts = record_of(case, "exact")["counts"]["per_step"]
                self.assertEqual(counts["cold_shapes_after_warmup"], [1, 0, 0, 0, 0], "the first one has a new length")
                self.assertEqual(counts["device_allocations_per_step"], [0] * 5)

    def test_all_lengths_share_the_blocks_of_the_longest(self):
        memory = record_of("language/char_lm/gpu_small", "exact")["memory"]
        # Inputs and targets: 16 rows of 256 symbols of 8 bytes.
        self.assertEqual(memory["peak_pinned_bytes"][-1], 2 * 16 * 256 * 8)


if __name__ == "__main__":
    skip_without_emulation()
    unittest.main(verbosity=2)
