"""The CMake functions for projects: mistakes end at configure time, with the line to write; the manifest and the tests of CTest."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
PROJECT = """cmake_minimum_required(VERSION 3.22)
project(outside LANGUAGES NONE)
enable_testing()
include({source}/ci/cmake/stepgate_perftest.cmake)
foreach(program stepgate::stepgate train)
  add_executable(${{program}} IMPORTED)
  set_target_properties(${{program}} PROPERTIES IMPORTED_LOCATION /bin/true)
endforeach()
{calls}
"""

PROGRAMS = """cmake_minimum_required(VERSION 3.22)
project(outside LANGUAGES CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
include({source}/ci/cmake/stepgate_perftest.cmake)
add_library(stepgate::harness INTERFACE IMPORTED)
add_library(model STATIC model.cpp)
stepgate_keep_lines(model)
stepgate_add_perftest(train SOURCES train.cpp LINK model)
stepgate_add_perftest(plain NO_LINES SOURCES train.cpp LINK model)
"""


class CmakeFunctions(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-cmake-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, True)
        policy = self.folder / "policies" / "mine" / "policy.json"
        policy.parent.mkdir(parents=True)
        policy.write_text('{"schema": {"name": "stepgate.policy", "major": 1, "minor": 0}}\n')

    def configure(self, *calls, options=("-DCMAKE_BUILD_TYPE=Release",), generator="Ninja"):
        (self.folder / "CMakeLists.txt").write_text(PROJECT.format(source=SOURCE, calls="\n".join(calls)))
        done = subprocess.run(["cmake", "-S", self.folder, "-B", self.folder / "build", "-G", generator, *options],
                              capture_output=True, text=True)
        return done.returncode, " ".join(done.stderr.split())

    def cases(self, case="mine/a/tiny", more="POLICY_ROOT policies"):
        return f"stepgate_add_cases(train SUITE mine CASES {case} {more})"

    def accepted(self, *calls, **options):
        status, text = self.configure(*calls, **options)
        self.assertEqual(status, 0, text)
        return text

    def refused(self, *calls, **options):
        status, text = self.configure(*calls, **options)
        self.assertNotEqual(status, 0, text)
        return text

    def manifest(self):
        return json.loads((self.folder / "build" / "stepgate-manifest.json").read_text())

    def test_no_build_type_is_an_error_with_the_line_to_add(self):
        text = self.refused(self.cases(), options=())
        self.assertIn('set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)', text)
        self.assertIn(f"{self.folder}/CMakeLists.txt", text)

    def test_a_build_folder_of_several_types_is_refused(self):
        self.assertIn("-G Ninja", self.refused(self.cases(), options=(), generator="Ninja Multi-Config"))

    def test_relative_folders_start_at_the_file_that_names_them(self):
        self.accepted(self.cases(more="POLICY_ROOT policies BASELINE_ROOT kept DATA_ROOT images"),
                      self.cases("mine/b/tiny", "DATA_ROOT /srv/text"), self.cases("mine/c/tiny", ""))
        manifest = self.manifest()
        self.assertEqual(manifest["policy_root"], str(self.folder / "policies"))
        self.assertEqual(manifest["baseline_root"], str(self.folder / "kept"))
        self.assertEqual([case.get("data_root") for case in manifest["cases"]],
                         [str(self.folder / "images"), "/srv/text", None])

    def test_a_mistyped_folder_of_policies_is_an_error(self):
        self.assertIn(f"POLICY_ROOT is {self.folder}/polices", self.refused(self.cases(more="POLICY_ROOT polices")))

    def test_a_suite_without_a_policy_is_a_warning(self):
        text = self.accepted(self.cases(more=""))
        self.assertIn(f"no {self.folder}/mine/policy.json", text)
        self.assertEqual(self.accepted(self.cases()), "", "nothing to warn about")

    def test_reports_name_files_relative_to_the_repository(self):
        self.accepted(self.cases())
        self.assertEqual(self.manifest()["source_root"], str(self.folder))
        outer = self.folder
        (outer / ".git").write_text("gitdir: elsewhere\n")
        self.folder = outer / "perf"
        self.folder.mkdir()
        self.accepted(self.cases(more="POLICY_ROOT ../policies"))
        self.assertEqual(self.manifest()["source_root"], str(outer))

    def flags(self, *options):
        """-g... of each compiled file, by target."""
        (self.folder / "CMakeLists.txt").write_text(PROGRAMS.format(source=SOURCE))
        (self.folder / "model.cpp").write_text("int depth(int n) { return n < 2 ? n : depth(n - 1) + depth(n - 2); }\n")
        (self.folder / "train.cpp").write_text("int depth(int);\nint main(int count, char**) { return depth(count + 20); }\n")
        shutil.rmtree(self.folder / "build", True)
        subprocess.run(["cmake", "-S", self.folder, "-B", self.folder / "build", "-G", "Ninja", *options], check=True,
                       capture_output=True)
        commands = json.loads((self.folder / "build" / "compile_commands.json").read_text())
        flags = {}
        for words in (one["command"].split() for one in commands):
            target = words[words.index("-o") + 1].split("/")[1].removesuffix(".dir")
            flags[target] = [word for word in words if word.startswith("-g")]
        return flags

    def test_perftests_get_lines_unless_told_otherwise_and_a_g_of_the_build_is_kept(self):
        release = "-DCMAKE_BUILD_TYPE=Release"
        self.assertEqual(self.flags(release), {"model": ["-g1"], "train": ["-g1"], "plain": []})
        self.assertEqual(self.flags(release, "-DSTEPGATE_LINES=OFF"), {"model": [], "train": [], "plain": []})
        self.assertEqual(self.flags("-DCMAKE_BUILD_TYPE=RelWithDebInfo"), {"model": ["-g"], "train": ["-g"], "plain": ["-g"]})

    def test_lines_leave_the_code_as_it_is_and_every_perftest_has_a_build_id(self):
        code = []
        for option in ("ON", "OFF"):
            self.flags("-DCMAKE_BUILD_TYPE=Release", f"-DSTEPGATE_LINES={option}")
            subprocess.run(["cmake", "--build", self.folder / "build"], check=True, capture_output=True)
            program = self.folder / "build" / "train"
            subprocess.run(["objcopy", "-O", "binary", "-j", ".text", program, self.folder / "text"], check=True)
            code.append((self.folder / "text").read_bytes())
            self.assertIn("Build ID", subprocess.run(["readelf", "-n", program], check=True, capture_output=True, text=True).stdout)
        self.assertEqual(*code)

    def test_a_second_root_is_an_error_because_it_would_be_ignored(self):
        (self.folder / "others").mkdir()
        text = self.refused(self.cases(), self.cases("mine/b/tiny", "POLICY_ROOT others"))
        self.assertIn("a build has one POLICY_ROOT", text)
        self.accepted(self.cases(), self.cases("mine/b/tiny", "POLICY_ROOT policies"))

    def test_a_google_benchmark_program_may_have_data_too(self):
        self.accepted("stepgate_add_google_benchmark(train SUITE mine CASES mine/sort/n=BM_Sort POLICY_ROOT policies "
                      "DATA_ROOT images)")
        self.assertEqual(self.manifest()["cases"][0]["data_root"], str(self.folder / "images"))

    def test_programs_of_the_build_are_named_relative_to_it_so_that_it_may_be_moved_or_copied(self):
        # CMake 3.22 has no generator expression for it.
        for version in ("", "set(CMAKE_VERSION 3.22.1)"):
            self.accepted(version, "add_executable(own IMPORTED)",
                          "set_target_properties(own PROPERTIES IMPORTED_LOCATION ${CMAKE_BINARY_DIR}/bin/own)",
                          "stepgate_add_cases(own SUITE mine CASES mine/b/tiny POLICY_ROOT policies)", self.cases(more=""))
            self.assertEqual([case["program"] for case in self.manifest()["cases"]], ["bin/own", "/bin/true"], version)

    def test_a_named_libtorch_that_is_too_old_is_not_replaced_by_another(self):
        for name, version in (("old", "2.4.1"), ("new", "2.11.0")):
            place = self.folder / name / "share" / "cmake" / "Torch"
            place.mkdir(parents=True)
            (place / "TorchConfig.cmake").write_text("set(TORCH_FOUND TRUE)\n")
            (place / "TorchConfigVersion.cmake").write_text(
                f"set(PACKAGE_VERSION {version})\nif(NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)\n"
                "  set(PACKAGE_VERSION_COMPATIBLE TRUE)\nendif()\n")
        find = (f"set(STEPGATE_TORCH_BUILT_WITH {self.folder}/new/share/cmake/Torch)",
                "macro(find_package name)\n  if(NOT \"${name}\" MATCHES \"benchmark|Boost\")\n    _find_package(${ARGV})\n  endif()\n"
                "endmacro()", f"include({SOURCE}/ci/cmake/torch.cmake)", 'message(NOTICE "took ${Torch_DIR}")')
        text = self.refused(*find, options=("-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={self.folder}/old"))
        self.assertIn(f"{self.folder}/old holds 2.4.1", text)
        self.assertIn("2.9 or newer", text)
        shutil.rmtree(self.folder / "build")
        text = self.accepted(*find)
        self.assertIn(f"took {self.folder}/new", text)

    def test_a_case_of_another_suite_is_an_error_because_another_policy_would_judge_it(self):
        text = self.refused(self.cases("gan/ring/tiny"))
        self.assertIn("SUITE is mine, and the case gan/ring/tiny is of suite gan", text)
        text = self.refused("stepgate_add_google_benchmark(train SUITE mine CASES micro/sort/n=BM_Sort POLICY_ROOT policies)")
        self.assertIn("the case micro/sort/n is of suite micro", text)

    def test_gpus_reach_the_manifest_and_the_resources_of_ctest(self):
        self.accepted(self.cases("mine/cpu/tiny"), self.cases("mine/one/full", "DEVICE cuda"),
                      self.cases("mine/two/full", "DEVICE cuda GPUS 2"))
        self.assertEqual([case["gpus"] for case in self.manifest()["cases"]], [0, 1, 2])
        shown = subprocess.run(["ctest", "--test-dir", self.folder / "build", "--show-only=json-v1"], capture_output=True,
                               text=True, check=True)
        groups = {test["name"]: [one["value"] for one in test["properties"] if one["name"] == "RESOURCE_GROUPS"]
                  for test in json.loads(shown.stdout)["tests"]}
        self.assertEqual(groups["perf.timed.mine/cpu/tiny"], [])
        [one] = groups["perf.exact.mine/one/full"]
        [two] = groups["perf.timed.mine/two/full"]
        self.assertEqual([len(one), len(two)], [1, 2], "two groups of one GPU each: CTest gives two GPUs of one slot")
        self.assertEqual(two[0]["requirements"], [{".type": "gpus", "slots": 1}])
        for more in ("DEVICE cuda GPUS 0", "DEVICE cuda GPUS two", "GPUS 2"):
            self.assertIn("GPUS takes a number of 1 or more, with DEVICE cuda", self.refused(self.cases(more=more)))

    def shown_tests(self):
        shown = subprocess.run(["ctest", "--test-dir", self.folder / "build", "--show-only=json-v1"], capture_output=True,
                               text=True, check=True)
        return {test["name"]: {"command": test["command"], **{one["name"]: one["value"] for one in test["properties"]}}
                for test in json.loads(shown.stdout)["tests"]}

    EMULATION = "add_custom_target(emulated_gpu)"  # as stepgate_add_emulated_gpu() would add it

    def test_a_case_is_gated_on_an_emulated_gpu_beside_the_suite(self):
        self.accepted(self.EMULATION, self.cases("mine/one/full", "POLICY_ROOT policies DEVICE cuda DEVICES emulated:h100 emulated:t4:3"),
                      self.cases("mine/two/full", "DEVICE cuda GPUS 2 TIERS exact DEVICES emulated:h100"))
        tests = self.shown_tests()
        self.assertEqual(set(tests) - {"perf.begin", "perf.report"},
                         {"perf.exact.mine/one/full", "perf.timed.mine/one/full", "perf.exact.mine/two/full",
                          "perf.emulated-h100.mine/one/full", "perf.emulated-t4.mine/one/full", "perf.emulated-h100.mine/two/full"})
        two = tests["perf.emulated-h100.mine/two/full"]
        self.assertEqual(two["command"][1:5], ["gate", "mine/two/full", "--device", "emulated:h100:2"])
        self.assertEqual(two["command"][two["command"].index("--out") + 1],
                         str(self.folder / "build" / "stepgate-out-emulated-h100"), "no result of a real GPU lies there")
        self.assertLessEqual({"perf", "emulated"}, set(two["LABELS"]))
        self.assertFalse({"exact", "timed", "gpu"} & set(two["LABELS"]))
        self.assertNotIn("FIXTURES_REQUIRED", two, "it is no half of the suite on a real GPU")
        self.assertNotIn("RESOURCE_GROUPS", two)
        self.assertNotIn("SKIP_REGULAR_EXPRESSION", two, "a project that lacks it is red")
        self.assertIn("emulated:t4:3", tests["perf.emulated-t4.mine/one/full"]["command"])

    VALUES = "add_custom_target(emulated_gpu_values)"

    def test_a_case_that_needs_values_is_gated_with_them(self):
        ask = "POLICY_ROOT policies DEVICE cuda GPUS 2 DEVICES emulated:h100 emulated:h100:values emulated:t4:3:values"
        self.accepted(self.EMULATION, self.VALUES, self.cases("mine/two/full", ask))
        tests = self.shown_tests()
        for name, device in (("emulated-h100", "emulated:h100:2"), ("emulated-h100-values", "emulated:h100:2:values"),
                             ("emulated-t4-values", "emulated:t4:3:values")):
            test = tests[f"perf.{name}.mine/two/full"]
            self.assertEqual(test["command"][1:5], ["gate", "mine/two/full", "--device", device])
            self.assertEqual(test["command"][test["command"].index("--out") + 1],
                             str(self.folder / "build" / f"stepgate-out-{name}"), "as gate names it")
            self.assertLessEqual({"perf", "emulated", name}, set(test["LABELS"]))
            self.assertNotIn("--hazards", test["command"])
        for device in ("emulated:h100:values:2", "emulated:h100:value", "emulated:h100:0:values"):
            text = self.refused(self.EMULATION, self.VALUES, self.cases(more=f"POLICY_ROOT policies DEVICE cuda DEVICES {device}"))
            self.assertIn("emulated:MODEL:N, with :values behind where a case needs values", text, device)

    def test_hazards_are_looked_for_on_each_emulated_gpu_and_nowhere_else(self):
        ask = "POLICY_ROOT policies DEVICE cuda HAZARDS DEVICES emulated:h100 emulated:t4:values"
        self.accepted(self.EMULATION, self.VALUES, self.cases("mine/one/full", ask),
                      self.cases("mine/two/full", "DEVICE cuda DEVICES emulated:h100"))
        tests = self.shown_tests()
        self.assertEqual({name for name, test in tests.items() if "--hazards" in test["command"]},
                         {"perf.emulated-h100.mine/one/full", "perf.emulated-t4-values.mine/one/full"})
        text = self.refused(self.cases(more="POLICY_ROOT policies DEVICE cuda HAZARDS"))
        self.assertIn("HAZARDS: stream hazards are found on an emulated GPU alone. Name one: DEVICES emulated:h100", text)
        text = self.refused("stepgate_add_google_benchmark(train SUITE mine CASES mine/sort/n=BM_Sort POLICY_ROOT policies HAZARDS)")
        self.assertIn("an emulated GPU has none", text)

    def test_the_build_of_a_project_makes_what_values_and_hazards_need(self):
        make = "\n".join(f"add_custom_command(OUTPUT made_{name} COMMAND ${{CMAKE_COMMAND}} -E touch made_{name})\n"
                         f"add_custom_target({name} DEPENDS made_{name})" for name in ("emulated_gpu", "emulated_gpu_values"))
        for devices, made in (("DEVICES emulated:h100", False), ("DEVICES emulated:h100:values", True),
                              ("HAZARDS DEVICES emulated:h100", True)):
            shutil.rmtree(self.folder / "build", True)
            # An earlier call that needs less must not decide.
            self.accepted(make, self.cases("mine/a/tiny", "POLICY_ROOT policies DEVICE cuda DEVICES emulated:t4"),
                          self.cases("mine/b/tiny", f"DEVICE cuda {devices}"))
            subprocess.run(["cmake", "--build", self.folder / "build"], check=True, capture_output=True)
            self.assertTrue((self.folder / "build" / "made_emulated_gpu").exists())
            self.assertEqual((self.folder / "build" / "made_emulated_gpu_values").exists(), made, devices)

    def test_the_build_of_a_project_makes_the_emulated_gpu_and_that_of_stepgate_does_not(self):
        ask = self.cases(more="POLICY_ROOT policies DEVICE cuda DEVICES emulated:h100")
        make = 'add_custom_command(OUTPUT made COMMAND ${CMAKE_COMMAND} -E touch made)\nadd_custom_target(emulated_gpu DEPENDS made)'
        for own, made in (("", True), ("add_custom_target(stepgate)", False)):
            shutil.rmtree(self.folder / "build", True)
            self.accepted(own, make, ask)
            subprocess.run(["cmake", "--build", self.folder / "build"], check=True, capture_output=True)
            self.assertEqual((self.folder / "build" / "made").exists(), made)
            self.assertEqual("SKIP_REGULAR_EXPRESSION" in self.shown_tests()["perf.emulated-h100.mine/a/tiny"], not made)

    def test_a_wrong_emulated_gpu_is_refused_with_what_is_known(self):
        for device, said in (("emulated:h1000", "'h1000' is no model of the emulated GPU: take one of h100, h200, a100, l4, t4"),
                             ("h100", "DEVICES takes emulated:MODEL or emulated:MODEL:N, with :values behind where a case needs values, a model of "
                              "h100, h200, a100, l4, t4"),
                             ("emulated", "DEVICES takes emulated:MODEL"), ("emulated:h100:0", "DEVICES takes emulated:MODEL"),
                             ("emulated:h100:17", "at most 16 GPUs")):
            text = self.refused(self.EMULATION, self.cases(more=f"POLICY_ROOT policies DEVICE cuda DEVICES {device}"))
            self.assertIn(said, text, device)
        text = self.refused(self.EMULATION, self.cases(more="POLICY_ROOT policies DEVICE cuda GPUS 4 DEVICES emulated:h100:2"))
        self.assertIn("these cases need 4 of at most 16 GPUs: emulated:h100:4", text)
        self.assertIn("these cases run on the CPU", self.refused(self.EMULATION, self.cases(more="POLICY_ROOT policies DEVICES emulated:h100")))
        self.assertIn("installed without LibTorch", self.refused(self.cases(more="POLICY_ROOT policies DEVICE cuda DEVICES emulated:h100")))
        text = self.refused("stepgate_add_google_benchmark(train SUITE mine CASES mine/sort/n=BM_Sort POLICY_ROOT policies DEVICES emulated:h100)")
        self.assertIn("an emulated GPU has none", text)

    def test_a_libtorch_for_the_cpu_is_refused_with_what_to_do(self):
        text = self.refused("set(TORCH_INSTALL_PREFIX /opt/torch-cpu)", f"include({SOURCE}/harness/emulator/emulated_gpu.cmake)",
                            self.cases(more="POLICY_ROOT policies DEVICE cuda DEVICES emulated:h100"))
        self.assertIn("needs a LibTorch for CUDA 13, and that in /opt/torch-cpu is for the CPU", text)
        self.assertIn("if(TARGET torch_cuda)", text)

    def test_the_models_are_those_of_the_launcher(self):
        header = (SOURCE / "harness/launch/emulated_device.h").read_text()
        known = re.findall(r'"(\w+)"', header[header.index("emulated_models = {"):].split("}")[0])
        functions = (SOURCE / "ci/cmake/stepgate_perftest.cmake").read_text()
        self.assertEqual(re.search(r"set\(models ([\w ]+)\)", functions)[1].split(), known)

    def test_a_case_whose_times_are_not_gated_has_one_test_and_the_manifest_says_so(self):
        self.accepted(self.cases(more="POLICY_ROOT policies TIERS exact"), self.cases("mine/b/tiny", "TIERS both"),
                      self.cases("mine/c/tiny", ""))
        self.assertEqual([case.get("tiers") for case in self.manifest()["cases"]], ["exact", None, None])
        shown = subprocess.run(["ctest", "--test-dir", self.folder / "build", "-N", "-L", "perf"], capture_output=True,
                               text=True, check=True).stdout
        names = [line.split(": ")[1] for line in shown.splitlines() if ": perf." in line]
        self.assertEqual(set(names) - {"perf.begin", "perf.report"},
                         {"perf.exact.mine/a/tiny", "perf.exact.mine/b/tiny", "perf.timed.mine/b/tiny",
                          "perf.exact.mine/c/tiny", "perf.timed.mine/c/tiny"})
        self.assertIn("TIERS timed: TIERS takes exact or both", self.refused(self.cases(more="TIERS timed")))
        self.assertIn("such a program has times only",
                      self.refused("stepgate_add_google_benchmark(train SUITE mine CASES mine/sort/n=BM_Sort TIERS exact)"))

    def configure_with_launcher(self, script, *calls):
        """Runs CTest with a script in place of the launcher."""
        launcher = self.folder / "launcher"
        launcher.write_text(f"#!/bin/sh\n{script}\n")
        launcher.chmod(0o755)
        (self.folder / "own").write_text("#!/bin/sh\necho own command\n")
        (self.folder / "own").chmod(0o755)
        set_launcher = f"set_target_properties(stepgate::stepgate PROPERTIES IMPORTED_LOCATION {launcher})"
        self.accepted(set_launcher, *calls, "add_test(NAME unit COMMAND /bin/true)")

    def ctest(self, *words):
        done = subprocess.run(["ctest", "--test-dir", self.folder / "build", *words], capture_output=True, text=True)
        return [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]

    # As a launcher that finds no baseline: report --expect-all is skipped, too.
    NOT_JUDGED = ('echo "$*" >>calls\ncase "$*" in *--begin*) exit 0 ;; esac\n'
                  'while [ $# -gt 0 ]; do [ "$1" != --judged ] || echo "judged: 0 timed of 1" >"$2"; shift; done\nexit 77')

    def test_the_last_lines_of_ctest_say_what_was_judged_and_nothing_is_built(self):
        own = 'file(WRITE ${CMAKE_BINARY_DIR}/CTestCustom.cmake "set(CTEST_CUSTOM_POST_TEST ${CMAKE_SOURCE_DIR}/own)\n")'
        for calls in ((own,), ()):
            shutil.rmtree(self.folder / "build", True)
            self.configure_with_launcher(self.NOT_JUDGED, *calls, self.cases())
            self.assertEqual(self.ctest("-L", "perf")[-1], "judged: 0 timed of 1")
            self.assertEqual("own command" in self.ctest("-L", "perf"), bool(calls), "the project keeps its own")
            self.assertNotIn("judged: 0 timed of 1", self.ctest("-R", "unit"), "no perftest ran")
            self.configure_with_launcher(self.NOT_JUDGED, *calls, self.cases())
            self.assertEqual(self.ctest("-L", "perf").count("judged: 0 timed of 1"), 1, "configured twice")
        called = (self.folder / "calls").read_text()
        self.assertIn("report --build", called)
        self.assertEqual([line for line in called.splitlines() if line.split()[0] not in ("report", "gate")], [])
        shown = subprocess.run(["ctest", "--test-dir", self.folder / "build", "--show-only=json-v1"], capture_output=True,
                               text=True, check=True)
        for test in json.loads(shown.stdout)["tests"]:
            if test["name"].startswith("perf."):
                self.assertEqual(test["command"][0], str(self.folder / "launcher"), "each test starts the launcher, none a build")

    def test_tests_run_in_the_source_folder_and_share_one_folder_of_results(self):
        self.accepted(self.cases())
        shown = subprocess.run(["ctest", "--test-dir", self.folder / "build", "--show-only=json-v1"], capture_output=True,
                               text=True, check=True)
        tests = {test["name"]: test for test in json.loads(shown.stdout)["tests"]}
        self.assertEqual(set(tests), {"perf.begin", "perf.exact.mine/a/tiny", "perf.timed.mine/a/tiny", "perf.report"})
        for test in tests.values():
            properties = {one["name"]: one["value"] for one in test["properties"]}
            self.assertEqual(properties["WORKING_DIRECTORY"], str(self.folder))
            self.assertNotIn("--out", test["command"])


if __name__ == "__main__":
    unittest.main()
