"""ci/emulated_gpu over a script as the measured program: what is compared, what fails, and what the page says."""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/emulator/cases"))

import cases_page  # noqa: E402
import emulated_runs  # noqa: E402
import log_and_record  # noqa: E402
import real_gpu  # noqa: E402
import record_integers  # noqa: E402


def amount(count, size=0):
    return {"count": count, "bytes": size, "not_moved": 0}


def stretch(mark, **changes):
    made = {"mark": mark, "own_kernels": {}, "library_kernels": {}, "copies": {}, "memsets": amount(0), "waits": {},
            "graph_launches": 0, "graph_nodes": 0, "allocations": {}, "frees": {}}
    made.update(changes)
    return made


STRETCHES = [
    stretch("counts begin 0", allocations={"device": amount(2, 4096)}, own_kernels={"warm": 9}),
    stretch("counts 0", own_kernels={"add": 2}, library_kernels={"gemm": 1}, memsets=amount(1, 8),
            copies={"host_to_device": amount(1, 64), "device_to_device": amount(1, 8)},
            waits={"cudaStreamSynchronize stream": 1, "cudaMemcpyAsync copy": 1}),
    stretch("memory begin 0", allocations={"device": amount(1, 1024)}),
    stretch("memory 0", frees={"device": amount(1, 1024)}, allocations={"pinned": amount(1, 512)}),
    stretch("end"),
]
RECORD = {
    "counts": {"per_step": {"kernels_per_step": [3], "own_kernels_per_step": [2], "memcpys_per_step": [2],
                            "memsets_per_step": [1],
                            "device_syncs_per_step": [1], "device_allocations_per_step": [0],
                            "graph_launches_per_step": [0], "h2d_copies_per_step": [1], "h2d_bytes_per_step": [64]}},
    "memory": {"reserved_bytes": [4096], "pinned_allocations_per_step": [1], "peak_allocated_bytes": 2 * 2**20,
               "peak_reserved_bytes": 4 * 2**20, "host_heap_bytes": [77]},
}

# Writes the record and the log of the folder FILES. A run whose folder, program or CPUs the file CHANGED names takes one
# kernel more.
PROGRAM = """#!/usr/bin/env python3
import json, os, pathlib, sys
here = pathlib.Path(FILES)
if "--list" in sys.argv:
    print((here / "cases.json").read_text())
    sys.exit(0)
assert os.environ["LD_AUDIT"].endswith("libstepgate_emulated_loader.so")
options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if "=" in word)
if "broken" in options["stepgate_case"]:
    print("stepgate: no such machine", file=sys.stderr)
    sys.exit(3)
words = os.environ["STEPGATE_EMULATED_GPU"].split()
record = json.loads((here / "record.json").read_text())
place = f"{os.getcwd()} {pathlib.Path(__file__).resolve()} {len(os.sched_getaffinity(0))} CPUs"
if (here / "CHANGED").exists() and (here / "CHANGED").read_text() in place:
    record["counts"]["per_step"]["kernels_per_step"] = [4]
pathlib.Path(options["stepgate_record"]).write_text(json.dumps(record))
for word in words[1:]:
    path = word.removeprefix("log=").replace("%20", " ").replace("%25", "%")
    pathlib.Path(path).write_text((here / "log.jsonl").read_text())
"""


class LogAndRecord(unittest.TestCase):
    def differences(self, change):
        record, stretches = copy.deepcopy(RECORD), copy.deepcopy(STRETCHES)
        change(record, stretches)
        return log_and_record.compare(stretches, record).differences

    def test_equal_accounts_have_no_difference(self):
        comparison = log_and_record.compare(STRETCHES, RECORD)
        self.assertEqual(comparison.differences, [])
        self.assertEqual(comparison.figures, 10)

    def test_own_kernels_of_a_graph_are_left_out(self):
        record, stretches = copy.deepcopy(RECORD), copy.deepcopy(STRETCHES)
        stretches[1]["graph_launches"] = record["counts"]["per_step"]["graph_launches_per_step"][0] = 1
        record["counts"]["per_step"]["own_kernels_per_step"] = [0]
        comparison = log_and_record.compare(stretches, record)
        self.assertEqual(comparison.differences, [])
        self.assertEqual(comparison.left_out, {"counts 0 own_kernels_per_step": "the step replays a graph"})

    def test_each_figure_is_compared(self):
        per_step = RECORD["counts"]["per_step"]
        for metric in [name for name in per_step if name != "h2d_copies_per_step"]:
            def change(record, _, metric=metric):
                record["counts"]["per_step"][metric][0] += 1
            lines = self.differences(change)
            self.assertEqual(len(lines), 1, metric)
            self.assertIn(f"counts 0 {metric}: ", lines[0])

    def test_reserved_bytes_are_what_was_taken_and_not_given_back(self):
        def change(_, stretches):
            stretches[0]["allocations"]["device"]["bytes"] += 512
        self.assertEqual(self.differences(change), ["memory 0 reserved_bytes: log 4608, record 4096"])

    def test_reserved_bytes_of_a_pool_are_left_out(self):
        record, stretches = copy.deepcopy(RECORD), copy.deepcopy(STRETCHES)
        stretches[0]["allocations"] = {"pooled": {"count": 1, "bytes": 4096}}
        comparison = log_and_record.compare(stretches, record)
        self.assertIn("memory 0 reserved_bytes", comparison.left_out)
        self.assertFalse([line for line in comparison.differences if "reserved" in line])

    def test_pinned_allocations_are_compared(self):
        def change(record, _):
            record["memory"]["pinned_allocations_per_step"] = [0]
        self.assertEqual(self.differences(change), ["memory 0 pinned_allocations_per_step: log 1, record 0"])

    def test_nodes_of_a_launched_graph_are_in_the_log(self):
        def change(record, stretches):
            stretches[1]["own_kernels"]["add"] = 7
            stretches[1]["graph_launches"] = 1
            record["counts"]["per_step"].update(graph_launches_per_step=[1], graph_kernel_nodes=[5])
        self.assertEqual(self.differences(change), [])

    def test_bytes_of_the_batch_are_left_out_where_more_is_copied(self):
        def change(record, _):
            record["counts"]["per_step"].update(h2d_copies_per_step=[0], h2d_bytes_per_step=[0])
        self.assertEqual(self.differences(change), [])

    def test_a_missing_mark_and_an_empty_log_are_differences(self):
        def change(_, stretches):
            del stretches[1]
        self.assertEqual(self.differences(change), ["counts 0: the log has no such mark"])
        self.assertTrue(log_and_record.compare([], {}).differences)


class Integers(unittest.TestCase):
    def test_each_integer_is_compared_but_the_excluded_ones(self):
        other = copy.deepcopy(RECORD)
        other["memory"].update(host_heap_bytes=[1], pinned_allocation_ns=5)
        other["counts"]["per_step"]["memsets_per_step"] = [2]
        count, lines = record_integers.differing(RECORD, other)
        self.assertEqual(lines, ["counts.per_step.memsets_per_step.0: 1, then 2"])
        self.assertEqual(count, 13)

    def test_one_that_is_missing_differs(self):
        self.assertEqual(record_integers.differing({"a": 1, "b": True}, {})[1], ["a: 1, then absent"])

    def test_calls_of_a_watchdog_are_left_out_where_there_are_ranks(self):
        one, other = ({"fingerprint": {"ranks": ranks}, "counts": {"device_calls": {"cudaEventQuery": queries}}}
                      for ranks, queries in (("2", 5), ("2", 6)))
        self.assertEqual(record_integers.differing(one, other)[1], [])
        del one["fingerprint"]
        self.assertEqual(record_integers.differing(one, other)[1], ["counts.device_calls.cudaEventQuery: 5, then 6"])

    def test_each_exclusion_has_a_reason(self):
        for part, reason in record_integers.EXCLUDED + record_integers.EXCLUDED_OF_RANKS:
            self.assertTrue(part and reason)


class RealGpu(unittest.TestCase):
    def test_a_record_is_compared_with_the_baseline_of_its_gpu(self):
        case = "language/char_lm/gpu_small"
        baseline = real_gpu.baseline_of(SOURCE, "h100", case)
        record = {"counts": {"per_step": {"kernels_per_step": baseline["kernels_per_step"], "memsets_per_step": [7]}},
                  "memory": {"ooms_per_step": baseline["ooms_per_step"], "ledger": {"step": 1}}}
        equal, lines = real_gpu.compare_with_real(SOURCE, "h100", case, record)
        self.assertEqual(equal, 2)
        self.assertEqual(lines, [f"memsets_per_step: real {baseline['memsets_per_step']}, emulated [7]"])

    def test_without_a_baseline_nothing_is_compared(self):
        self.assertIsNone(real_gpu.compare_with_real(SOURCE, "a100", "language/char_lm/gpu_small", RECORD))
        self.assertIsNone(real_gpu.compare_with_real(SOURCE, "h100", "language/char_lm/none", RECORD))


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name) / "build with %"
        (self.build / "bin").mkdir(parents=True)
        (self.build / "emulated_gpu").mkdir()
        (self.build / "emulated_gpu/complete").touch()
        self.write("perftests", PROGRAM.replace("FILES", repr(str(self.build / "bin"))))
        (self.build / "bin/perftests").chmod(0o755)
        self.write("record.json", json.dumps(RECORD))
        self.write("log.jsonl", "".join(json.dumps(one) + "\n" for one in STRETCHES))
        self.list_cases(("a/b/gpu", "cuda", 1), ("a/b/tiny", "cpu", 1), ("a/b/parallel", "cuda", 2))

    def write(self, name, text):
        (self.build / "bin" / name).write_text(text)

    def list_cases(self, *cases):
        listed = [{"name": name, "device": device, "ranks": ranks} for name, device, ranks in cases]
        self.write("cases.json", json.dumps({"cases": listed}))

    def run_command(self, *words):
        done = subprocess.run([sys.executable, SOURCE / "ci/emulated_gpu", "--build", self.build, *words],
                              capture_output=True, text=True, timeout=120, cwd=self.build)
        return done.returncode, done.stdout + done.stderr

    def test_runs_the_gpu_cases_on_two_models(self):
        status, text = self.run_command()
        self.assertEqual(status, 0, text)
        self.assertIn("4 runs, 0 not to the end; 20 figures of log and record and 52 integers", text)
        self.assertNotIn("a/b/tiny", text)

    def test_the_page_gets_the_table_in_its_place(self):
        page = self.build / "page.md"
        page.write_text(f"# Cases\n\n{cases_page.row_text(cases_page.HEAD)}\n| --- |\n| old |\n\nEnd.\n")
        self.assertEqual(self.run_command("a/b/gpu", "--model", "l4", "--page", page)[0], 0)
        text = page.read_text()
        self.assertRegex(text, r"\| `a/b/gpu` \| l4 \| \d+\.\d \| 2 \| 1 \| 1 \| 2 \| 1 \| 2\.0 MiB \| 4\.0 MiB \| "
                               r"10 equal \| 13 equal \| - \|")
        self.assertNotIn("old", text)
        self.assertTrue(text.endswith("\nEnd.\n"))

    def test_a_difference_between_log_and_record_fails(self):
        record = copy.deepcopy(RECORD)
        record["counts"]["per_step"]["kernels_per_step"] = [2]
        self.write("record.json", json.dumps(record))
        status, text = self.run_command("a/b/gpu", "--model", "h100", "--once")
        self.assertEqual(status, 1)
        self.assertIn("counts 0 kernels_per_step: log 3, record 2", text)

    def test_a_difference_between_two_runs_fails(self):
        self.write("CHANGED", "second")
        status, text = self.run_command("a/b/gpu", "--model", "h100")
        self.assertEqual(status, 1)
        self.assertIn("second run, idle: counts.per_step.kernels_per_step.0: 3, then 4", text)

    def test_each_condition_is_a_run_and_a_column(self):
        status, text = self.run_command("a/b/gpu", "--model", "l4", "--conditions", "idle,busy+one-core,other-path")
        self.assertEqual(status, 0, text)
        self.assertIn("| case | model | idle | busy+one-core | other-path |\n"
                      "| `a/b/gpu` | l4 | 13 equal | 13 equal | 13 equal |", text)
        self.assertIn("39 integers", text)

    def test_a_difference_under_one_condition_fails_and_is_named(self):
        for change, condition in ((" 1 CPUs", "one-core"), ("another_checkout_with_a_longer_path", "other-path")):
            self.write("CHANGED", change)
            status, text = self.run_command("a/b/gpu", "--model", "l4", "--conditions", f"idle,{condition}")
            self.assertEqual(status, 1, text)
            self.assertIn("| `a/b/gpu` | l4 | 13 equal | **1 of 13 differ** |", text)
            self.assertIn(f"second run, {condition}: counts.per_step.kernels_per_step.0: 3, then 4", text)

    def test_a_record_without_integers_is_not_equal(self):
        self.write("record.json", "{}")
        self.assertIn("the record has no integer to compare", self.run_command("a/b/parallel", "--model", "l4")[1])

    def test_another_build_at_a_path_as_long_is_refused(self):
        status, text = self.run_command("a/b/gpu", "--conditions", "other-path", "--other-build", self.build)
        self.assertEqual(status, 1)
        self.assertIn("is as long a path", text)

    def test_a_case_that_does_not_run_fails_with_its_last_words(self):
        self.list_cases(("a/b/broken", "cuda", 1))
        status, text = self.run_command("--model", "h100")
        self.assertEqual(status, 1)
        self.assertIn("status 3: stepgate: no such machine", text)

    def test_says_what_to_build(self):
        (self.build / "emulated_gpu/complete").unlink()
        status, text = self.run_command("--list")
        self.assertEqual(status, 1)
        self.assertIn("--target emulated_gpu", text)

    def test_an_unknown_case_is_refused(self):
        self.assertIn("there is no GPU case a/b/none", self.run_command("a/b/none")[1])

    def test_paths_with_blanks_reach_the_machine(self):
        self.assertEqual(emulated_runs.escaped("/a b/%"), "/a%20b/%25")


if __name__ == "__main__":
    unittest.main()
