"""A foreign trace of more than 1 GiB: its account in bounded time and memory, and a clear refusal where it is cut off."""

import gzip
import itertools
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time
import unittest

from gate_runner import STEPGATE

LEAST_BYTES = 1 << 30
STEPS = 20
STEP_US = 1_000_000
CALL_US = 8  # an operator, its launch and its kernel; the kernel works for 4 of them
START_US = 1_712_195_495_000_000  # an instant of 2024: more digits than a double has
MOST_RESIDENT_KIB = 200_000_000 // 1024  # what docs/design/trace_account.md promises
MOST_SECONDS = 10


def event(category, name, at_us, length_us, where, arguments):
    return (f'  {{\n    "ph": "X", "cat": "{category}", "name": "{name}", {where},\n    "ts": {at_us}.000, "dur": {length_us}.000,\n'
            f'    "args": {{\n      {arguments}\n    }}\n  }},\n')


# What Kineto writes beside the times of an operator, a call and a kernel: most of the text, and most of its tokens.
OF_OPERATOR = ('"External id": %d,"Record function id": 0, "Concrete Inputs": ["", "0", "585", "1"], "Input type": ["float", "Scalar", '
               '"Scalar", "Scalar"], "Input Strides": [[648, 1], [], [], []], "Input Dims": [[1024, 648], [], [], []], "Ev Idx": 5728, '
               '"Call stack": "' + "forward.py(12): " * 46 + '"')
OF_CALL = '"External id": 39010, "cbid": 211, "correlation": %d'
OF_KERNEL = ('"queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": %d, "registers per thread": 32, "shared memory": 0, '
             '"blocks per SM": 4.5, "warps per SM": 18.75, "grid": [486, 1, 1], "block": [128, 1, 1], '
             '"est. achieved occupancy %%": 29')


def step_text(number):
    begin = START_US + number * STEP_US
    host, device = '"pid": 17, "tid": 1', '"pid": 0, "tid": 7'
    parts = [event("user_annotation", f"ProfilerStep#{number}", begin, STEP_US - 100, host, "")]
    for call in range(STEP_US // CALL_US // 4):  # the device works in the first quarter of a step
        at = begin + call * CALL_US
        joined = number * STEP_US + call + 1
        parts.append(event("cpu_op", "aten::mm", at, 6, host, OF_OPERATOR % joined))
        parts.append(event("cuda_runtime", "cudaLaunchKernel", at + 1, 4, host, OF_CALL % joined))
        parts.append(event("kernel", "gemm", at + 3, 4, device, OF_KERNEL % joined))
    return "".join(parts)


def write_trace(path):
    """A step holds about 94 000 events, laid out like Kineto's."""
    with open(path, "w") as file:
        file.write('{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "Toy GPU", "numSms": 4}], "traceEvents": [\n')
        for number in range(STEPS):
            file.write(step_text(number))
        file.write(event("user_annotation", "end", START_US + STEPS * STEP_US, 1, '"pid": 17, "tid": 1', "")[:-2])
        file.write("\n]}\n")


EVENT = '{"ph":"X","cat":"%s","name":"%s","pid":0,"tid":1,"ts":%d.000,"dur":1.000,"args":{"correlation":%d}},\n'
MOST_EVENTS = 2_700_000  # json/traces/trace_limits.h


def hostile_events(kinds):
    """As many events as are read, none of which touches another one."""
    for number in range(MOST_EVENTS):
        category, name = kinds[number % len(kinds)]
        yield EVENT % (category, name, 1_000_000 + 2_000 * number, number + 1)


class HostileTraces(unittest.TestCase):
    """Traces that no profiler writes: they are read or refused within the same memory."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="stepgate-hostile-trace-")
        self.addCleanup(folder.cleanup)
        self.trace = pathlib.Path(folder.name) / "hostile.json.gz"

    def profile(self, parts, status, words=""):
        with gzip.open(self.trace, "wt", compresslevel=1) as file:
            file.write('{"traceEvents": [\n')
            file.writelines(parts)
            file.write('{}]}\n')
        done = subprocess.run([str(STEPGATE), "profile", "--trace", str(self.trace)], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, status, done.stderr[-500:])
        self.assertIn(words, done.stdout + done.stderr)
        resident_kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        print(f"{self.id().split('.')[-1]}: at most {resident_kib / 1e3:.0f} MB resident so far")
        self.assertLess(resident_kib, MOST_RESIDENT_KIB)

    def test_one_long_token(self):
        for long in (" ", '{"name": "' + "x", '{"' + "x", '{"ts": ' + "1"):
            self.profile([long[:-1], *([long[-1] * 1_000_000] * 100)], 2, "bytes")

    def test_names_without_end(self):
        self.profile((EVENT % ("cpu_op", f"name {number} " + "n" * 280, number, 0) for number in range(30_000)), 2, "different names")

    def test_as_many_events_as_are_read(self):
        for kinds in ([("kernel", "k")], [("cpu_op", "aten::mm")], [("cuda_runtime", "cudaStreamSynchronize"), ("kernel", "k")],
                      [("user_annotation", "data_wait"), ("kernel", "k")],
                      [("cpu_op", "enumerate(DataLoader)"), ("cuda_runtime", "cudaLaunchKernel"), ("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)")],
                      [("cpu_op", "enumerate(DataLoader)")] * 999 + [("kernel", "k")],
                      [("user_annotation", "data_wait"), ("user_annotation", "logging")] * 499 + [("cuda_runtime", "c"), ("kernel", "k")]):
            self.profile(hostile_events(kinds), 0)

    def test_steps_without_end(self):
        steps = (EVENT % ("user_annotation", f"ProfilerStep#{number}", 2 * number, 0) for number in range(200_000))
        self.profile(steps, 2, "more than 100000 steps")

    def test_ranges_without_end(self):
        begin = '{"ph":"B","cat":"tpu_op","name":"n","pid":"%s","tid":%d,"ts":1},\n'
        self.profile((begin % ("p" * 280, number) for number in range(30_000)), 2, "more than 20000 ranges")

    def test_one_event_more(self):
        self.profile(itertools.chain(hostile_events([("kernel", "k")]), [EVENT % ("kernel", "k", 1, 0)]), 2, "more than 2700000 events")


class LargeTrace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="stepgate-trace-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.trace = pathlib.Path(cls.folder.name) / "large.json"
        write_trace(cls.trace)

    def profile(self):
        out = pathlib.Path(self.folder.name) / "out"
        return subprocess.run([str(STEPGATE), "profile", "--trace", str(self.trace), "--json", "--out", str(out)],
                              capture_output=True, text=True, timeout=900, cwd=self.folder.name)

    def test_is_read_in_bounded_memory_and_refused_where_it_is_cut_off(self):
        self.assertGreater(self.trace.stat().st_size, LEAST_BYTES)
        begin = time.monotonic()
        done = self.profile()
        seconds = time.monotonic() - begin
        self.assertEqual(done.returncode, 0, done.stderr)
        account = json.loads(done.stdout)
        self.assertEqual(account["steps"], STEPS)
        resident_kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        print(f"{self.trace.stat().st_size / 1e6:.0f} MB read with {resident_kib / 1e3:.0f} MB resident in {seconds:.1f} s")
        self.assertLess(resident_kib, MOST_RESIDENT_KIB)
        self.assertLess(seconds, MOST_SECONDS)
        os.truncate(self.trace, self.trace.stat().st_size // 2)
        done = self.profile()
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f"{self.trace}: cut off after", done.stderr)
        self.assertIn("next:", done.stderr)


if __name__ == "__main__":
    unittest.main()
