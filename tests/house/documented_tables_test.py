"""The pages name every row of the tables of evidence, knobs and reasons, and have the same default limits as the code."""

import json
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
EVIDENCE = (SOURCE / "harness/core/record/evidence_key.h").read_text()
HOST_KNOBS = (SOURCE / "harness/environment/knobs/host_knobs.cpp").read_text()
PROCESS_KNOBS = (SOURCE / "harness/core/host/process_knob.h").read_text()
DESIGN = (SOURCE / "docs/design/guard.md").read_text()
FOR_USERS = (SOURCE / "docs/quiet_machine.md").read_text()


def rows(text, pattern):
    found = re.findall(pattern, text)
    assert len(found) >= 5, pattern
    return found


class Evidence(unittest.TestCase):
    keys = rows(EVIDENCE, r'\{EvidenceKey::\w+,\s*"(\w+)"')
    limits = rows(EVIDENCE, r'\{EvidenceKey::(\w+),[^{}]*TaintLimit\{([\d.]+),')

    def test_the_design_page_names_every_key(self):
        self.assertEqual([key for key in self.keys if f"`{key}`" not in DESIGN], [])

    def test_the_design_page_has_the_default_limits(self):
        page = DESIGN[DESIGN.index("## What discards a replicate"):]
        stated = {key: limit for names, limit in re.findall(r"^\| (`.*`) \| ([\d.]+) \|$", page, re.M)
                  for key in re.findall(r"`(\w+)`", names)}
        self.assertEqual(stated, dict(self.limits))


class PolicyLimits(unittest.TestCase):
    """A limit that can be loosened without a word is none: each key of a policy has a direction, and a row on its page."""
    keys = sorted(json.loads((SOURCE / "schemas/policy.schema.json").read_text())["properties"].keys() - {"$schema", "schema"})

    def test_each_key_has_a_row_in_the_table_of_directions(self):
        table = (SOURCE / "harness/baseline/limits/policy_limits.cpp").read_text()
        self.assertEqual(sorted(rows(table, r'\n    \{"(\w+)", ')), self.keys)

    def test_the_design_page_names_every_key(self):
        page = (SOURCE / "docs/design/baselines_and_policy.md").read_text()
        self.assertEqual([key for key in self.keys if f"`{key}`" not in page[page.index("## Policy keys"):]], [])


class Knobs(unittest.TestCase):
    names = (rows(HOST_KNOBS, r'\{\.name = "(\w+)"') +
             rows(PROCESS_KNOBS, r'\{ProcessKnob::\w+,\s*"(\w+)"'))

    def test_the_design_page_names_every_knob(self):
        self.assertEqual([name for name in self.names if f"`{name}`" not in DESIGN], [])

    def test_the_page_for_users_names_every_knob(self):
        self.assertEqual([name for name in self.names if not re.search(rf"\b{name}\b", FOR_USERS)], [])


class Facts(unittest.TestCase):
    """The roles of docs/design/baselines_and_policy.md are those of the code."""
    code = (SOURCE / "harness/core/record/fact_table.cpp").read_text()
    page = (SOURCE / "docs/design/baselines_and_policy.md").read_text()
    WORDS = {"key": "key", "times": "times", None: "recorded"}

    def roles_in_code(self):
        found = {}
        for name, more in rows(self.code, r'\{\.name = "(\w+)"([^{}]*)\}'):
            roles = dict(re.findall(r"\.(portable|device|runner) = (\w+)", more))
            words = [self.WORDS[roles.get(scope)] for scope in ("portable", "device", "runner")]
            if ".comparison = percent" in more:
                words = [f"{word}, within 1 %" if word == "key" else word for word in words]
            found[name] = words
        return found

    def roles_in_page(self):
        section = self.page[self.page.index("## Facts"):]
        found = {}
        for names, *words in re.findall(r"^\| (`[^|]*`) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|", section, re.M):
            for name in re.findall(r"`(\w+)`", names):
                found[name] = words
        return found

    def test_the_design_page_has_the_role_of_every_fact(self):
        self.maxDiff = None
        self.assertEqual(self.roles_in_page(), self.roles_in_code())


class Reasons(unittest.TestCase):
    """The reasons of docs/design/verdicts.md are those of the code."""
    code = (SOURCE / "harness/core/verdict/verdict_reason.cpp").read_text()
    page = (SOURCE / "docs/design/verdicts.md").read_text()
    for_users = (SOURCE / "docs/accepting_a_baseline.md").read_text()

    def meanings_in_code(self):
        found = rows(self.code, r'\.name = "([\w-]+)",\s*\.meaning =\s*((?:"[^"]*"\s*)+)[,}]')
        return [(name, re.sub(r'"\s*"', "", meaning).strip().strip('"')) for name, meaning in found]

    def test_the_design_page_has_the_name_and_the_meaning_of_every_reason(self):
        section = self.page[self.page.index("## Reasons"):].split("\n## ")[0]
        self.maxDiff = None
        self.assertEqual(re.findall(r"^\| `([\w-]+)` \| (.*) \|$", section, re.M), self.meanings_in_code())

    def test_every_row_of_the_code_is_read(self):
        self.assertEqual(len(self.meanings_in_code()), self.code.count(".code = "))

    def test_the_page_for_users_tells_what_to_do_about_reasons_of_the_code(self):
        section = self.for_users[self.for_users.index("its code stands in brackets"):].split("\n## ")[0]
        told = [name for cell in re.findall(r"^\| (`[^|]*) \|", section, re.M)
                for name in re.findall(r"`([a-z]+-[a-z-]+)`", cell)]
        self.assertGreater(len(told), 10)
        self.assertEqual([name for name in told if name not in dict(self.meanings_in_code())], [])


class PassedVariables(unittest.TestCase):
    code = (SOURCE / "harness/environment/process/passed_variables.h").read_text()
    page = (SOURCE / "docs/design/processes_and_passes.md").read_text()

    def test_the_page_names_every_variable_that_a_measured_process_gets(self):
        names = rows(self.code[:self.code.index("passed_prefixes")], r'"(\w+)"')
        prefixes = rows(self.code[self.code.index("passed_prefixes"):], r'"(\w+_)"')
        self.assertEqual([name for name in names if f"`{name}`" not in self.page], [])
        self.assertEqual([prefix for prefix in prefixes if f"`{prefix}*`" not in self.page], [])


class Questions(unittest.TestCase):
    """Each question about a comparison states what must hold before it answers, and docs/design/causes.md says the same."""
    code = "".join(file.read_text() for file in sorted((SOURCE / "harness/diagnose").glob("questions*.h")))
    page = (SOURCE / "docs/design/causes.md").read_text()
    names = rows(code[code.index("questions[] = {"):], r"\n    (\w+),")

    def preconditions(self):
        found = {}
        for docstring, name in re.findall(r"((?:^///.*\n)+)std::vector<Finding> (\w+)\(", self.code, re.M):
            text = " ".join(line.removeprefix("///").strip() for line in docstring.splitlines())
            found[name] = text.partition("Precondition: ")[2]
        return found

    def test_the_page_has_the_precondition_of_every_question(self):
        self.maxDiff = None
        section = self.page[self.page.index("## Preconditions"):].split("\n## ")[0]
        stated = self.preconditions()
        self.assertEqual([name for name in self.names if not stated.get(name)], [])
        self.assertEqual(re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.M),
                         [(name, stated[name]) for name in self.names])


class FindingCodes(unittest.TestCase):
    """docs/design/causes.md lists the codes as the table has them, and the code gives each the severity of its row."""
    table = (SOURCE / "harness/core/verdict/finding_code.h").read_text()
    page = (SOURCE / "docs/design/causes.md").read_text()
    rows_of_code = rows(table, r'\{(\w+), "([\w-]+)", (\w+),\s*"([^"]+)"')

    def test_the_page_has_every_row(self):
        self.maxDiff = None
        section = self.page[self.page.index("## Codes of findings"):].split("\n## ")[0]
        self.assertEqual(re.findall(r"^\| `([\w-]+)` \| (\w+) \| (.*) \|$", section, re.M),
                         [row[1:] for row in self.rows_of_code])

    def test_a_code_is_its_name(self):
        self.assertEqual([name for code, name, *_ in self.rows_of_code if code != name.replace("-", "_")], [])

    def test_the_highest_severity_is_the_one_that_findings_get(self):
        order = ["note", "warning", "cause"]
        highest = {code: severity for code, _, severity, _ in self.rows_of_code}
        given = {}
        for file in (SOURCE / "harness").rglob("*.cpp"):
            for code, severities in re.findall(r"(?:\{|\.code = )FindingCode::(\w+),\s*([^,\"{}]*Severity::[^,]*),",
                                               file.read_text()):
                given.setdefault(code, set()).update(re.findall(r"Severity::(\w+)", severities))
        self.assertGreater(len(given), 50)
        self.assertEqual({code: max(found, key=order.index) for code, found in given.items()},
                         {code: highest[code] for code in given})


class HeaderExamples(unittest.TestCase):
    """The lines of an example in a header's comment are lines of a test that is compiled."""
    headers = ("throughput_meter.h", "step_timer.h")
    compiled = [line.strip() for line in (SOURCE / "tests/marks/header_examples_test.cpp").read_text().splitlines()]

    def test_each_line_is_compiled(self):
        for header in self.headers:
            text = (SOURCE / "harness/include/stepgate" / header).read_text().split("#pragma once")[0]
            lines = [line[2:].split("  // ")[0].strip() for line in text.splitlines() if line.startswith("//   ")]
            self.assertGreaterEqual(len(lines), 3, header)
            self.assertEqual([line for line in lines if line not in self.compiled], [], header)


if __name__ == "__main__":
    unittest.main()
