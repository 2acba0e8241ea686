import unittest

from peers.detectable_change import detectable_change
from peers.exact_limits import exact_share


class ExactLimitsTest(unittest.TestCase):
    def test_closed_forms_at_the_ends(self):
        none = exact_share(0, 10)
        self.assertEqual(none.low, 0.0)
        self.assertAlmostEqual(none.high, 1 - 0.025 ** 0.1, 12)  # (1 - p)^10 = 2.5 %
        every = exact_share(10, 10)
        self.assertEqual(every.high, 1.0)
        self.assertAlmostEqual(every.low, 0.025 ** 0.1, 12)

    def test_limits_leave_two_and_a_half_percent_on_each_side(self):
        from scipy.stats import binom

        share = exact_share(7, 200)
        self.assertAlmostEqual(float(binom.sf(6, 200, share.low)), 0.025, 9)
        self.assertAlmostEqual(float(binom.cdf(7, 200, share.high)), 0.025, 9)
        self.assertEqual(share.value, 0.035)

    def test_no_comparisons_is_an_error(self):
        with self.assertRaises(ValueError):
            exact_share(0, 0)


class DetectableChangeTest(unittest.TestCase):
    def test_is_interpolated_between_the_changes_tried(self):
        found = detectable_change({0.0: 0.02, 0.03: 0.5, 0.05: 0.9, 0.08: 1.0})
        self.assertAlmostEqual(found.change, 0.05 + 0.03 * 0.5)

    def test_a_dip_at_a_larger_change_counts(self):
        found = detectable_change({0.03: 1.0, 0.05: 0.90, 0.08: 1.0})
        self.assertGreater(found.change, 0.05)

    def test_none_if_the_largest_is_not_detected(self):
        found = detectable_change({0.03: 1.0, 0.08: 0.94})
        self.assertEqual((found.change, found.largest_tried), (None, 0.08))

    def test_is_never_below_the_smallest_change_tried(self):
        self.assertEqual(detectable_change({0.0: 1.0, 0.01: 0.95, 0.03: 1.0}).change, 0.01)


if __name__ == "__main__":
    unittest.main()
