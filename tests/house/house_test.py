"""Rules of the project that a program can check: arrows between layers, names of types and files, linked libraries."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])


def tracked(*patterns):
    listed = subprocess.run(["git", "-C", str(SOURCE), "ls-files", *patterns], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [SOURCE / line for line in listed.stdout.splitlines() if (SOURCE / line).exists()]
    return [p for pattern in patterns for p in SOURCE.glob("**/" + pattern)]


class Checked(unittest.TestCase):
    """Runs a check of ci/ on a small tree of sources."""

    def write(self, files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in files.items():
            path = pathlib.Path(folder.name) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder.name

    def run_check(self, check, root):
        return subprocess.run([sys.executable, SOURCE / "ci" / check, "--root", root], capture_output=True, text=True)

    def accepted(self, check, files):
        done = self.run_check(check, self.write(files))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def refused(self, check, files):
        """The message of a check that must fail."""
        done = self.run_check(check, self.write(files))
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr


class Layers(Checked):
    ARROWS = """
        core:
        stats: + boost_math
        judge: core stats + fmt
        judge/rules: judge/interval
        judge/interval:
        judge/studies*: judge/rules
        judge/trends*: judge/studies
        report: core
    """

    def layers(self, path, line):
        return {"layers.txt": self.ARROWS, path: f"#pragma once\n{line}\n"}

    def message(self, path, line):
        message = self.refused("check_layers", self.layers(path, line))
        self.assertIn(f"{path}:2: {line}", message)
        self.assertIn("layers.txt", message)
        return message

    def test_the_project_follows_its_arrows(self):
        done = self.run_check("check_layers", SOURCE / "harness")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_arrows_of_the_list_are_allowed(self):
        self.accepted("check_layers", self.layers("judge/file.h", '#include "stats/sample.h"'))
        self.accepted("check_layers", self.layers("judge/file.h", '#include "judge/rules/rule.h"'))
        self.accepted("check_layers", self.layers("judge/rules/file.h", '#include "judge/interval/decision.h"'))
        self.accepted("check_layers", self.layers("judge/rules/file.h", '#include "judge/judge.h"'))
        self.accepted("check_layers", self.layers("report/file.h", '#include "stepgate/boundary.h"'))

    def test_libraries_of_the_list_and_the_standard_are_allowed(self):
        self.accepted("check_layers", self.layers("stats/file.h", "#include <boost/math/distributions/students_t.hpp>"))
        self.accepted("check_layers", self.layers("core/file.h", "#include <sys/wait.h>"))

    def test_an_arrow_outside_the_list_is_refused(self):
        message = self.message("report/file.h", '#include "judge/judge.h"')
        self.assertIn("layer 'report' may not include layer 'judge': 'report' may include: core", message)

    def test_an_arrow_that_closes_a_circle_is_reported_as_such(self):
        message = self.message("stats/file.h", '#include "judge/judge.h"')
        self.assertIn("'judge' includes 'stats', so this arrow would close a circle", message)

    def test_a_circle_of_layers_in_the_list_is_refused(self):
        message = self.refused("check_layers", {"layers.txt": "core: report\nreport: json\njson: core\nstats: core\n"})
        self.assertIn("layers.txt: the layers form a circle: core -> report -> json -> core", message)

    def test_a_circle_of_units_is_refused(self):
        message = self.refused("check_layers", {
            "layers.txt": self.ARROWS,
            "judge/rules/rule.h": '#pragma once\n#include "judge/interval/part.h"\n',
            "judge/interval/part.cpp": '#include "judge/interval/part.h"\n#include "judge/judge.h"\n',
            "judge/interval/part.h": "#pragma once\n",
            "judge/judge.h": "#pragma once\n",
            "judge/judge.cpp": '#include "judge/judge.h"\n#include "judge/rules/rule.h"\n'})
        self.assertIn("judge/interval/part.cpp:2: units form a circle: "
                      "judge/interval/part -> judge/judge -> judge/rules/rule -> judge/interval/part", message)
        self.assertIn("a header of their own", message)

    def test_units_that_share_a_header_are_allowed(self):
        self.accepted("check_layers", {
            "layers.txt": self.ARROWS,
            "judge/rules/rule.h": '#pragma once\n#include "judge/shared.h"\n',
            "judge/rules/rule.cpp": '#include "judge/rules/rule.h"\n#include "judge/shared.h"\n',
            "judge/judge.cpp": '#include "judge/rules/rule.h"\n#include "judge/shared.h"\n',
            "judge/shared.h": "#pragma once\n"})

    def test_an_arrow_between_folders_of_a_layer_is_refused(self):
        message = self.message("judge/interval/file.h", '#include "judge/rules/rule.h"')
        self.assertIn("folder 'judge/interval' may not include folder 'judge/rules'", message)
        self.assertIn("it may include: nothing but itself", message)

    def test_the_gate_may_not_include_the_studies(self):
        for path in ("judge/rules/file.h", "judge/file.h"):
            message = self.message(path, '#include "judge/studies/sweep.h"')
            self.assertIn("folder 'judge/studies' belongs to the studies", message)
        self.accepted("check_layers", self.layers("judge/studies/file.h", '#include "judge/rules/rule.h"'))
        self.accepted("check_layers", self.layers("judge/trends/file.h", '#include "judge/studies/sweep.h"'))

    def test_an_include_without_its_folder_is_refused(self):
        self.assertIn('#include "judge/rules/rule.h"', self.message("judge/rules/file.h", '#include "rule.h"'))

    def test_a_library_outside_its_layer_is_refused(self):
        message = self.message("stats/file.h", "#include <fmt/format.h>")
        self.assertIn("layer 'stats' may not use fmt; it may use: boost_math", message)
        self.assertIn("layer 'report' may not use torch", self.message("report/file.h", "#include <torch/torch.h>"))

    def test_a_folder_without_a_line_is_refused(self):
        message = self.refused("check_layers", self.layers("judge/new/file.h", ""))
        self.assertIn("folder 'judge/new' has no line", message)


class Types(Checked):
    @staticmethod
    def named(text):
        return "namespace stepgate {\n" + text + "\n}\n"

    @staticmethod
    def local(text):
        return "namespace stepgate {\nnamespace {\n" + text + "\n}\n}\n"

    def test_the_project_has_no_two_types_of_one_name(self):
        done = self.run_check("check_types", SOURCE / "harness")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_two_types_of_a_namespace_are_refused_across_layers(self):
        message = self.refused("check_types", {"judge/a.h": self.named("struct Sides {\n  int x;\n};"),
                                               "report/b.cpp": self.named("/* struct */ enum class Sides : int { a };")})
        self.assertIn("judge/a.h:2: 'stepgate::Sides' is also defined at", message)
        self.assertIn("report/b.cpp:2", message)
        self.assertIn("rename one of them", message)

    def test_an_alias_counts_as_a_type(self):
        message = self.refused("check_types", {"judge/a.h": self.named("using Sides = int;"),
                                               "judge/b.h": self.named("using Sides = int;")})
        self.assertIn("stepgate::Sides", message)

    def test_file_local_types_of_a_layer_must_differ(self):
        message = self.refused("check_types", {"judge/rules/a.cpp": self.local("struct Range {};"),
                                               "judge/b.cpp": self.local("struct Range {};")})
        self.assertIn("layer 'judge' compiles both files as one", message)

    def test_file_local_types_of_two_layers_may_share_a_name(self):
        self.accepted("check_types", {"judge/a.cpp": self.local("struct Range {};"),
                                      "report/b.cpp": self.local("struct Range {};")})

    def test_a_file_local_type_must_not_have_the_name_of_a_named_type(self):
        message = self.refused("check_types", {"judge/a.h": self.named("class Range final : public Base {};"),
                                               "report/b.cpp": self.local("struct Range {};")})
        self.assertIn("'Range' already is a type of namespace stepgate", message)

    def test_equal_file_local_aliases_may_be_repeated(self):
        self.accepted("check_types", {"judge/a.cpp": self.local("using Clock = std::chrono::steady_clock;"),
                                      "judge/b.cpp": self.local("using Clock = std::chrono::steady_clock;")})

    def test_declarations_and_nested_types_are_accepted(self):
        self.accepted("check_types", {
            "judge/a.h": self.named("struct Range;\nstruct Range { struct Sides {}; int x = sizeof(struct Sides); };\n"
                                    "template <typename T> struct Of {};"),
            "judge/b.h": self.named("struct Range;\ntemplate <> struct Of<int> {};\nstruct Range::Built {};\n"
                                    "// struct Range {};\nconst char* text = \"struct Range {\";\n"
                                    "inline void f() { struct Range {}; }"),
            "judge/c.h": "namespace stepgate::inner {\nstruct Range {};\n}\n"})


class Kinds(Checked):
    def line(self, text):
        return {"judge/a.cpp": "// a\n" + text + "\n"}

    def test_the_project_compares_no_kind_with_a_text(self):
        done = self.run_check("check_kinds", SOURCE / "harness")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_comparison_of_a_kind_with_a_text_is_refused(self):
        message = self.refused("check_kinds", self.line('if (finding.code == "waiver") return;'))
        self.assertIn('judge/a.cpp:2: code == "waiver"', message)
        self.assertIn("compare with a value of the kind's enum", message)

    def test_the_other_forms_are_refused(self):
        for text in ('plan->device != "cuda"', '"cuda" == plan.device', 'outcome.group.starts_with("compare-")',
                     'reason.find("budget") != std::string::npos', 'half_ == "timed"', 'metric.unit() == "ns"',
                     'series.layout ==\n    "batch"'):
            self.assertIn("judge/a.cpp:2:", self.refused("check_kinds", self.line(text)), text)

    def test_values_of_enums_other_names_and_comments_are_accepted(self):
        for text in ('plan.device == Device::cuda', 'site.boundary == name_of(Boundary::forward)', 'site.name == "aten::mm"',
                     'finding.code = "waiver";', '// finding.code == "waiver"', '/* half == "timed" */',
                     'text == "unit"', "letter == '\"' || unit == name[0]", 'call("code", code == other)'):
            self.accepted("check_kinds", self.line(text))

    def test_readers_of_documents_and_options_may_compare_texts(self):
        self.accepted("check_kinds", {"json/records/a.cpp": 'unit == "us"\n', "cli/options/a.cpp": 'layout == "case"\n'})


class Files(Checked):
    def test_the_project_follows_the_rules(self):
        done = self.run_check("check_files", SOURCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_long_file_is_refused_in_code_and_tests(self):
        for path in ("harness/judge/judge.cpp", "tests/judge/judge_test.cpp", "perftests/vision/mlp.h"):
            with self.subTest(path):
                self.accepted("check_files", {path: "int x;\n" * 350})
                self.assertIn(f"{path}: 351 lines", self.refused("check_files", {path: "int x;\n" * 351}))

    def test_a_full_folder_of_the_harness_is_refused_without_its_sub_folders(self):
        full = {f"harness/judge/rules/rule_{i}.h": "" for i in range(30)}
        self.accepted("check_files", full | {"harness/judge/rules/more/rule.h": "", "harness/judge/judge.h": ""})
        message = self.refused("check_files", full | {"harness/judge/rules/rule.cpp": ""})
        self.assertIn("harness/judge/rules: 31 source files", message)

    def test_two_headers_of_one_name_are_refused(self):
        message = self.refused("check_files", {"harness/core/study/sweep.h": "", "harness/experiment/sweep.h": ""})
        self.assertIn("harness/experiment/sweep.h: ", message)
        self.assertIn("core/study/sweep.h has the same name", message)

    def test_a_public_header_may_have_the_name_of_the_one_behind_it(self):
        self.accepted("check_files", {"harness/include/stepgate/boundary.h": "", "harness/core/boundary.h": "",
                                      "harness/judge/boundary.cpp": ""})


class Launcher(unittest.TestCase):
    def test_links_no_torch_openmp_or_cuda(self):
        for program in ("stepgate", "stepgate-studies"):
            self.check(BUILD / "bin" / program)

    def check(self, launcher):
        needed = subprocess.run(["ldd", str(launcher)], capture_output=True, text=True, check=True).stdout.lower()
        self.assertIn("libstdc++", needed)
        for forbidden in ("torch", "libc10", "gomp", "iomp", "cuda", "cublas", "nvidia", "benchmark"):
            self.assertNotIn(forbidden, needed)
        section = subprocess.run(["readelf", "-d", str(launcher)], capture_output=True, text=True, check=True).stdout
        self.assertIn("NEEDED", section)
        self.assertNotRegex(section, r"(RPATH|RUNPATH).*(torch|cuda)")


class Shape(unittest.TestCase):
    def test_no_file_has_an_empty_name_like_util(self):
        bad = [p for p in tracked("*.h", "*.cpp") if re.search(r"(^|_)(util|helper|manager|common)s?(_|\.)", p.name)]
        self.assertEqual(bad, [])

    def test_folders_of_unit_tests_mirror_the_harness(self):
        layers = {path.name for path in (SOURCE / "harness").iterdir() if path.is_dir()}
        folders = {test.parent.relative_to(SOURCE / "tests") for test in tracked("tests/*_test.cpp")}
        orphans = [str(folder) for folder in sorted(folders)
                   if folder.parts[0] in layers and not (SOURCE / "harness" / folder).is_dir()]
        self.assertEqual(orphans, [])

    def test_each_folder_of_a_layer_has_a_row_in_the_page(self):
        page = (SOURCE / "docs" / "design" / "layers.md").read_text()
        table = page[page.index("## Folders inside a layer"):page.index("## Arrows")]
        described = set()
        layer = ""
        for row in re.findall(r"^\|(.*?)\|(.*?)\|", table, re.M):
            first, names = (re.findall(r"`([^`]+)`", cell) for cell in row)
            layer = first[0] if first else layer
            described |= {f"{layer}/{name}" for name in names}
        lines = re.findall(r"^([a-z_]+/[a-z_/]+)[*]?:", (SOURCE / "harness" / "layers.txt").read_text(), re.M)
        self.assertEqual(described, set(lines))

    def test_each_field_of_options_has_a_row(self):
        """A struct of options is one that a function of rows takes; a field that is such a struct has rows of its own."""
        cli = SOURCE / "harness" / "cli"
        headers = sorted((cli / "options").glob("**/*.h")) + sorted((cli / "commands").glob("**/command_*.h"))
        structs = {}
        for header in headers:
            for name, body in re.findall(r"^struct (\w+) \{(.*?)^\};", header.read_text(), re.M | re.S):
                structs[name] = (header, re.findall(r"^  ([\w:<>]+) (\w+)(?: = [^;]+)?;", body, re.M))
        code = {header: header.with_suffix(".cpp").read_text() for header, _ in structs.values() if header.with_suffix(".cpp").is_file()}
        checked = 0
        for name, (header, fields) in structs.items():
            if not re.search(rf"\bOptionRows? \w+\({name}& o", code.get(header, "")):
                continue
            rows = set(re.findall(r"(?:_into|switch_on|_row)\(o\.(?:\w+\.)*(\w+)", code[header]))
            for kind, field in fields:
                if kind in structs or field == "arguments":
                    continue
                checked += 1
                self.assertIn(field, rows, f"{name}::{field} has no row in {header.with_suffix('.cpp').name}")
        self.assertGreater(checked, 100)

    PRINTS = r"std::cout|std::cerr|std::clog|\b(?:f|v|vf)?printf\(|\bf?puts\(|\bf?putc(?:har)?\(|\bfwrite\(|\bperror\(|fmt::v?print\("

    def test_each_mutation_fits_the_source(self):
        """Otherwise ci/mutate_verdicts, which runs by night, ends before it breaks a rule."""
        for mutation in json.loads((SOURCE / "tests/lab/mutations.json").read_text()):
            with self.subTest(mutation["name"]):
                self.assertEqual((SOURCE / mutation["file"]).read_text().count(mutation["old"]), 1)
                self.assertIn(mutation.get("on", "plain"), ("plain", "emulated_gpu"))

    def test_a_name_that_no_mutation_has_is_no_green(self):
        done = subprocess.run([sys.executable, SOURCE / "ci/mutate_verdicts", "a rule that nobody wrote"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("nothing was tried", done.stderr)

    def test_only_one_file_of_the_launcher_prints(self):
        """Everything is cleaned there, so no text of a program or a file can be forgotten."""
        offenders = []
        for source in tracked("harness/*.cpp", "harness/*.h"):
            path = source.relative_to(SOURCE / "harness")
            # measure holds the main function of a perftest, whose output the launcher keeps as foreign text
            if path.parts[0] in ("measure", "include") or str(path) == "cli/output.cpp":
                continue
            if re.search(self.PRINTS, source.read_text()):
                offenders.append(str(path))
        self.assertEqual(offenders, [])

    def test_texts_that_a_runner_obeys_are_printed_by_their_makers_only(self):
        """print_commands() cleans nothing, so each call is listed here."""
        calls = [(source.name, call) for source in tracked("harness/cli/*.cpp")
                 for call in re.findall(r"print_commands\((?:[^;]*?), ([^;]*?)\);", source.read_text()) if source.name != "output.cpp"]
        self.assertEqual(sorted(calls), [("publish.cpp", "render_github(report, {})"), ("show.cpp", "pause.begin"),
                                         ("show.cpp", "pause.end"), ("show.cpp", "render_ctest_measurements(outcome)")])


if __name__ == "__main__":
    unittest.main()
