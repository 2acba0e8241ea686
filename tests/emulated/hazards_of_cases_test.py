"""The cases for a GPU have no stream hazards. With --all those of full size too, in some minutes."""

import json
import pathlib
import sys
import tempfile
import unittest

from emulated_program import FOLDER, SKIPPED, record_of, skip_without_emulation

SMALL = ["language/char_lm/gpu_small", "vision/digits_cnn/gpu_small", "vision/photo_decode/gpu_small",
         "tabular/field_transformer/full", "language/char_lm_graphed/full"]
RANKS = ["language/char_lm_parallel/gpu_small"]
LARGE = ["language/char_lm/full", "language/char_lm/full_bf16", "language/char_lm_graphed/eager", "vision/digits_cnn/full",
         "vision/digits_cnn/full_bf16", "vision/photo_decode/full", "vision/photo_decode/full_bf16"]
LARGE_RANKS = ["language/char_lm_parallel/full"]


def lines_of(case, machine):
    with tempfile.TemporaryDirectory(prefix="stepgate-hazards-") as folder:
        path = pathlib.Path(folder) / "hazards"
        record_of(case, "exact", machine=f"{machine} hazards={path}")
        return [json.loads(line) for line in path.read_text().splitlines()]


class HazardsOfCases(unittest.TestCase):
    all_cases = False

    def check(self, case, machine, processes):
        lines = lines_of(case, machine)
        ends = [line for line in lines if line.get("end")]
        self.assertEqual([line for line in lines if not line.get("end")], [])
        self.assertGreaterEqual(len(ends), processes)
        self.assertGreater(sum(end["accesses"] for end in ends), 1000)
        self.assertEqual(sum(end["forgotten"] for end in ends), 0)

    def test_one_gpu(self):
        for case in SMALL + (LARGE if self.all_cases else []):
            with self.subTest(case=case):
                self.check(case, "h100", 1)

    def test_two_ranks(self):
        for case in RANKS + (LARGE_RANKS if self.all_cases else []):
            with self.subTest(case=case):
                self.check(case, "h100:2", 2)


if __name__ == "__main__":
    skip_without_emulation()
    if not (FOLDER / "libstepgate_emulated_values.so").exists():
        print(f"no values in {FOLDER}: cmake --build --target emulated_gpu_values")
        sys.exit(SKIPPED)
    if "--all" in sys.argv:
        sys.argv.remove("--all")
        HazardsOfCases.all_cases = True
    unittest.main(verbosity=2)
