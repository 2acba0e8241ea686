#!/usr/bin/env python3
"""Latencies that the lab replays come from whole pairs: base and head take turns in its files."""
import importlib.util
import json
import os
import pathlib
import tempfile
import unittest

SCRIPT = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"], "tests/lab/real_runs/record_requests.py")
spec = importlib.util.spec_from_file_location("record_requests", SCRIPT)
record_requests = importlib.util.module_from_spec(spec)
spec.loader.exec_module(record_requests)


def process(microseconds, **changes):
    record = {"requests": {"latency_ns": [1000 * microseconds]}}
    return {"group": "timed", "taint_reasons": [], "record": record, **changes}


class WholePairs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def pair(self, name, base, head):
        for side, replicates in (("base", base), ("head", head)):
            place = self.folder / name / side
            place.mkdir(parents=True)
            (place / "measurement.json").write_text(json.dumps({"replicates": replicates}))
        return self.folder / name

    def test_base_and_head_of_each_pair(self):
        pairs = [self.pair("0", [process(1)], [process(2)]), self.pair("1", [process(3)], [process(4)])]
        self.assertEqual(record_requests.processes_of(pairs), [[1], [2], [3], [4]])

    def test_a_pair_with_one_process_that_does_not_count_is_left_out(self):
        for number, lost in enumerate(({"taint_reasons": ["swap_pages 3 above 0: the machine swapped"]},
                                       {"set_aside": "it worked while it had no window"},
                                       {"record": None, "failure": {"kind": "crashed"}})):
            pairs = [self.pair(f"{number}-0", [process(1, **lost)], [process(2)]),
                     self.pair(f"{number}-1", [process(3)], [process(4)]),
                     self.pair(f"{number}-2", [process(5)], [process(6, **lost)])]
            self.assertEqual(record_requests.processes_of(pairs), [[3], [4]], lost)

    def test_a_process_that_was_repeated_counts_once(self):
        repeated = [process(1, taint_reasons=["the machine swapped"]), process(7)]
        self.assertEqual(record_requests.processes_of([self.pair("0", repeated, [process(2)])]), [[7], [2]])


if __name__ == "__main__":
    unittest.main()
