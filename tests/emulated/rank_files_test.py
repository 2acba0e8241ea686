"""Two ranks on the emulated GPU write a log and an order each, not one file over another."""

import json
import pathlib
import tempfile
import unittest

from emulated_program import record_of, skip_without_emulation

CASE = "language/char_lm_parallel/gpu_small"


class RankFiles(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="stepgate-ranks-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def test_each_rank_has_its_own(self):
        machine = f"h100:2 log={self.folder}/log order={self.folder}/order"
        record = record_of(CASE, "exact", "--stepgate_device=cuda", machine=machine)
        steps = len(record["counts"]["per_step"]["kernels_per_step"])
        self.assertGreater(steps, 0)
        kernels = []
        for rank in (0, 1):
            stretches = [json.loads(line) for line in (self.folder / f"log.rank{rank}").read_text().splitlines()]
            marks = [stretch["mark"] for stretch in stretches]
            self.assertEqual(marks[-1], "end")
            for step in range(steps):
                self.assertEqual(marks.count(f"counts {step}"), 1, f"rank {rank}")
            kernels.append([sum(stretch["own_kernels"].values()) + sum(stretch["library_kernels"].values())
                            for stretch in stretches if stretch["mark"].startswith("counts ") and "begin" not in stretch["mark"]])
            order = (self.folder / f"order.rank{rank}").read_text()
            self.assertTrue(order.endswith("\n"))
            self.assertIn("collective", order)
        self.assertEqual(len(kernels[0]), steps)
        self.assertGreater(min(kernels[0] + kernels[1]), 0)


if __name__ == "__main__":
    skip_without_emulation()
    unittest.main(verbosity=2)
