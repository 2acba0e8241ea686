"""The rules of the house that a machine can check: arrows between layers, sizes, names, what the launcher links."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])


def tracked(*patterns):
    listed = subprocess.run(["git", "-C", str(SOURCE), "ls-files", *patterns], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [SOURCE / line for line in listed.stdout.splitlines() if (SOURCE / line).exists()]
    return [p for pattern in patterns for p in SOURCE.glob("**/" + pattern)]


class Layers(unittest.TestCase):
    def configure(self, layer, line):
        """Configures a project with one layer folder whose only file has `line` in it."""
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            (place / layer).mkdir()
            (place / layer / "file.h").write_text(line + "\n")
            (place / layer / "CMakeLists.txt").write_text(f"stepgate_check_includes({layer})\n")
            (place / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(probe NONE)\n"
                f"include({SOURCE}/ci/cmake/layers.cmake)\nadd_subdirectory({layer})\n")
            return subprocess.run(["cmake", "-S", folder, "-B", folder + "/b"], capture_output=True, text=True)

    def refused(self, layer, line):
        done = self.configure(layer, line)
        self.assertNotEqual(done.returncode, 0, line)
        self.assertIn("layers.cmake", done.stderr + done.stdout)

    def test_allowed_arrows_configure(self):
        self.assertEqual(self.configure("judge", '#include "stats/sample.h"').returncode, 0)
        self.assertEqual(self.configure("stats", "#include <boost/math/distributions/students_t.hpp>").returncode, 0)

    def test_wrong_arrows_are_refused(self):
        self.refused("judge", '#include "json/file.h"')
        self.refused("report", '#include "judge/judge.h"')
        self.refused("core", '#include "stats/sample.h"')
        self.refused("cli", '#include "measure/backend.h"')

    def test_libraries_outside_their_layer_are_refused(self):
        self.refused("launch", "#include <torch/torch.h>")
        self.refused("report", "#include <nlohmann/json.hpp>")
        self.refused("judge", "#include <boost/program_options.hpp>")


class Launcher(unittest.TestCase):
    def test_links_neither_torch_nor_openmp_nor_cuda(self):
        launcher = BUILD / "bin" / "stepgate"
        needed = subprocess.run(["ldd", str(launcher)], capture_output=True, text=True, check=True).stdout.lower()
        self.assertIn("libstdc++", needed)
        for forbidden in ("torch", "libc10", "gomp", "iomp", "cuda", "cublas", "nvidia", "benchmark"):
            self.assertNotIn(forbidden, needed)
        section = subprocess.run(["readelf", "-d", str(launcher)], capture_output=True, text=True, check=True).stdout
        self.assertIn("NEEDED", section)
        self.assertNotRegex(section, r"(RPATH|RUNPATH).*(torch|cuda)")


class Shape(unittest.TestCase):
    def test_files_are_short(self):
        long = {str(p.relative_to(SOURCE)): n for p in tracked("*.h", "*.cpp", "*.py")
                if (n := len(p.read_text().splitlines())) > 350}
        self.assertEqual(long, {})

    def test_names_say_what_they_hold(self):
        bad = [p for p in tracked("*.h", "*.cpp") if re.search(r"(util|helper|manager|common)", p.name)]
        self.assertEqual(bad, [])

    def test_each_tested_layer_mirrors_the_harness(self):
        orphans = []
        for test in tracked("tests/*_test.cpp"):
            folder = SOURCE / "harness" / test.parent.name
            if folder.is_dir() and not any(folder.glob("*.cpp")):
                orphans.append(test)
        self.assertEqual(orphans, [])

    def test_each_field_of_options_has_a_row(self):
        cli = SOURCE / "harness" / "cli"
        struct = re.search(r"struct Options \{(.*?)\n\};", (cli / "options.h").read_text(), re.S)[1]
        fields = set(re.findall(r"^  [\w:<>]+ (\w+)(?: = [^;]+)?;", struct, re.M)) - {"command", "arguments"}
        self.assertGreater(len(fields), 40)
        self.assertEqual(fields, set(re.findall(r"&Options::(\w+)", (cli / "option_table.cpp").read_text())))

    def test_nothing_prints_below_the_command_line(self):
        offenders = []
        for source in tracked("harness/*.cpp"):
            layer = source.relative_to(SOURCE / "harness").parts[0]
            if layer in ("cli", "measure"):
                continue  # cli is the rim; measure holds a perftest's own main
            if re.search(r"(std::cout|std::cerr|\bprintf\(|fmt::print\()", source.read_text()):
                offenders.append(str(source))
        self.assertEqual(offenders, [])


if __name__ == "__main__":
    unittest.main()
