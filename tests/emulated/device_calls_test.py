"""The self-test's two counts of one training step: calls by CUPTI's callbacks, records by LibTorch's profiler."""

import unittest

from emulated_program import figures_of, skip_without_emulation


class DeviceCalls(unittest.TestCase):
    def test_each_record_has_a_call(self):
        # Kineto keeps what lies in its window of real time, so the device works in real time.
        calls = figures_of("work_by_cupti", machine="h100 clock=real")["values"]
        records = figures_of("work_by_kineto", machine="h100 clock=real")["values"]
        for kind in ("kernels", "memcpys", "memsets"):
            self.assertGreater(records[kind], 0, kind)
            self.assertLessEqual(records[kind], calls[kind], kind)
        self.assertEqual(calls["driver_kernels"], 0, "the emulated libraries launch through the runtime")
        self.assertNotIn("driver_kernels", records, "a record does not tell who launched")


if __name__ == "__main__":
    skip_without_emulation()
    unittest.main(verbosity=2)
