"""Small CMake projects in C, for what needs no LibTorch: what an installation builds first, and what a bundle holds."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])

INSTALLED = """cmake_minimum_required(VERSION 3.25)
project(parts LANGUAGES C)
include({source}/ci/cmake/build_before_install.cmake)
add_library(gated STATIC gated.c)
add_library(marks STATIC marks.c)
stepgate_build_before_install(gated marks)
stepgate_take_away_first(lib/last.cmake)
install(TARGETS gated marks ARCHIVE DESTINATION lib)
install(CODE "if(EXISTS \\"${{CMAKE_CURRENT_SOURCE_DIR}}/interrupt\\")\\nmessage(FATAL_ERROR interrupted)\\nendif()")
install(FILES last.cmake DESTINATION lib)
"""

BUNDLED = """cmake_minimum_required(VERSION 3.25)
project(job LANGUAGES C)
enable_testing()
include({source}/ci/cmake/stepgate_perftest.cmake)
add_executable(stepgate::stepgate IMPORTED)
set_target_properties(stepgate::stepgate PROPERTIES IMPORTED_LOCATION {prefix}/bin/stepgate)
add_executable(train EXCLUDE_FROM_ALL train.c)
stepgate_add_cases(train SUITE mine CASES mine/a/tiny POLICY_ROOT policies DATA_ROOT images)
stepgate_add_cases(train SUITE mine CASES mine/b/tiny DATA_ROOT text)
stepgate_add_cases(train SUITE mine CASES mine/c/tiny)
stepgate_add_cases(train SUITE mine CASES mine/d/tiny DATA_ROOT elsewhere)
"""


class Project(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-project-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, True)

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def run_words(self, *words, expect=0):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode == 0, expect == 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def configure(self, *options):
        self.run_words("cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *options)


class InstalledProject(Project):
    def setUp(self):
        super().setUp()
        self.write("CMakeLists.txt", INSTALLED.format(source=SOURCE))
        self.write("gated.c", "int gated;\n")
        self.write("marks.c", "int marks;\n")
        self.write("last.cmake", "")
        self.configure()
        self.run_words("cmake", "--build", "build", "--target", "gated")
        self.prefix = self.folder / "prefix"

    def install(self, expect=0):
        return self.run_words("cmake", "--install", "build", "--prefix", self.prefix, expect=expect)

    def test_what_is_missing_is_built_first(self):
        self.install()
        self.assertEqual(sorted(file.name for file in (self.prefix / "lib").iterdir()),
                         ["last.cmake", "libgated.a", "libmarks.a"])

    def test_the_target_install_does_the_same(self):
        self.configure(f"-DCMAKE_INSTALL_PREFIX={self.prefix}")
        self.run_words("cmake", "--build", "build", "--target", "install")
        self.assertTrue((self.prefix / "lib/libmarks.a").exists())
        self.assertIn("no work to do", self.run_words("cmake", "--build", "build"))

    def test_where_it_cannot_be_built_nothing_is_written(self):
        self.write("marks.c", "no C at all\n")
        said = " ".join(self.install(expect=1).split())
        self.assertIn("nothing was installed", said)
        self.assertIn("--target stepgate_installed", said)
        self.assertFalse(self.prefix.exists())

    def test_an_interrupted_installation_takes_the_last_file_away(self):
        self.install()
        self.write("interrupt", "")
        self.install(expect=1)
        self.assertFalse((self.prefix / "lib/last.cmake").exists())


class BundledProject(Project):
    """A bundle of a project outside stepgate, made by the command that an installation holds."""

    def setUp(self):
        super().setUp()
        self.prefix = self.folder / "prefix"
        parts = self.prefix / "share/stepgate/bundle"
        for file, place in ((BUILD / "bin/stepgate", self.prefix / "bin/stepgate"),
                            (BUILD / "bin/stepgate-studies", self.prefix / "bin/stepgate-studies"),
                            (SOURCE / "ci/bundle", self.prefix / "bin/stepgate_bundle"),
                            (SOURCE / "ci/bundle_run", parts / "bundle_run"),
                            (SOURCE / "ci/cmake/remove_rpath.cmake", parts / "cmake/remove_rpath.cmake")):
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, place)
        config = self.prefix / "lib/x86_64-linux-gnu/cmake/stepgate"
        config.mkdir(parents=True)
        self.write("CMakeLists.txt", BUNDLED.format(source=SOURCE, prefix=self.prefix))
        self.write("train.c", "int main(void) { return 0; }\n")
        self.write("policies/mine/policy.json", '{"schema": {"name": "stepgate.policy", "major": 1, "minor": 0}}\n')
        self.write("baselines/local/mine/a/tiny.json", "{}")
        self.write("images/cats/one.jpg", "one")
        self.write("text/words", "words")
        self.configure(f"-Dstepgate_DIR={config}")
        self.said = self.run_words(self.prefix / "bin/stepgate_bundle", "build", "bundle")

    def test_it_holds_programs_data_and_policies(self):
        bundle = self.folder / "bundle"
        for name, text in (("data/cats/one.jpg", "one"), ("data_2/words", "words")):
            self.assertEqual((bundle / name).read_text(), text)
        for name in ("bin/train", "bin/stepgate", "bin/stepgate-studies", "run", "policies/mine/policy.json"):
            self.assertTrue((bundle / name).exists(), f"{name}: {self.said}")
        cases = json.loads((bundle / "stepgate-manifest.json").read_text())["cases"]
        self.assertEqual({case["name"]: case.get("data_root") for case in cases},
                         {"mine/a/tiny": "data", "mine/b/tiny": "data_2", "mine/c/tiny": None, "mine/d/tiny": None})

    def test_it_says_what_is_left_out(self):
        for part in ("the self-test of a GPU", f"the data in {self.folder}/elsewhere, which is not there",
                     "baselines of runner class local", "LibTorch and CUDA"):
            self.assertIn(part, self.said)

    def test_a_program_that_does_not_compile_leaves_the_bundle_as_it_was(self):
        self.write("train.c", "no C at all\n")
        said = self.run_words(self.prefix / "bin/stepgate_bundle", "build", "bundle", expect=1)
        self.assertIn("could not be built", said)
        self.assertTrue((self.folder / "bundle/bin/train").exists())
