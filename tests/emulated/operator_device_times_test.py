"""Times of operators in a profile are those of the device, checked on one whose costs are known."""

import unittest

from emulated_program import record_of, skip_without_emulation

# harness/emulator/model: cost_model.cpp, device_model.cpp.
LEAST_NS = 2000
BYTES_PER_NS = 3350
FLOPS_PER_NS = 989_000 * 0.6
SIZE_OF_FLOAT = 4


def product_ns(m, k, n):
    """A product of float32 matrices on the model of an H100."""
    moved_bytes = ((m + n) * k + m * n) * SIZE_OF_FLOAT
    return LEAST_NS + max(2 * m * n * k / FLOPS_PER_NS, moved_bytes / BYTES_PER_NS)


class OperatorDeviceTimes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Kineto keeps what lies in its window of real time, so the device works in real time.
        record = record_of("language/char_lm/gpu_small", "profile", "--stepgate_profile=observe",
                           "--stepgate_trace=FOLDER/trace.json", "--stepgate_trace_schedule=skip=1,warmup=1,active=5",
                           machine="h100 clock=real")
        cls.profile = record["profile"]
        cls.times = cls.profile.get("device_times", [])

    def products(self):
        return [time for time in self.times if time["name"] == "aten::mm" and len(time["sizes"]) == 2]

    def test_a_product_takes_what_the_device_takes(self):
        self.assertGreater(len(self.products()), 5, self.profile.get("absent"))
        for time in self.products():
            (m, k), (_, n) = time["sizes"]
            with self.subTest(sizes=time["sizes"], boundary=time["boundary"]):
                expected = product_ns(m, k, n)
                measured = time["self_ns"] / time["calls"]
                self.assertLess(abs(measured / expected - 1), 0.02, f"{measured} ns, and the device takes {expected}")

    def test_an_operator_has_the_time_of_those_that_it_called(self):
        linear = [time for time in self.times if time["name"] == "aten::linear"]
        self.assertTrue(linear)
        for time in linear:
            self.assertGreater(time["total_ns"], time["self_ns"])
            self.assertGreaterEqual(time["total_ns"] / time["calls"], LEAST_NS)

    def test_the_longest_is_the_longest_of_the_device(self):
        by_name = {}
        for time in self.times:
            by_name[time["name"]] = by_name.get(time["name"], 0) + time["self_ns"]
        views = sum(ns for name, ns in by_name.items() if name in ("aten::view", "aten::t", "aten::transpose"))
        self.assertEqual(views, 0, "they only take time of the host")
        self.assertIn("aten::mm", sorted(by_name, key=by_name.get)[-5:])


if __name__ == "__main__":
    skip_without_emulation()
    unittest.main(verbosity=2)
