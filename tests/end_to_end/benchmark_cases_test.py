"""stepgate_add_google_benchmark and CPUS in CMake: the content of the manifest, which tests exist, and what is refused."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(mine LANGUAGES CXX)
enable_testing()
add_executable(stepgate::stepgate IMPORTED)
set_target_properties(stepgate::stepgate PROPERTIES IMPORTED_LOCATION {stepgate})
include({source}/ci/cmake/stepgate_perftest.cmake)
add_executable(mine_benchmark main.cpp)
stepgate_add_cases(mine_benchmark SUITE mine CASES mine/mlp/tiny CPUS 3)
{calls}
"""


class BenchmarkCases(unittest.TestCase):
    def configure(self, calls):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-cmake-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        (folder / "main.cpp").write_text("int main() {}\n")
        (folder / "CMakeLists.txt").write_text(
            PROJECT.format(stepgate=BUILD / "bin" / "stepgate", source=SOURCE, calls=calls))
        done = subprocess.run(["cmake", "-S", folder, "-B", folder / "b", "-DCMAKE_BUILD_TYPE=Release"],
                              capture_output=True, text=True)
        return folder / "b", done

    def test_cases_name_benchmark_and_cpus(self):
        build, done = self.configure('stepgate_add_google_benchmark(mine_benchmark SUITE micro CPUS 2 TIMEOUT 60 CASES\n'
                                     '  micro/sort/n1024=BM_Sort/1024 "micro/copy/plain=BM_Copy<int, 4>/a=b")')
        self.assertEqual(done.returncode, 0, done.stderr)
        manifest = json.loads((build / "stepgate-manifest.json").read_text())
        cases = {case["name"]: case for case in manifest["cases"]}
        self.assertEqual(cases["micro/sort/n1024"]["benchmark"], "BM_Sort/1024")
        self.assertEqual(cases["micro/copy/plain"]["benchmark"], "BM_Copy<int, 4>/a=b")
        self.assertEqual(cases["micro/sort/n1024"]["cpus"], 2)
        self.assertEqual(cases["micro/sort/n1024"]["timeout_s"], 60)
        self.assertEqual(cases["mine/mlp/tiny"]["cpus"], 3)
        self.assertNotIn("benchmark", cases["mine/mlp/tiny"])
        listed = subprocess.run([BUILD / "bin" / "stepgate", "list", "--build", build], capture_output=True, text=True)
        self.assertRegex(listed.stdout, r"micro/copy/plain +cpu +60 s +timed", listed.stderr)
        self.assertRegex(listed.stdout, r"mine/mlp/tiny +cpu +300 s +both")

    def test_only_the_timed_half_is_a_test(self):
        build, done = self.configure(
            "stepgate_add_google_benchmark(mine_benchmark SUITE micro CASES micro/sort/n1024=BM_Sort/1024)")
        self.assertEqual(done.returncode, 0, done.stderr)
        tests = subprocess.run(["ctest", "-N", "--test-dir", build], capture_output=True, text=True).stdout
        self.assertIn("perf.timed.micro/sort/n1024", tests)
        self.assertNotIn("perf.exact.micro", tests)
        self.assertIn("perf.exact.mine/mlp/tiny", tests)

    def test_invalid_cases_are_refused(self):
        for call, part in (("CASES micro/Sort/n1024=BM_Sort", "lower case"), ("CASES micro/sort/n1024", "name of the"),
                           ("CASES micro/sort=BM_Sort", "micro/sort=BM_Sort"), ("", "needs SUITE and CASES"),
                           ("CASES micro/sort/n1=BM_Sort CPU 2", "'CPU' is not")):
            _, done = self.configure(f"stepgate_add_google_benchmark(mine_benchmark SUITE micro {call})")
            self.assertNotEqual(done.returncode, 0, call)
            self.assertIn(part, " ".join(done.stderr.split()), call)


if __name__ == "__main__":
    unittest.main()
