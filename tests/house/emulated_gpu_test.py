"""The licence rules of the emulated GPU, and the script that takes names from the LibTorch that was found."""

import importlib.machinery
import importlib.util
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
LOADER = importlib.machinery.SourceFileLoader("emulated_gpu_tables", str(SOURCE / "ci/emulated_gpu_tables"))
TABLES = importlib.util.module_from_spec(importlib.util.spec_from_loader("emulated_gpu_tables", LOADER))
LOADER.exec_module(TABLES)

VENDOR_NAME = TABLES.VENDOR_LIBRARY


def tracked():
    return subprocess.run(["git", "-C", SOURCE, "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines()


class Licence(unittest.TestCase):
    def test_the_pattern_finds_a_vendors_name(self):
        for name in ("libcuda.so.1", "libcudart.so.13", "libcudnn.so.9", "libcublasLt.so.13", "libnvidia-ml.so.1"):
            self.assertTrue(VENDOR_NAME.match(name), name)
        for name in ("libcurl.so.4", "libstepgate_emulated_gpu.so"):
            self.assertFalse(VENDOR_NAME.match(name), name)

    def test_no_file_of_the_repository_has_a_vendors_library_name(self):
        self.assertEqual([name for name in tracked() if VENDOR_NAME.match(pathlib.PurePath(name).name)], [])

    def test_sources_alone_are_installed_and_nothing_is_bundled(self):
        for name in ("ci/bundle", "ci/bundle_run"):
            self.assertNotIn("emulat", (SOURCE / name).read_text(), name)
        rules = re.findall(r"^\s*install\([^)]*emulat[^)]*\)", (SOURCE / "ci/cmake/install.cmake").read_text(), re.M | re.I)
        self.assertEqual(len(rules), 2)
        for rule in rules:
            self.assertRegex(rule, r"PROJECT_SOURCE_DIR\}/(harness/emulator/|ci/emulated_gpu_tables)")
            self.assertNotIn("BINARY_DIR", rule)
        [folder] = [rule for rule in rules if "DIRECTORY" in rule]
        self.assertEqual(re.findall(r'PATTERN "([^"]*)"', folder), ["*.h", "*.cpp", "emulated_gpu.cmake"])
        for path in (SOURCE / "harness/emulator").glob("**/*.cmake"):
            self.assertIsNone(re.search(r"^\s*install\(", path.read_text(), re.M), path)

    def test_a_project_compiles_the_machine_of_this_repository(self):
        lists = [re.findall(r"foreach\(folder ([a-z ]+)\)", (SOURCE / "harness/emulator" / name).read_text())
                 for name in ("CMakeLists.txt", "emulated_gpu.cmake")]
        self.assertEqual(len(lists[0]), 1)
        self.assertIn("machine", lists[0][0].split())
        self.assertEqual(lists[0], lists[1], "what one of them lacks is undefined where the shims are linked")

    def test_a_model_has_one_spelling(self):
        """The swarm and the page cannot read the launcher's table, and would miss a model that it has."""
        header = (SOURCE / "harness/launch/emulated_device.h").read_text()
        models = re.findall(r'"(\w+)"', re.search(r"emulated_models = \{([^}]*)\}", header).group(1))
        self.assertIn("h100", models)
        drawn = (SOURCE / "tests/swarm/libtorch_draws.py").read_text()
        self.assertEqual(re.findall(r'"(\w+)"', re.search(r"^MODELS = \(([^)]*)\)", drawn, re.M).group(1)), models)
        page = (SOURCE / "docs/emulated_gpu.md").read_text()
        self.assertEqual(re.findall(r"`(\w+)`", re.search(r"^Models: ([^,]*(?:, `\w+`)*)", page, re.M).group(1)), models)

    def test_no_other_target_builds_it(self):
        text = (SOURCE / "harness/emulator/emulated_gpu.cmake").read_text()
        self.assertNotRegex(text, r"add_custom_target\(emulated_gpu\w*\s+ALL")
        named = subprocess.run(["git", "-C", SOURCE, "grep", "-lE", r"emulated_gpu($|[^_a-z])", "--", "*.cmake", "*CMakeLists.txt",
                                "ci/perf", "ci/build"], capture_output=True, text=True).stdout.splitlines()
        # The cases of this repository ask whether there is the target, ci/perf builds it where --emulated asks for it, and the
        # functions for projects make it a part of their builds alone.
        self.assertEqual([name for name in named if not name.startswith(("harness/emulator/", "tests/"))],
                         ["ci/cmake/install.cmake", "ci/cmake/stepgate_perftest.cmake", "ci/perf", "perftests/CMakeLists.txt"])
        script = (SOURCE / "ci/perf").read_text()
        self.assertEqual(script.count("emulated_gpu\n"), 1)
        self.assertIn("emulated_gpu", script[script.index("run_emulated() {"):].split("\n}\n")[0])
        self.assertIn('[ -z "$emulated" ] || run_emulated', script)
        functions = (SOURCE / "ci/cmake/stepgate_perftest.cmake").read_text()
        own = functions[functions.index("function(stepgate_need_emulated_gpu"):]
        self.assertLess(own.index("if(TARGET stepgate)"), own.index("add_dependencies(stepgate_cases ${ARGN})"))
        self.assertLess(own.index("return()"), own.index("add_dependencies(stepgate_cases ${ARGN})"))

    def test_the_page_states_the_rules(self):
        page = (SOURCE / "docs/design/emulated_gpu.md").read_text()
        rules = page[page.index("## Licence rules"):]
        for word in ("disassembled", "cuGetExportTable", "private folder", "opens no vendor library", "not affiliated"):
            self.assertIn(word, rules)


class Tables(unittest.TestCase):
    def test_functions_of_cuda_are_told_from_others(self):
        for name in ("cudaMalloc", "__cudaRegisterVar", "cuMemCreate", "cublasSgemm_v2", "ncclAllReduce", "nvmlInit_v2"):
            self.assertTrue(TABLES.VENDOR_FUNCTION.match(name), name)
        for name in ("curl_easy_init", "current_device", "nvtx_push", "c10_cuda", "cutlass"):
            self.assertFalse(TABLES.VENDOR_FUNCTION.match(name), name)

    def test_a_header_declares_functions_with_the_version_of_their_library(self):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            (folder / "cuda_runtime_api.h").write_text(
                "#define cudaMacro(x) f(x);\n// extern int cudaCommented(void);\n/* cudaAlso(); */\n"
                "extern __host__ cudaError_t CUDARTAPI cudaMalloc(void **devPtr,\n  size_t size);\n"
                "static inline int own(int a) { return cudaInside(a); }\n")
            (folder / "nvml.h").write_text("nvmlReturn_t DECLDIR nvmlInit_v2(void);\n")
            found = TABLES.declared_functions([folder], ["libcudart.so.13", "libcublas.so.13", ""])
        self.assertEqual(found, {"cudaMalloc": "libcudart.so.13", "nvmlInit_v2": ""})

    def test_callbacks_have_the_names_of_the_header(self):
        with tempfile.TemporaryDirectory() as place:
            (pathlib.Path(place) / "cbid.h").write_text(
                "typedef enum { X_INVALID = 0, X_cudaFree_v1 = 1, X_cudaSet_v2 = 3, X_SIZE = 4, X_FORCE_INT = 0x7fffffff } x;")
            self.assertEqual(TABLES.callback_names([pathlib.Path(place)], "cbid.h", "X_"),
                             [None, "cudaFree_v1", None, "cudaSet_v2"])

    def test_each_function_stands_under_its_version_once(self):
        text = TABLES.version_script({"cudaMalloc", "cudaFree", "ncclSend"}, {"cudaMalloc": "libcudart.so.13",
                                                                            "cudaFree": "libcudart.so.13", "ncclSend": ""})
        self.assertEqual(text, "STEPGATE_EMULATED { global: ncclSend; local: *; };\n"
                               "libcudart.so.13 { global: cudaFree; cudaMalloc; };\n")

    def test_a_stub_refuses_with_its_name(self):
        text = TABLES.stubs(["cusolverDnXgeqrf"])
        self.assertIn('void cusolverDnXgeqrf(void) { stepgate_emulator_refuse("cusolverDnXgeqrf"); }', text)
        self.assertIn('{"cusolverDnXgeqrf", (void*)cusolverDnXgeqrf}', TABLES.stub_table(["cusolverDnXgeqrf"]))

    def test_a_library_has_its_versions_under_any_file_name(self):
        versions = {"a": "libcudart.so.13", "b": "NVSHMEM", "c": "libcublas.so.13", "d": "libcublasLt.so.13", "e": ""}
        self.assertEqual(TABLES.versions_of("libcudart.so.13", versions), ["libcudart.so.13"])
        self.assertEqual(TABLES.versions_of("libcudart-0a1b2c3d.so.13", versions),
                         ["libcudart-0a1b2c3d.so.13", "libcudart.so.13"])
        self.assertEqual(TABLES.versions_of("libnvshmem_host.so.3", versions), ["NVSHMEM", "libnvshmem_host.so.3"])
        self.assertEqual(TABLES.versions_of("libcublas.so.13", versions), ["libcublas.so.13"])

    def test_the_folder_says_for_which_libtorch_it_is(self):
        with tempfile.TemporaryDirectory() as place:
            (pathlib.Path(place) / "libtorch_cuda.so").write_bytes(b"twelve bytes")
            self.assertEqual(TABLES.size_of_libtorch(pathlib.Path(place)), "12")

    def test_a_cuda_that_is_not_modelled_is_refused_by_name(self):
        with self.assertRaisesRegex(SystemExit, "libcudart.so.12.*models CUDA 13"):
            TABLES.check_cuda([], {"libcudart.so.12"})
        with self.assertRaisesRegex(SystemExit, "no cuda_runtime_api.h is not of CUDA 13"):
            TABLES.check_cuda([], {"libcudart.so.13"})
        with tempfile.TemporaryDirectory() as place:
            (pathlib.Path(place) / "cuda_runtime_api.h").write_text("#define CUDART_VERSION  13000\n")
            TABLES.check_cuda([pathlib.Path(place)], {"libcudart.so.13", "libnccl.so.2"})


if __name__ == "__main__":
    unittest.main()
