"""`stepgate profile` on a disk that fills up: a clear line, and nothing lost that was measured or printed."""

import fcntl
import json
import subprocess
import time
import unittest

from gate_runner import BUILD, CASE, STEPGATE, Workplace
from guarded_machine import enter_namespace, libc

WORDS = ["--phase", "baseline", "--json", "--steps", "e2e=20,window=5,phase=5,synthetic=10,loader=10,h2d=3,logging=20"]
PIPE_BYTES = 4096  # the document is longer, so stepgate waits for a reader in the middle of it
DETACH = 2
ATTEMPTS = 5
OLDER = ["profile.json", "profile.md"]  # a profile that does not fit leaves them


class FullDisk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not enter_namespace():
            raise unittest.SkipTest("a private mount namespace is not allowed here")

    def setUp(self):
        self.place = Workplace(program=BUILD / "bin" / "perftests")
        self.addCleanup(self.place.close)
        self.place.out.mkdir()
        if libc.mount(b"none", str(self.place.out).encode(), b"tmpfs", 0, b"size=16m") != 0:
            self.skipTest("mounting a tmpfs is not allowed here")
        self.addCleanup(libc.umount2, str(self.place.out).encode(), DETACH)
        self.folder = self.place.out / "profile" / CASE

    def start(self):
        words = [str(STEPGATE), "profile", CASE, *WORDS, "--build", str(self.place.folder), "--out",
                 str(self.place.out)]
        running = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   bufsize=0)
        fcntl.fcntl(running.stdout, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        self.addCleanup(running.kill)
        return running

    def fill(self):
        with self.assertRaises(OSError), (self.place.out / "filler").open("wb", buffering=0) as filler:
            while True:
                filler.write(b"x" * 4096)

    def refused(self, running, errors, *parts):
        self.assertEqual(running.returncode, 3, errors)
        for part in (*parts, "No space left on device", "free some space"):
            self.assertIn(part, errors.decode())

    def processes_of(self, group):
        return len(json.loads((self.folder / group / "measurement.json").read_text())["replicates"])

    def printed_on_a_full_disk(self):
        """The document, read to its end after the disk was full. None if it was complete before: that of a machine too busy
        for a baseline can be short."""
        running = self.start()
        first = running.stdout.read(1)  # it waits to print the rest
        self.fill()
        output, errors = running.communicate(timeout=120)
        (self.place.out / "filler").unlink()
        if len(output) <= 2 * PIPE_BYTES:
            self.assertIn("stopped", json.loads(first + output))
            return None
        self.refused(running, errors, "profile.json")
        return json.loads(first + output)

    def lay_down_older_profile(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in OLDER:
            (self.folder / name).write_text("of an earlier profile")

    def test_the_document_is_printed_before_files_that_do_not_fit(self):
        document = None
        for _ in range(ATTEMPTS):
            self.lay_down_older_profile()
            document = self.printed_on_a_full_disk()
            if document:
                break
        self.assertIsNotNone(document, f"the machine was too busy for a baseline {ATTEMPTS} times")
        self.assertEqual(self.processes_of("exact"), 1)
        if "stopped" not in document:
            self.assertGreater(document["step"]["median_ns"], 0)
            self.assertGreaterEqual(self.processes_of("baseline"), 3)
        for name in OLDER:
            self.assertEqual((self.folder / name).read_text(), "of an earlier profile")
        self.assertEqual(sorted(path.name for path in self.folder.glob("*profile*")), sorted(OLDER))

    def test_a_phase_that_does_not_fit_keeps_the_one_before(self):
        running = self.start()
        deadline = time.monotonic() + 300
        while not (self.folder / "exact/measurement.json").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        self.fill()
        self.refused(running, running.communicate(timeout=120)[1], "baseline/measurement.json")
        self.assertEqual(self.processes_of("exact"), 1)
        self.assertFalse((self.folder / "baseline/measurement.json").exists())
        self.assertFalse((self.folder / "profile.json").exists())


if __name__ == "__main__":
    unittest.main()
