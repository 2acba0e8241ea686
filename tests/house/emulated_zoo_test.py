"""The rows of the emulated zoo are those of patches, and what its machine's log must say is read from the log."""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/zoo"))

from emulated_zoo_page import tables  # noqa: E402
from emulated_zoo_run import EmulatedZoo, emulated_summary, log_problems  # noqa: E402
from fault_rows import Refused  # noqa: E402
from machine_log import MachineLog, change_of, figure_of, hazards_in, problem_of_change  # noqa: E402


def check(root):
    return subprocess.run([sys.executable, SOURCE / "ci/emulated_zoo", "--apply-only", "--root", root],
                          capture_output=True, text=True)


def patch(after):
    return ("diff --git a/perftests/a.cpp b/perftests/a.cpp\n--- a/perftests/a.cpp\n+++ b/perftests/a.cpp\n"
            f"@@ -1 +1 @@\n-old();\n+{after}\n")


def stretch(mark, **fields):
    empty = {"calls": {}, "own_kernels": {}, "library_kernels": {}, "copies": {}, "collectives": {}, "waits": {},
             "memsets": {"count": 0, "bytes": 0}, "graph_launches": 0, "graph_nodes": 0, "allocations": {}, "frees": {}}
    return {**empty, "mark": mark, **fields}


def steps(**fields):
    """A process that loads its model and counts two steps."""
    return MachineLog([stretch("counts begin 0", waits={"cudaStreamSynchronize stream": 9}), stretch("counts 0", **fields),
                       stretch("counts 1", **fields)])


class Rows(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("perftests/a.cpp", "old();\n")
        self.write("tests/zoo/patches/fault.patch", patch("new();"))
        self.write("tests/zoo/patches/fault_unchanged.patch", patch("(old)();"))
        self.fault = {"name": "fault", "case": "a/b/c", "cause": "operator-added", "line": "new()", "metrics": [],
                      "log": {"own_kernels": 1}}

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def refusal(self, *others, **fields):
        self.write("tests/zoo/emulated.json", json.dumps({"faults": [{**self.fault, **fields}, *others]}))
        done = check(self.root)
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr

    def test_the_faults_of_the_project_apply(self):
        done = check(SOURCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_a_fault_says_what_the_log_shows(self):
        self.assertIn("log names what the machine's own log says", self.refusal(log={}))
        self.assertIn("is empty for several ranks", self.refusal(case="language/char_lm_parallel/full"))
        self.assertIn("there is no figure kernels", self.refusal(log={"kernels": 1}))
        self.assertIn("log: waits is a number of a step other than 0", self.refusal(log={"waits": 0}))
        self.assertIn("or one of more, fewer, equal", self.refusal(log={"waits": "several"}))

    def test_a_fault_of_no_cpu_case_says_why(self):
        self.assertIn("give both or neither", self.refusal(only_here="a CPU has no streams"))
        self.write("tests/zoo/emulated/fault.patch", patch("new();"))
        self.assertIn("give both or neither", self.refusal())

    def test_patches_and_rows_belong_together(self):
        self.assertIn("there is no patch other.patch", self.refusal(name="other"))
        self.write("tests/zoo/emulated/lonely.patch", patch("new();"))
        self.assertIn("has patches without a row: lonely", self.refusal())
        self.assertIn("a fault has two rows", self.refusal(self.fault))


class Log(unittest.TestCase):
    def test_figures_are_sums_of_a_stretch(self):
        one = stretch("counts 0", own_kernels={"_Zadd": 2, "_Zmul": 1}, copies={
            "host_to_device": {"count": 1, "bytes": 8}, "device_to_host pageable": {"count": 2, "bytes": 4}},
            calls={"cudaStreamBeginCapture": 1, "cudaStreamEndCapture": 1},
            allocations={"device": {"count": 1, "bytes": 20}}, frees={"device": {"count": 1, "bytes": 5}})
        expected = {"own_kernels": 3, "own_kernel.add": 2, "copies": 3, "copies_pageable": 2, "copied_bytes": 12,
                    "copies_host_to_device": 1, "captures": 1, "device_allocations": 1, "reserved_bytes": 15}
        self.assertEqual({name: figure_of(name, one) for name in expected}, expected)

    def test_a_change_is_of_counted_steps(self):
        change = change_of("waits", steps(), steps(waits={"cudaStreamSynchronize stream": 2}))
        self.assertEqual(change, {"last": 2, "all": 4, "run": 4})

    def test_each_expectation_can_fail(self):
        more, none = {"last": 2, "all": 4, "run": 4}, {"last": 0, "all": 0, "run": 0}
        fewer = {"last": -2, "all": -4, "run": -4}
        for expected, right, wrong in (("more", more, none), ("fewer", fewer, none), ("equal", none, more), (2, more, fewer),
                                       ("more", more, fewer), ("fewer", fewer, more)):
            self.assertEqual(problem_of_change("waits", expected, right), "")
            self.assertIn("waits", problem_of_change("waits", expected, wrong))
        # Bytes that stay are those of the process: a step may free what an earlier one took.
        self.assertEqual(problem_of_change("reserved_bytes", "more", {"last": 0, "all": 0, "run": 2}), "")

    def test_hazards_are_of_the_process(self):
        base, head = steps(), dataclasses.replace(steps(), hazards=2)
        self.assertEqual(problem_of_change("hazards", "more", change_of("hazards", base, head)), "")
        self.assertIn("no more hazards", problem_of_change("hazards", "more", change_of("hazards", base, base)))

    def test_a_search_for_hazards_that_was_cut_off_is_no_number(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "hazards.jsonl"
            file.write_text('{"hazard": 1}\n{"end": true, "hazards": 1}\n')
            self.assertEqual(hazards_in(file), 1)
            file.write_text('{"hazard": 1}\n')
            with self.assertRaisesRegex(Refused, "was cut off"):
                hazards_in(file)

    def test_a_cause_needs_what_it_says_in_the_log(self):
        row = {"log": {"own_kernels": 1}, "cause": "host-sync-added"}
        head = steps(own_kernels={"_Zadd": 1})
        self.assertIn("does not back host-sync-added: no more waits", log_problems(row, steps(), head)[0])
        waiting = steps(own_kernels={"_Zadd": 1}, waits={"cudaStreamSynchronize stream": 1})
        self.assertEqual(log_problems(row, steps(), waiting), [])


class Gate:
    """What a gate would say, without one."""

    def __init__(self, mended=(), reverted="pass", log=None, gpus=1, red=("device_syncs_per_step",)):
        self.red = red
        self.mended, self.reverted, self.log, self.gpus = mended, reverted, log or steps(waits={"a": 1}), gpus
        self.base_log = steps()

    def measure(self, *_, hazards):
        sources = [{"file": "perftests/a.cpp", "line": 1}]
        cause = {"code": "host-sync-added", "severity": "cause", "message": "", "sources": sources}
        return {"status": "regressed", "findings": [cause],
                "metrics": [{"metric": name, "status": "regressed"} for name in self.red]}

    def measure_mended(self):
        return {"status": "regressed" if self.mended else "improved",
                "metrics": [{"metric": name, "status": "regressed"} for name in self.mended]}

    def measure_reverted(self, hazards):
        return {"status": self.reverted}

    def log_of(self, name):
        return self.log


class Answers(unittest.TestCase):
    def answer(self, gate, **fields):
        row = {"name": "fault", "case": "a/b/c", "cause": "host-sync-added", "no_line": "none", "tier": "exact",
               "metrics": ["device_syncs_per_step"], "log": {"waits": 1}, **fields}
        return EmulatedZoo(SOURCE, SOURCE, timed=False).answer_of(row, gate)

    def test_a_fault_that_all_confirm_has_no_problem(self):
        answer = self.answer(Gate())
        self.assertEqual(answer["problems"], [])
        self.assertEqual(emulated_summary({"fault": {**answer, "counterpart": "pass"}})["confirmed by the machine's log"],
                         "1 of 1 (100 %)")

    def test_a_log_without_it_is_a_problem(self):
        answer = self.answer(Gate(log=steps()))
        self.assertFalse(answer["log"])
        self.assertIn("the log has +0 waits a step, expected +1", answer["problems"])

    def test_a_row_without_metrics_asks_for_any_red(self):
        answer = self.answer(Gate(red=()), metrics=[])
        self.assertEqual((answer["caught"], answer["problems"]), (False, ["nothing is red"]))
        self.assertTrue(self.answer(Gate(), metrics=[])["caught"])

    def test_ranks_have_no_log(self):
        self.assertNotIn("log", self.answer(Gate(log=steps(), gpus=2)))

    def test_what_the_fault_made_red_must_not_be_red_with_its_mend(self):
        answer = self.answer(Gate(mended=("device_syncs_per_step",)))
        self.assertEqual(answer["problems"], ["red with the fault and with its mend: device_syncs_per_step"])
        why = self.answer(Gate(mended=("device_syncs_per_step",)), both_ways="some steps have more, some less")
        self.assertEqual(why["problems"], [])

    def test_another_metric_that_the_mend_makes_red_is_told(self):
        answer = self.answer(Gate(mended=("peak_allocated_bytes",)))
        self.assertEqual((answer["problems"], answer["mended_red"]), ([], ["peak_allocated_bytes"]))

    def test_a_red_without_the_line_is_a_problem(self):
        self.assertEqual(self.answer(Gate(reverted="regressed"))["problems"], ["without the line it is regressed"])

    def test_the_page_shows_what_failed(self):
        row = {"name": "fault", "case": "language/char_lm/full", "cause": "host-sync-added", "log": {"waits": 1}}
        answer = {**self.answer(Gate(log=steps(), reverted="regressed")), "counterpart": "pass", "seconds": 2}
        text = tables([row, {**row, "name": "later", "only_here": "a CPU has no streams"}], {"faults": {"fault": answer}})
        self.assertIn("| `fault` | char_lm/full | `host-sync-added` | none | **no** | **regressed** | improved | green | 2 |",
                      text)
        self.assertIn("| `later` | char_lm/full | not run |", text)
        self.assertIn("| `later` | a CPU has no streams |", text)
        self.assertIn("2 faults, 1 of them run", text)


if __name__ == "__main__":
    unittest.main()
