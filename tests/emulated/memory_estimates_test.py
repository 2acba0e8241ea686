"""What a case says that it needs of a GPU, against what LibTorch's allocator reserves for it."""

import re
import unittest

from emulated_program import record_of, run_case, skip_without_emulation

GIB = 1 << 30
# Too small for any case, so that each says what it needs.
SMALL = "h100 memory_mib=700"
SKIPPED = 77

# Case -> the most that its estimate may be above what is reserved. The eighth for split blocks and 0.75 GiB for
# libraries, which the emulation does not take, weigh more in a small case.
CASES = {"language/char_lm/gpu_small": 2.0,
         "language/char_lm/full": 1.25,
         "language/char_lm/full_bf16": 1.25,
         "language/char_lm_graphed/full": 1.2}


def estimate_of(case):
    """In bytes, to a tenth of a GiB."""
    done, _ = run_case(case, "exact", machine=SMALL)
    found = re.search(r"needs about ([0-9.]+) GiB of GPU memory", done.stdout + done.stderr)
    if done.returncode != SKIPPED or not found:
        raise AssertionError(f"{case} ended with status {done.returncode}: {done.stdout}{done.stderr}")
    return float(found.group(1)) * GIB


class Estimates(unittest.TestCase):
    def test_they_cover_what_is_reserved_and_little_more(self):
        for case, most in CASES.items():
            with self.subTest(case=case):
                reserved = record_of(case, "exact")["memory"]["peak_reserved_bytes"]
                estimate = estimate_of(case)
                print(f"{case}: estimate {estimate / GIB:.1f} GiB, reserved {reserved / GIB:.2f} GiB")
                self.assertGreater(estimate, reserved)
                self.assertLess(estimate, most * reserved)

    def test_the_graphs_of_char_lm_fit_a_card_of_20_gib(self):
        done, record = run_case("language/char_lm_graphed/full", "exact", machine="h100 memory_mib=20480")
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertEqual(record["counts"]["per_step"]["graph_launches_per_step"], [1] * 5)


if __name__ == "__main__":
    skip_without_emulation()
    unittest.main(verbosity=2)
