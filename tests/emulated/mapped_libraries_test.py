"""A program on the emulated GPU has no library of the vendor in its memory: the kernel's list says which files it has."""

import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

from emulated_program import FOLDER, PROGRAM, environment_of, skip_without_emulation

PATIENCE_S = 120
# File names of the driver, and of what the wheels of CUDA hold. LibTorch's own libraries begin with libtorch and libc10.
VENDOR = re.compile(r"lib(cuda|cudart|cudnn\w*|cublas\w*|cufft\w*|cufile\w*|cupti|curand|cusolver\w*|cusparse\w*|nccl|"
                    r"nvidia-[\w-]+|nvJitLink|nvToolsExt|nvrtc[\w-]*|nvshmem\w*|nvperf\w*|checkpoint|pcsamplingutil)\.so")
NEEDED = ("libcudart.so.13", "libcublas.so.13", "libcudnn.so.9", "libnccl.so.2")


def files_of(process):
    """The files that the process has in its memory now; none where it has ended."""
    try:
        lines = pathlib.Path(f"/proc/{process}/maps").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return set()
    return {words[5].strip() for words in (line.split(maxsplit=5) for line in lines) if len(words) == 6 and words[5][0] == "/"}


def files_of_run(*arguments, machine="h100"):
    """Every file that a run of the program had in its memory, looked at all the time, and its exit status."""
    with tempfile.TemporaryDirectory(prefix="stepgate-emulated-") as folder:
        words = [str(PROGRAM), f"--stepgate_record={folder}/record.json", "--stepgate_emulated",
                 f"--stepgate_data={os.environ['STEPGATE_TEST_DATA_DIR']}", *arguments]
        files = set()
        with open(pathlib.Path(folder) / "output", "w+") as output:
            process = subprocess.Popen(words, env=environment_of(folder, machine), cwd=folder, stdout=output, stderr=output)
            end = time.monotonic() + PATIENCE_S
            while process.poll() is None and time.monotonic() < end:
                files |= files_of(process.pid)
                time.sleep(0.01)
            if process.poll() is None:
                process.kill()
                process.wait()
            output.seek(0)
            return files, process.returncode, output.read()[-2000:]


def vendor_files(files):
    """Files with a name of the vendor's libraries, and where each lies: folder -> names."""
    found = {}
    for path in map(pathlib.Path, files):
        if VENDOR.match(path.name):
            found.setdefault(str(path.parent), set()).add(path.name)
    return found


class MappedLibraries(unittest.TestCase):
    def check(self, machine):
        files, status, said = files_of_run("--stepgate_case=language/char_lm/gpu_small", "--stepgate_group=exact",
                                           "--stepgate_device=cuda", machine=machine)
        self.assertEqual(status, 0, said)
        found = vendor_files(files)
        own = found.pop(str(FOLDER.resolve()), set())
        self.assertEqual(found, {}, "libraries of the vendor's name outside of the private folder")
        for name in NEEDED:
            self.assertIn(name, own)
        self.assertTrue(any(path.endswith("/libtorch_cuda.so") for path in files), "LibTorch's CUDA code ran")

    def test_those_of_the_private_folder_alone(self):
        self.check("h100")

    def test_the_names_are_known(self):
        wheels = ("libcuda.so.1", "libcudart.so.13", "libnvidia-ml.so.1", "libnvidia-ptxjitcompiler.so.580.95.05", "libcublasLt.so.13",
                  "libcudnn_engines_precompiled.so.9", "libnvrtc-builtins.so.13.0", "libnvJitLink.so.13", "libcusparseLt.so.0",
                  "libnvshmem_host.so.3", "libcufile_rdma.so.1")
        self.assertEqual(vendor_files(f"/wheel/{name}" for name in wheels), {"/wheel": set(wheels)})
        self.assertEqual(vendor_files(["/torch/lib/libtorch_cuda.so", "/torch/lib/libc10_cuda.so", "/usr/lib/libcurl.so.4"]), {})


if __name__ == "__main__":
    skip_without_emulation()
    unittest.main(verbosity=2)
