"""A GPU runner where nothing may be skipped: the build preset gpu-runner builds all that the test preset perf-gpu-runner runs."""

import json
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
PRESETS = json.loads((SOURCE / "CMakePresets.json").read_text())


def preset(kind, name):
    return next(one for one in PRESETS[kind] if one["name"] == name)


class GpuRunnerPreset(unittest.TestCase):
    def test_the_test_preset_names_the_build_preset(self):
        self.assertIn("cmake --build --preset gpu-runner", preset("testPresets", "perf-gpu-runner")["description"])

    def test_its_targets_exist(self):
        # Read, and not asked for: a call of the build tool may configure the build again.
        known = set(re.findall(r"^build ([\w-]+): phony", (BUILD / "build.ninja").read_text(), re.M))
        if "stepgate_device_check" not in known:
            self.skipTest("this build has no LibTorch with CUDA")
        self.assertLessEqual(set(preset("buildPresets", "gpu-runner")["targets"]), known)

    def test_it_compiles_every_package_without_which_a_case_is_skipped(self):
        headers = "".join(file.read_text() for file in (SOURCE / "perftests").rglob("*.h"))
        names = dict(re.findall(r'constexpr (?:const char\*|std::string_view) (\w+_package) = "(\w+)";', headers))
        needed = {names[name] for name in
                  re.findall(r"missing_package\((\w+)\)", (SOURCE / "perftests/cases.cpp").read_text())}
        self.assertTrue(needed)
        target = re.search(r"add_custom_target\(compiled_packages COMMAND \S+/ci/compile_case ([\w ]+)",
                           (SOURCE / "perftests/CMakeLists.txt").read_text()).group(1)
        self.assertEqual(set(target.split()), needed)

    def test_the_templates_of_pipelines_build_it(self):
        for name in ("github/perf_gpu.yml", "gitlab/stepgate.gitlab-ci.yml"):
            text = (SOURCE / "ci/workflows" / name).read_text()
            if "STEPGATE_REQUIRE_BASELINE" in text:
                self.assertIn("cmake --build --preset gpu-runner", text, name)


if __name__ == "__main__":
    unittest.main()
