"""What STEPGATE_EMULATED_GPU names is read before main: what is no usable file ends the process with a sentence."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from emulated_program import PROGRAM, environment_of, skip_without_emulation

PATIENCE_S = 20


class MachineText(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="stepgate-machine-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        os.mkfifo(self.folder / "fifo")
        (self.folder / "folder").mkdir()
        (self.folder / "long").write_text("#" * (1 << 21))

    def refused(self, machine, *texts):
        done = subprocess.run([PROGRAM, "--list"], env=environment_of(str(self.folder), machine), capture_output=True, text=True,
                              timeout=PATIENCE_S)
        self.assertEqual(done.returncode, 2, done.stderr)
        for text in ("STEPGATE_EMULATED_GPU", *texts):
            self.assertIn(text, done.stderr)

    def test_a_script_is_a_regular_file_of_a_mebibyte(self):
        for name in ("fifo", "folder", "missing"):
            self.refused(f"h100 script={self.folder}/{name}", name, "is no regular file")
        self.refused("h100 script=/dev/zero", "/dev/zero", "is no regular file")
        self.refused(f"h100 script={self.folder}/long", "long", "longer than 1 MiB")

    def test_a_log_that_cannot_be_written_is_no_silent_none(self):
        for option in ("log", "order", "hazards"):
            for name in ("fifo", "folder", "missing/log"):
                self.refused(f"h100 {option}={self.folder}/{name}", "cannot write", name)

    def test_words_that_it_does_not_know(self):
        self.refused("h900")
        self.refused("h100 scale=-1")
        self.refused("h100 nothing=1")


if __name__ == "__main__":
    skip_without_emulation()
    unittest.main(verbosity=2)
