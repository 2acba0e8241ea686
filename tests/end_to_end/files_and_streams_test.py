"""Files and streams that are not what a program expects: FIFOs, devices, links in a circle, closed or full streams.

Each case ends within seconds, by itself, with a status of stepgate and a message that names the file and the next step.
"""

import json
import os
import pathlib
import resource
import stat
import subprocess
import tempfile
import unittest

from open_launcher import open_launcher

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
STEPGATE = str(BUILD / "bin" / "stepgate")
CASE = "toys/quick/script"
PATIENCE_S = 10

VERDICT = {"schema": {"name": "stepgate.verdict", "major": 1, "minor": 1}, "exit_status": 0, "status": "pass",
           "utc": "2026-11-21T10:00:00Z", "commit": "abc", "runner_class": "local", "stepgate_version": "0.1.0",
           "expected_cases": [], "missing_cases": [],
           "outcomes": [{"group": "exact", "case": CASE, "status": "pass", "reason": "unchanged", "detail": "",
                         "metrics": [], "findings": [], "failures": [], "commands": {"reproduce": "", "accept": ""},
                         "pending_path": "", "baseline": {"path": "", "summary": ""}, "fingerprint": {}, "seconds": 1,
                         "background": [], "inputs": {"program": "cbf29ce484222325"}}]}  # of an empty file


class Place(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="stepgate-streams-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        manifest = {"schema": {"name": "stepgate.manifest", "major": 1, "minor": 0}, "build_type": "Release",
                    "policy_root": "policies", "baseline_root": "baselines",
                    "cases": [{"name": CASE, "suite": "toys", "program": "none", "device": "cpu"}]}
        self.write("stepgate-manifest.json", manifest)
        (self.folder / "none").touch()
        self.write(f"out/{CASE}/exact/verdict.json", VERDICT)

    def write(self, name, document):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(document))
        return file

    def fifo(self, name):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        os.mkfifo(file)
        return file

    def run_words(self, *words, shell="", prepare=None, program=STEPGATE):
        """`shell` is appended to the command, e.g. "2>&-"."""
        line = ["sh", "-c", f'"$0" "$@" {shell}', program, *words]
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("STEPGATE_", "GITHUB_"))}
        return subprocess.run(line, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE_S,
                              env=environment, stdin=subprocess.DEVNULL, preexec_fn=prepare)

    def refused(self, done, status, *parts):
        text = done.stderr + done.stdout
        self.assertEqual(done.returncode, status, text)
        for part in (*parts, "next: "):
            self.assertIn(part, text)
        for part in ("filesystem error", "terminate called", "defect of stepgate"):
            self.assertNotIn(part, text)

    def report(self, *words, **how):
        return self.run_words("report", "--build", ".", "--out", "out", *words, **how)


class Inputs(Place):
    def test_a_fifo_in_the_place_of_each_input_is_named_and_not_waited_for(self):
        self.fifo("stepgate-manifest.json")
        self.refused(self.run_words("list", "--build", "."), 2, "stepgate-manifest.json", "it is a FIFO")

    def test_of_each_document(self):
        baseline = self.fifo(f"baselines/portable/{CASE}.json")
        self.refused(self.run_words("baseline", "show", CASE, "--build", "."), 5, str(baseline.name), "it is a FIFO")
        self.refused(self.run_words("check", str(self.fifo("m.json")), "--build", "."), 2, "m.json", "it is a FIFO")
        self.refused(self.run_words("compare", str(self.fifo("a")), str(self.fifo("b")), "--build", "."), 2, "FIFO")
        self.fifo(f"out/{CASE}/exact/verdict.json")
        self.refused(self.report(), 2, "verdict.json", "it is a FIFO")

    def test_a_device_is_no_document(self):
        self.refused(self.run_words("check", "/dev/zero", "--build", "."), 2, "/dev/zero", "it is a device")

    def test_links_in_a_circle(self):
        (self.folder / "loop").symlink_to("loop")
        for words in (["list", "--build", "loop"], ["check", "loop", "--build", "."],
                      ["baseline", "lint", "--build", ".", "--baseline-dir", "loop"],
                      ["report", "--build", ".", "--out", "loop"]):
            done = self.run_words(*words)
            self.assertIn(done.returncode, (2, 3, 5), words)
            self.refused(done, done.returncode, "loop", "Too many levels of symbolic links")

    def test_a_link_in_a_circle_among_the_baselines(self):
        loop = self.folder / "baselines" / "portable" / "x.json"
        loop.parent.mkdir(parents=True)
        loop.symlink_to("x.json")
        done = self.run_words("baseline", "lint", "--build", ".")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("x.json: a symbolic link", done.stderr + done.stdout)

    def test_missing_rights(self):
        closed = self.folder / "closed"
        self.write("closed/stepgate-manifest.json", {})
        closed.chmod(0)
        self.addCleanup(closed.chmod, 0o700)
        how = {}
        if os.geteuid() == 0:
            how = {"program": open_launcher(self.folder), "prepare": lambda: os.setresuid(65534, 65534, 65534)}
        self.refused(self.run_words("list", "--build", "closed", **how), 3, "closed", "Permission denied")


class Streams(Place):
    def test_a_closed_or_full_stderr_keeps_the_status(self):
        for shell in ("2>&-", "2>/dev/full", "2>&- >&-", "0<&- 2>&- >&-"):
            self.assertEqual(self.run_words("nothing", shell=shell).returncode, 2, shell)

    def test_a_closed_or_full_stdout_is_named(self):
        for shell, why in ((">&-", "Bad file descriptor"), (">/dev/full", "No space left on device")):
            for words in (["--version"], ["--help"], ["list", "--build", "."]):
                self.refused(self.run_words(*words, shell=shell), 3, "cannot write to stdout", why)

    def test_a_reader_that_has_gone_is_no_signal(self):
        done = subprocess.run(["bash", "-c", f'{STEPGATE} --help | true; exit ${{PIPESTATUS[0]}}'], capture_output=True,
                              text=True, timeout=PATIENCE_S)
        self.assertIn(done.returncode, (0, 3), done.stderr)

    def test_no_file_gets_the_number_of_a_closed_stream(self):
        self.assertEqual(self.report("--json", shell="0<&- >&- 2>&-").returncode, 3)
        names = {file.name: file.read_text() for file in (self.folder / "out").glob("*.*")}
        self.assertEqual(self.report("--json").returncode, 0)
        after = {file.name: file.read_text() for file in (self.folder / "out").glob("*.*")}
        self.assertEqual(names, after)
        # Written again at a later time, the files are the same: they tell when the verdict was reached.
        self.assertIn('timestamp="2026-11-21T10:00:00Z"', after["junit.xml"])
        self.assertIn("2026-11-21T10:00:00Z", after["summary.md"])

    def test_a_limit_on_file_sizes_is_an_error_and_no_signal(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
        (self.folder / "out" / "verdict.json").write_text("{}")
        done = self.report(prepare=small_files)
        self.refused(done, 3, "File too large", "ulimit -f")
        self.assertEqual((self.folder / "out" / "verdict.json").read_text(), "{}")


class Outputs(Place):
    OPTIONS = ("--markdown", "--junit")

    def test_a_device_stays_a_device(self):
        if os.geteuid() != 0:
            self.skipTest("only root can make a device for the test")
        null = self.folder / "null"
        try:
            os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))
            null.read_bytes()
        except OSError as error:
            self.skipTest(f"no devices here: {error}")
        for option in self.OPTIONS:
            self.assertEqual(self.report(option, str(null)).returncode, 0)
            self.assertTrue(stat.S_ISCHR(null.stat().st_mode))

    def test_stdout_gets_the_file_behind_the_table(self):
        out = self.folder / "all.txt"
        # A link like /dev/stdout. Where this test fails, that of the machine would be lost.
        (self.folder / "stdout").symlink_to("/proc/self/fd/1")
        for target in ("stdout", "/proc/self/fd/1"):
            self.assertEqual(self.report("--markdown", target, shell="> all.txt").returncode, 0)
            for text in (out.read_text(), self.report("--markdown", target).stdout):
                self.assertIn(CASE, text)
                self.assertGreater(text.index("**1 pass**"), text.index(CASE))

    def test_a_link_stays_a_link(self):
        (self.folder / "real.xml").write_text("old")
        (self.folder / "link.xml").symlink_to("real.xml")
        self.assertEqual(self.report("--junit", "link.xml").returncode, 0)
        self.assertTrue((self.folder / "link.xml").is_symlink())
        self.assertIn("<testsuites", (self.folder / "real.xml").read_text())

    def test_a_fifo_delivers_the_file(self):
        fifo = self.fifo("pipe")
        done = self.report("--junit", "pipe", shell="& cat pipe > got.xml; wait")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("</testsuites>", (self.folder / "got.xml").read_text())
        self.assertTrue(stat.S_ISFIFO(fifo.stat().st_mode))

    def test_a_fifo_without_a_reader_is_named(self):
        self.fifo("pipe")
        self.refused(self.report("--markdown", "pipe"), 3, "pipe", "nobody reads it")

    def test_a_folder_is_named(self):
        self.refused(self.report("--markdown", "."), 3, "Is a directory")


if __name__ == "__main__":
    unittest.main()
