"""What a newcomer does first, in a home folder that only its owner may enter: gate, install, begin a project, ask for the GPU,
make a bundle. The last class walks the commands of README.md and docs/adding_a_workload.md in their order, with real builds."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from small_project import BundledProject, InstalledProject

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
TORCH = os.environ.get("STEPGATE_TEST_TORCH_ROOT", "")
HERE = pathlib.Path(__file__).resolve().parent
CASE = "vision/digits_cnn/tiny"


class ClosedHome(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-home-"))  # mode 700
        self.addCleanup(shutil.rmtree, self.home, True)

    def launcher_in(self, folder):
        place = self.home / folder / "bin"
        place.mkdir(parents=True)
        shutil.copy2(BUILD / "bin" / "stepgate-studies", place)
        return pathlib.Path(shutil.copy2(BUILD / "bin" / "stepgate", place))

    def run_words(self, *words, expect):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("STEPGATE_") and k != "CI"}
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=self.home, env=environment)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + " ".join(done.stderr.split())


class OtherUsers(ClosedHome):
    """Tests that run the launcher as another user do not need the build to be open to that user."""

    def run_test(self, file, name):
        self.launcher_in("build/release")
        environment = {**os.environ, "STEPGATE_TEST_BUILD": str(self.home / "build" / "release")}
        done = subprocess.run([sys.executable, HERE / file, name], capture_output=True, text=True, env=environment)
        if done.returncode == 77:
            self.skipTest(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_files_and_streams(self):
        self.run_test("files_and_streams_test.py", "Inputs.test_missing_rights")

    def test_guard(self):
        self.run_test("guard_test.py", "Denials.test_dropped_capabilities")


class GateAlone(ClosedHome):
    """What a first build, of the gate, does not have yet."""

    def setUp(self):
        super().setUp()
        self.launcher = self.launcher_in("build")
        (self.home / "build" / "CMakeCache.txt").touch()
        self.studies = self.launcher.with_name("stepgate-studies")

    def refused_alone(self, part, *words):
        self.studies.rename(self.home / "elsewhere")
        said = self.run_words(self.launcher, *words, expect=2)
        (self.home / "elsewhere").rename(self.studies)
        self.assertIn(part, said)
        return said

    def test_the_command_that_builds_a_study_is_named(self):
        build = "next: build it: cmake --build build --target stepgate_studies"
        for words in (("sweep", "a/b/c", "--vary", "n=1,2"), ("history", "show"), ("profile", "--help"), ("init", "job")):
            self.assertIn("stepgate-studies", self.refused_alone(build, *words))
        os.utime(self.studies, (0, 0))
        said = self.run_words(self.launcher, "history", "show", expect=2)
        self.assertIn("older build", said)
        self.assertIn(build, said)

    def test_help_of_all_commands_needs_no_study(self):
        whole = self.run_words(self.launcher, "--help", expect=0)
        self.studies.unlink()
        self.assertEqual(self.run_words(self.launcher, "--help", expect=0), whole)
        self.assertIn("stepgate sweep", whole)
        self.assertIn("--tier", self.run_words(self.launcher, "gate", "--help", expect=0))

    def test_an_option_of_a_study_is_told_by_the_program_that_knows_it(self):
        self.assertIn("sweep", self.run_words(self.launcher, "gate", "--vary", "n=1", expect=2))
        self.refused_alone("--vary", "gate", "--vary", "n=1")

    def test_words_and_status_are_those_of_the_study(self):
        (self.home / "empty").mkdir()
        said = self.run_words(self.launcher, "history", "show", "a b", "--history", self.home / "empty", expect=2)
        self.assertIn(str(self.home / "empty"), said)


class Prefix(ClosedHome):
    def test_of_half_an_installation_init_says_what_is_missing(self):
        launcher = self.launcher_in("prefix")
        config = self.home / "prefix/lib/cmake/stepgate/stepgate-config.cmake"
        said = self.run_words(launcher, "init", "job", expect=2)
        for part in (f"there is no {config}", "next: cmake --install BUILD --prefix DIR"):
            self.assertIn(part, said)
        config.parent.mkdir(parents=True)
        config.touch()
        harness = self.home / "prefix/lib/libstepgate_measure.a"
        self.assertIn(f"there is no {harness}", self.run_words(launcher, "init", "job", expect=2))
        self.assertFalse((self.home / "job").exists(), "nothing is written")
        harness.touch()
        said = self.run_words(launcher, "init", "job", expect=0)
        self.assertIn(f"-DCMAKE_PREFIX_PATH={self.home}/prefix", said)
        self.assertNotIn("--install", said)

    def test_with_a_bundle_no_project_can_be_built(self):
        launcher = self.launcher_in("bundle")
        (self.home / "bundle" / "bundle.txt").touch()
        self.assertIn("is a bundle", self.run_words(launcher, "init", "job", expect=2))

    def test_from_a_build_folder_init_installs_first(self):
        launcher = self.launcher_in("build")
        (self.home / "build" / "CMakeCache.txt").touch()
        said = self.run_words(launcher, "init", "job", expect=0)
        self.assertIn(f"cmake --install {self.home}/build --prefix {self.home}/stepgate-installed", said)


class SelfTest(ClosedHome):
    def asked(self, folder):
        return self.run_words(self.launcher_in(folder), "doctor", "--device", expect=3)

    def test_the_command_that_builds_it_is_named(self):
        (self.home / "build").mkdir()
        (self.home / "build" / "CMakeCache.txt").touch()
        self.assertIn(f"next: cmake --build {self.home}/build --target stepgate_device_check", self.asked("build"))

    def test_or_the_one_that_installs_or_bundles_it(self):
        self.assertIn(f"cmake --install BUILD --prefix {self.home}/prefix", self.asked("prefix"))
        (self.home / "bundle").mkdir()
        (self.home / "bundle" / "bundle.txt").touch()
        self.assertIn("ci/bundle BUILD OUT_DIR", self.asked("bundle"))


def steps_of(page, heading):
    """The commands of the code blocks behind a heading, without comments."""
    text = (SOURCE / page).read_text()
    section = text[text.index(f"\n## {heading}\n") + 1:]
    section = section[:section.index("\n## ")]
    blocks = re.findall(r"^```\n(.*?)^```", section, re.M | re.S)
    return [line.split("#")[0].strip() for block in blocks for line in block.splitlines() if line.split("#")[0].strip()]


@unittest.skipUnless(TORCH, "the folder of ci/setup is not in use")
class Walk(ClosedHome):
    """A fresh clone below the closed home folder. Set-up and compiler cache are those of this build, so nothing is loaded."""

    def setUp(self):
        super().setUp()
        self.clone = self.home / "stepgate"
        listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                capture_output=True, text=True, check=True)
        for name in filter(None, listed.stdout.split("\0")):
            if (SOURCE / name).is_file():
                (self.clone / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(SOURCE / name, self.clone / name)
        cache = pathlib.Path(TORCH).parent
        self.environment = {"HOME": str(self.home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "NO_COLOR": "1",
                            "STEPGATE_CACHE": str(cache), "CMAKE_CXX_COMPILER_LAUNCHER": "ccache",
                            "CCACHE_DIR": os.environ.get("CCACHE_DIR", str(cache / "ccache")), "CCACHE_NOHASHDIR": "1",
                            "CCACHE_BASEDIR": str(self.clone),
                            **{k: v for k, v in os.environ.items() if k in ("CUDA_HOME", "STEPGATE_JOBS", "TMPDIR")}}
        alone = ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-rn"]
        can = subprocess.run([*alone, "true"], capture_output=True).returncode == 0
        self.without_network = alone if can else []

    def step(self, command, at, expect=0):
        print("==", command, flush=True)
        done = subprocess.run([*self.without_network, "bash", "-c", command], cwd=at, env=self.environment,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, expect, f"{command}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}")
        return done.stdout + done.stderr

    def test_the_steps_in_their_order(self):
        gate, tests = steps_of("README.md", "Two commands")
        self.assertEqual((gate, tests), ("ci/perf", "ci/test"))
        said = self.step(f"{gate} --short -R {CASE}", self.clone)
        self.assertIn(CASE, said)
        for name in ("harness/marks/libstepgate_marks.a", "bin/stepgate-studies", "harness/judge/libstepgate_judge_studies.a"):
            self.assertFalse((self.clone / "build/release" / name).exists(), f"a gate does not need {name}")
        self.ask_for_the_gpu()
        self.begin_a_project()
        self.make_a_bundle(self.clone, "ci/bundle build/release ../bundle", CASE)

    def ask_for_the_gpu(self):
        stepgate = "build/release/bin/stepgate"
        for status, target in ((2, "stepgate_studies"), (3, "stepgate_device_check")):
            said = self.step(f"{stepgate} doctor --device", self.clone, expect=status)
            build = re.search(r"next: (?:build it: )?(cmake --build \S+ --target (\S+))", " ".join(said.split()))
            self.assertEqual(build[2], target)
            self.step(build[1], self.clone)
        self.step(f"{stepgate} doctor --device; test $? -ne 3 -o -e /dev/nvidiactl", self.clone)

    def begin_a_project(self):
        install, begin, *rest = steps_of("docs/adding_a_workload.md", "A project in five commands")
        prefix = self.home / "prefix"
        self.step(install.replace("P && export", f"{prefix} && export").split(" && ")[0], self.clone)
        self.environment["PATH"] += f":{prefix}/bin"
        self.step(begin.split(" && ")[0], self.home)
        for command in rest:
            self.step(command.replace("CMAKE_PREFIX_PATH=P", f"CMAKE_PREFIX_PATH={prefix}").replace("-L perf", "-L exact"),
                      self.home / "job")
        self.make_a_bundle(self.home / "job", "stepgate_bundle build ../job-bundle", "mine/mlp/tiny")

    def make_a_bundle(self, place, command, case):
        said = self.step(command, place)
        self.assertIn("not in it:", said)
        run = place / command.split()[-1] / "run"
        self.step(f"TORCH_ROOT={TORCH} {run} gate {case} --tier exact", self.home)


if __name__ == "__main__":
    unittest.main()
