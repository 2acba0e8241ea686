"""A foreign trace of more than 500 MB: its account in bounded memory, and a clear refusal where it is cut off."""

import json
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

from gate_runner import STEPGATE

LEAST_BYTES = 500_000_000
STEPS = 20
STEP_US = 1_000_000
CALL_US = 8  # an operator, its launch and its kernel; the kernel works for 4 of them
START_US = 1_712_195_495_000_000  # an instant of 2024: more digits than a double has
MOST_RESIDENT_KIB = 400_000  # 225 MB were seen; a reader that keeps the text or all events needs gigabytes


def event(category, name, at_us, length_us, where, arguments):
    return (f'{{"ph": "X", "cat": "{category}", "name": "{name}", {where}, "ts": {at_us}, "dur": {length_us}, '
            f'"args": {{{arguments}}}}},\n')


def step_text(number, padding):
    begin = START_US + number * STEP_US
    parts = [event("user_annotation", f"ProfilerStep#{number}", begin, STEP_US - 100, '"pid": 17, "tid": 1', "")]
    for call in range(STEP_US // CALL_US // 4):  # the device works in the first quarter of a step
        at = begin + call * CALL_US
        joined = number * STEP_US + call + 1
        parts.append(event("cpu_op", "aten::mm", at, 6, '"pid": 17, "tid": 1', f'"Call stack": "{padding}"'))
        parts.append(event("cuda_runtime", "cudaLaunchKernel", at + 1, 4, '"pid": 17, "tid": 1', f'"correlation": {joined}'))
        parts.append(event("kernel", "gemm", at + 3, 4, '"pid": 0, "tid": 7',
                           f'"device": 0, "stream": 7, "correlation": {joined}'))
    return "".join(parts)


def write_trace(path):
    """A step holds about 94 000 events; a long call stack brings the file above its size, as real ones do."""
    with open(path, "w") as file:
        file.write('{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "Toy GPU", "numSms": 4}], "traceEvents": [\n')
        for number in range(STEPS):
            file.write(step_text(number, "forward.py(12): " * 32))
        file.write(event("user_annotation", "end", START_US + STEPS * STEP_US, 1, '"pid": 17, "tid": 1', "")[:-2])
        file.write("\n]}\n")


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
        done = self.profile()
        self.assertEqual(done.returncode, 0, done.stderr)
        account = json.loads(done.stdout)
        self.assertEqual(account["steps"], STEPS)
        resident_kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        print(f"{self.trace.stat().st_size / 1e6:.0f} MB read with {resident_kib / 1e3:.0f} MB resident")
        self.assertLess(resident_kib, MOST_RESIDENT_KIB)
        os.truncate(self.trace, self.trace.stat().st_size // 2)
        done = self.profile()
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f"{self.trace}: cut off after", done.stderr)
        self.assertIn("next:", done.stderr)


if __name__ == "__main__":
    unittest.main()
