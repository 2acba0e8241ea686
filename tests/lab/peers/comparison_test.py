import json
import unittest

from peers.comparison import means_of_blocks_ns, parse_comparison, parts, process_medians_ns

LINE = {"model": "m", "change": 0.05, "index": 3, "base": [[1, 2, 9]], "head": [[2, 3, 4]], "head_first": [True]}


class ComparisonTest(unittest.TestCase):
    def test_reads_a_line_of_lab_samples(self):
        read = parse_comparison(json.dumps(LINE))
        self.assertEqual((read.model, read.change, read.index, read.head_first), ("m", 0.05, 3, (True,)))
        self.assertEqual((read.base_ns, read.head_ns, read.name), ([[1, 2, 9]], [[2, 3, 4]], "c000003"))

    def test_the_error_names_the_missing_keys(self):
        with self.assertRaisesRegex(ValueError, "head_first"):
            parse_comparison(json.dumps({key: LINE[key] for key in LINE if key != "head_first"}))

    def test_refuses_sides_of_unequal_size_and_empty_processes(self):
        for broken in ({"head": [[1], [2]]}, {"base": [], "head": []}, {"base": [[]]}):
            with self.subTest(broken=broken), self.assertRaisesRegex(ValueError, "comparison 3"):
                parse_comparison(json.dumps({**LINE, **broken}))

    def test_each_step_is_in_one_block(self):
        self.assertEqual(means_of_blocks_ns([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 3), [2.0, 5.0, 8.5])
        self.assertEqual(means_of_blocks_ns([1, 5], 10), [1.0, 5.0])

    def test_medians_are_per_process(self):
        self.assertEqual(process_medians_ns([[1, 2, 9], [4, 4, 100, 4]]), [2, 4])

    def test_parts_keep_the_order(self):
        self.assertEqual([len(part) for part in parts([None] * 5, 2)], [2, 2, 1])


if __name__ == "__main__":
    unittest.main()
