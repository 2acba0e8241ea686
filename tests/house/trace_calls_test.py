"""Calls that are read from traces for the emulated GPU, and what makes its fidelity test fail."""

import copy
import gzip
import json
import os
import pathlib
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/emulator/fidelity"))

import fidelity_rows  # noqa: E402
import shorten_trace  # noqa: E402
import trace_calls  # noqa: E402

SECRET = "a token of the author"


def operator(name, begin, duration, number, **arguments):
    return {"ph": "X", "cat": "cpu_op", "name": name, "tid": 1, "ts": begin, "dur": duration,
            "args": {"External id": number, **arguments}}


def launch(name, begin, correlation):
    return {"ph": "X", "cat": "cuda_runtime", "name": name, "tid": 1, "ts": begin, "dur": 1,
            "args": {"correlation": correlation}}


def on_device(kind, name, correlation):
    return {"ph": "X", "cat": kind, "name": name, "tid": 7, "ts": 1000, "dur": 1, "args": {"correlation": correlation}}


ARGUMENTS = {"Input type": ["c10::BFloat16", "Scalar", "ScalarList", ""], "Input Dims": [[2, 3], [], [], []],
             "Input Strides": [[3, 1], [], [], []], "Concrete Inputs": ["", "1.5", "[4, 5]", ""]}
EVENTS = [
    operator("aten::linear", 10, 30, 1, **ARGUMENTS),
    operator("aten::addmm", 15, 20, 2),
    launch("cudaLaunchKernel", 20, 100),
    launch("cudaLaunchKernel", 22, 101),
    launch("cudaMemsetAsync", 24, 102),
    operator("aten::item", 40, 10, 3, **{"Input type": ["float"], "Input Dims": [[]]}),
    launch("cudaMemcpyAsync", 41, 103),
    launch("cudaStreamSynchronize", 43, 104),
    operator("aten::index", 60, 5, 4, **{"Input type": ["GenericList"], "Input Dims": [[]]}),
    on_device("kernel", "void at::native::elementwise_kernel<128>", 100),
    on_device("kernel", "sm90_xmma_gemm_bf16", 101),
    on_device("gpu_memset", "Memset (Device)", 102),
    on_device("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 103),
    on_device("kernel", "void at::native::of_nobody", 999),
]


def step(number, begin):
    return {"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{number}", "ts": begin, "dur": 45}


class ShortenedTrace(unittest.TestCase):
    def test_it_has_the_first_steps_and_the_work_that_they_launched(self):
        trace = {"schemaVersion": 1, "traceName": "/home/author/trace.json",
                 "traceEvents": EVENTS + [step(4, 55), step(3, 8)]}
        short = shorten_trace.shortened(trace, 1)
        self.assertEqual([event["name"] for event in short["traceEvents"]],
                         [event["name"] for event in EVENTS[:8]] + ["ProfilerStep#3"] +
                         [event["name"] for event in EVENTS[9:13]])
        self.assertEqual(short["schemaVersion"], 1)
        self.assertNotIn("traceName", short, "the path of its author")
        both = [event["name"] for event in shorten_trace.shortened(trace, 2)["traceEvents"]]
        self.assertIn("aten::index", both)
        self.assertNotIn("void at::native::of_nobody", both)


class Traces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "trace.json.gz"
        with gzip.open(path, "wt") as file:
            json.dump({"metadata": {"environment": SECRET}, "traceEvents": EVENTS}, file)
        self.calls = trace_calls.calls_of(path)

    def test_work_belongs_to_the_outermost_call(self):
        self.assertEqual([call.name for call in self.calls], ["aten::linear", "aten::item", "aten::index"])
        self.assertEqual([call.work.text() for call in self.calls],
                         ["1 own, 1 library, 1 memset", "1 sync, 1 device_to_host pageable", "nothing"])
        self.assertEqual(self.calls[0].operators, {"aten::linear", "aten::addmm"})

    def test_arguments_become_lines(self):
        self.assertEqual(trace_calls.lines_for(7, self.calls[0]),
                         "call\t7\taten::linear\tdevice\ntensor\tbfloat16\t2,3\t3,1\n"
                         "scalar\t1.5\nscalars\t4,5\nnothing\n")
        self.assertIn("\tto_host\n", trace_calls.lines_for(8, self.calls[1]))
        self.assertIsNone(self.calls[2].arguments)

    def test_nothing_of_the_authors_environment_is_kept(self):
        rows, unknown = fidelity_rows.distinct("t", self.calls)
        kept = json.dumps([fidelity_rows.totals_of(rows, unknown), fidelity_rows.differences_of(rows, {})])
        self.assertNotIn(SECRET, kept + repr(self.calls))

    def test_lists_of_tensors(self):
        self.assertEqual(trace_calls.tensors_line("float32", [[2], [3, 4]], [[1], [4, 1]]),
                         "tensors\tfloat32\t2;3,4\t1;4,1")
        self.assertEqual(trace_calls.tensors_line("float32", [], []), "tensors")


def row_of(real, found, status="ok ", whole=True, launches=1):
    call = trace_calls.Call("aten::add", ("tensor\tfloat32\t2\t1", "scalar\t1"), real, whole, launches)
    return fidelity_rows.Row("t", call, 3, status, found)


def work(own=0, library=0, memsets=0, syncs=0, copies=None):
    return trace_calls.Work(own, library, memsets, syncs, copies or {})


class Differences(unittest.TestCase):
    def test_what_must_be_equal(self):
        self.assertTrue(row_of(work(own=1), work(own=1)).is_equal())
        self.assertTrue(row_of(work(own=1, library=2, memsets=5), work(own=1, library=1)).is_equal())
        for found in (work(own=2), work(own=1, syncs=1), work(own=1, memsets=1), work(own=1, copies={"peer": 1})):
            self.assertFalse(row_of(work(own=1), found).is_equal(), found)
        self.assertFalse(row_of(work(), work(), "ended: not modelled").is_equal())

    def test_what_a_trace_of_sizes_alone_does_not_hold(self):
        copied = {"host_to_device": 1}
        self.assertTrue(row_of(work(copies=copied), work(syncs=1, copies=copied), whole=False).is_equal())
        self.assertFalse(row_of(work(copies=copied), work(syncs=1, copies=copied)).is_equal())
        self.assertFalse(row_of(work(own=1), work(own=1, syncs=1), whole=False).is_equal(), "no copy, so no wait")
        for status in ("unknown", "failed torch.cat(): no list"):
            self.assertEqual(row_of(work(own=1), work(), status, whole=False).standing(), "lacks_numbers")
            self.assertEqual(row_of(work(own=1), work(), status).standing(), "different")
        self.assertEqual(row_of(work(own=1), work(), "ended: not modelled", whole=False).standing(), "different")

    def test_where_tensors_were(self):
        self.assertEqual(row_of(work(), work(own=1), launches=0).standing(), "on_host")
        self.assertEqual(row_of(work(), work(own=1)).standing(), "different", "it called the runtime")
        self.assertEqual(row_of(work(own=1), work(own=2), launches=0).standing(), "different")

    def test_totals_compare_what_can_be_compared(self):
        rows = [row_of(work(own=1), work(own=1)), row_of(work(own=5), work(), "unknown", whole=False)]
        totals = fidelity_rows.totals_of(rows, 0)
        self.assertEqual((totals["own_kernels"], totals["own_kernels_emulated"]), (3, 3))
        self.assertEqual((totals["equal"], totals["lacks_numbers"], totals["different"]), (1, 1, 0))

    def problems(self, rows, stored):
        totals = {"t": fidelity_rows.totals_of(rows, 0)}
        expected = {"traces": {"t": {"totals": totals["t"]}}, "differences": stored}
        return fidelity_rows.problems_of(expected, totals, fidelity_rows.differences_of(rows, stored))

    def test_a_difference_needs_a_reason(self):
        row = row_of(work(own=1), work(own=2))
        self.assertEqual(self.problems([row], {}), ["t aten::add float32[2](1) 1: real 1 own, emulated 2 own"])
        known = {row.key(): {"real": "1 own", "emulated": "2 own", "reason": "another version"}}
        self.assertEqual(self.problems([row], known), [])
        self.assertEqual(len(self.problems([row_of(work(own=1), work(own=3))], known)), 1, "another difference")

    def test_a_difference_that_is_gone_must_go(self):
        row = row_of(work(own=1), work(own=1))
        known = {row.key(): {"real": "1 own", "emulated": "2 own", "reason": "another version"}}
        self.assertEqual(self.problems([row], known), [f"{row.key()}: is stored as different and is equal now"])

    def test_other_totals_fail(self):
        rows = [row_of(work(own=1), work(own=1))]
        totals = {"t": fidelity_rows.totals_of(rows, 0)}
        other = copy.deepcopy(totals)
        other["t"]["calls"] += 1
        expected = {"traces": {"t": {"totals": other["t"]}}, "differences": {}}
        self.assertEqual(len(fidelity_rows.problems_of(expected, totals, {})), 1)

    def test_a_call_that_ends_the_process_has_what_the_machine_said(self):
        text = "0 ok Tensor\n1 unknown\nstepgate: cufftXt is not modelled\n"
        self.assertEqual(fidelity_rows.statuses_of(text), {0: "ok Tensor", 1: "unknown"})
        self.assertEqual(fidelity_rows.statuses_of(text, 2)[2], "ended: stepgate: cufftXt is not modelled")

    def test_operators_of_the_gpu_cases_are_found(self):
        names = fidelity_rows.uncovered(SOURCE, {"aten::mm"})
        self.assertIn("aten::_scaled_dot_product_efficient_attention_backward", names)
        self.assertNotIn("aten::mm", names)


class Confirmed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / fidelity_rows.CONFIRMED).parent.mkdir(parents=True)

    def no_longer(self, rows, *names):
        (self.root / fidelity_rows.CONFIRMED).write_text("\n".join(f'    "{name}",' for name in names))
        return fidelity_rows.no_longer_confirmed(self.root, rows)

    def test_equal_own_kernels_confirm_all_operators_of_a_call(self):
        row = row_of(work(own=1), work(own=1))
        row.call.operators = {"aten::add", "aten::copy_"}
        self.assertEqual(self.no_longer([row], "aten::add", "aten::copy_"), [])

    def test_what_differs_or_launches_nothing_confirms_nothing(self):
        for row in (row_of(work(own=1), work(own=2)), row_of(work(library=1), work(library=1))):
            row.call.operators = {"aten::add"}
            lines = self.no_longer([row], "aten::add")
            self.assertEqual(len(lines), 1)
            self.assertIn("aten::add: ", lines[0])


class Expected(unittest.TestCase):
    def test_each_stored_difference_has_a_reason_and_a_trace(self):
        expected = json.loads((SOURCE / fidelity_rows.EXPECTED).read_text())
        for key, entry in expected["differences"].items():
            self.assertIn(key.split(" ")[0], expected["traces"])
            self.assertNotIn(entry["reason"], ("", fidelity_rows.UNEXPLAINED), key)
        for trace in expected["traces"].values():
            self.assertEqual(len(trace["sha256"]), 64)
            self.assertIn("licence", trace["source"])


if __name__ == "__main__":
    unittest.main()
