"""A function that a program puts into a stream runs though the program waits for it without a call of CUDA."""

import subprocess
import sys
import tempfile
import unittest

from emulated_program import FOLDER, environment_of, skip_without_emulation

PATIENCE_S = 60
PROGRAM = """
import ctypes, os, sys, threading
cuda = ctypes.CDLL(sys.argv[1] + "/libcudart.so.13")
kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
callback_kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
ran = [threading.Event(), threading.Event()]
function = kind(lambda data: ran[0].set())
callback = callback_kind(lambda stream, status, data: ran[1].set())
assert cuda.cudaDeviceSynchronize() == 0
assert len(os.listdir("/proc/self/task")) == 1, "no thread before there is a function"
assert cuda.cudaLaunchHostFunc(None, function, None) == 0
assert ran[0].wait(30), "the function has not run"
assert cuda.cudaStreamAddCallback(None, callback, None, 0) == 0
assert ran[1].wait(30), "the callback has not run"
assert cuda.cudaDeviceSynchronize() == 0
print("both ran")
"""


class HostFunctions(unittest.TestCase):
    def test_a_program_may_wait_for_one_without_a_call(self):
        with tempfile.TemporaryDirectory(prefix="stepgate-emulated-") as folder:
            done = subprocess.run([sys.executable, "-c", PROGRAM, str(FOLDER)], env=environment_of(folder, "h100"), cwd=folder,
                                  capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("both ran", done.stdout)


if __name__ == "__main__":
    skip_without_emulation()
    unittest.main(verbosity=2)
