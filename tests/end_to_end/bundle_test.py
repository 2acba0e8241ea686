"""A bundle of a build is moved and gates a case without compiler, checkout and build folder."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from gate_runner import BUILD, CASE, SOURCE

TORCH = pathlib.Path(re.search(r"^Torch_DIR:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M).group(1)).parents[2]
DATA = pathlib.Path(os.environ["STEPGATE_TEST_DATA_DIR"])
BUNDLE = SOURCE / "ci" / "bundle"
TOOLS = ("sh", "sed", "grep", "dirname", "basename")  # the only tools that `run` needs; no git, python3 or compiler
BASE = re.compile(r"(ld-linux.*|lib(c|m|dl|pthread|rt|util|gcc_s|stdc\+\+))\.so\.\d+")
# Mounts empty folders over what the other machine lacks. $1: their number; after the folders comes the command.
HIDE = 'n=$1; shift; while [ "$n" -gt 0 ]; do mount -t tmpfs none "$1"; shift; n=$((n-1)); done; exec "$@"'


def bundled(out):
    return subprocess.run([str(BUNDLE), str(BUILD), str(out)], capture_output=True, text=True)


class Bundle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-bundle-"))
        done = bundled(cls.folder / "made here")
        assert done.returncode == 0, done.stdout + done.stderr
        (cls.folder / "another place").mkdir()
        cls.bundle = cls.folder / "another place" / "bundle"
        (cls.folder / "made here").rename(cls.bundle)
        cls.tools = cls.folder / "tools"
        cls.tools.mkdir()
        for name in TOOLS:
            (cls.tools / name).symlink_to(shutil.which(name))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)

    def run_bundle(self, *words, hidden=(), **variables):
        """Runs `run WORDS` with only a PATH of five tools in the environment, and with the folders of `hidden` empty."""
        hide = ["unshare", "-rm", "sh", "-c", HIDE, "hide", str(len(hidden)), *map(str, hidden)] if hidden else []
        environment = ["/usr/bin/env", "-i", f"PATH={self.tools}", *(f"{k}={v}" for k, v in variables.items())]
        return subprocess.run([*hide, *environment, str(self.bundle / "run"), *words], cwd=self.folder,
                              capture_output=True, text=True, timeout=600)

    def test_gates_a_case_with_only_its_own_libraries(self):
        log = self.folder / "loaded"
        can_hide = subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode == 0
        hidden = [SOURCE, DATA] + ([] if SOURCE in BUILD.parents else [BUILD]) if can_hide else []
        done = self.run_bundle("gate", CASE, "--tier", "exact", "--out", str(self.folder / "out"), hidden=hidden,
                               TORCH_ROOT=str(TORCH), LD_DEBUG="files", LD_DEBUG_OUTPUT=str(log))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        verdict = json.loads((self.folder / "out" / CASE / "exact" / "verdict.json").read_text())
        outcome = verdict["outcomes"][0]
        self.assertEqual(outcome["status"], "pass")
        self.assert_speaks_of_the_repository(verdict, outcome)
        self.assert_loaded_from_the_right_places(log)

    def assert_speaks_of_the_repository(self, verdict, outcome):
        head = subprocess.run(["git", "-C", str(SOURCE), "rev-parse", "HEAD"], capture_output=True, text=True)
        if head.returncode == 0:  # otherwise the sources are not a checkout, and the commit is unknown
            self.assertTrue(head.stdout.startswith(verdict["commit"].removesuffix("-dirty")), verdict["commit"])
        paths = {entry["baseline_path"] for entry in outcome["background"]}
        self.assertEqual(paths, {f"baselines/portable/{CASE}.json"})
        self.assertTrue(outcome["commands"]["reproduce"].startswith(f"'{self.bundle}/run' gate {CASE} "))

    def assert_loaded_from_the_right_places(self, log):
        loaded = set()
        for file in log.parent.glob(log.name + ".*"):
            loaded |= set(re.findall(r"calling init: (/\S.*)", file.read_text(errors="replace")))
        names = {pathlib.Path(path).name for path in loaded}
        self.assertIn("libtorch_cpu.so", names)
        self.assertIn("libbenchmark.so.1debian", names)
        tools = "".join(subprocess.run(["ldd", str(self.tools / name)], capture_output=True, text=True).stdout
                        for name in TOOLS)
        libtorch = TORCH.resolve()
        expected = tuple(f"{folder}/" for folder in (self.bundle / "lib", libtorch, libtorch.parent / "nvidia"))
        strangers = [path for path in loaded if not path.startswith(expected) and path not in tools
                     and not BASE.fullmatch(pathlib.Path(path).name)]
        self.assertEqual(strangers, [])

    def test_carries_the_self_test_of_a_gpu(self):
        if not (BUILD / "bin" / "stepgate_device_check").exists():
            self.skipTest("this build has no LibTorch with CUDA")
        self.assertTrue((self.bundle / "bin" / "stepgate_device_check").exists())
        if pathlib.Path("/dev/nvidiactl").exists():
            self.skipTest("this machine has a GPU")
        done = self.run_bundle("doctor", "--device", TORCH_ROOT=str(TORCH))
        self.assertEqual(done.returncode, 77, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"no GPU +\S")

    def test_no_file_names_the_machine_that_built_it(self):
        for program in (self.bundle / "bin").iterdir():
            section = subprocess.run(["readelf", "-d", str(program)], capture_output=True, text=True, check=True)
            self.assertNotRegex(section.stdout, r"RPATH|RUNPATH", program)
        for name in ("stepgate-manifest.json", "run", "bundle.txt"):
            text = (self.bundle / name).read_text()
            for folder in (SOURCE, BUILD, TORCH, DATA):
                self.assertNotIn(str(folder), text, name)

    def test_holds_neither_libtorch_nor_cuda_nor_the_base_system(self):
        names = [file.name for file in (self.bundle / "lib").iterdir()]
        self.assertIn("libbenchmark.so.1debian", names)
        for name in names:
            self.assertNotRegex(name, r"^lib(torch|c10|cu|nv|stdc\+\+|gcc_s|c\.so)")

    def test_without_libtorch_the_message_says_what_to_do(self):
        for variables in ({}, {"TORCH_ROOT": "/nonexistent"}):
            done = self.run_bundle("list", **variables)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"LibTorch|libtorch")
            self.assertIn("next: ", done.stderr)

    def test_a_folder_that_is_not_a_bundle_stays_unchanged(self):
        place = self.folder / "precious"
        place.mkdir()
        (place / "file").write_text("kept")
        self.assertNotEqual(bundled(place).returncode, 0)
        self.assertEqual((place / "file").read_text(), "kept")


if __name__ == "__main__":
    unittest.main()
