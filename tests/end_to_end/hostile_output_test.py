"""Names and texts of files reach stdout and stderr of the launcher only without what a terminal or a runner would obey."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
HOSTILE = [one["text"] for one in json.loads((SOURCE / "tests" / "attack" / "hostile_texts.json").read_text())["texts"]]
COLOURS = re.compile(r"\x1b\[(?:0|1;31|33|36|32|2)m")
OBEYED = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"  # by a terminal
                    r"|^\s*::|##[A-Za-z]*\[|<CTest|<DartMeasurement|CTEST_FULL_OUTPUT|\[\[ATTACHMENT\|", re.MULTILINE)
MARKDOWN_ELEMENTS = {"p", "strong", "code", "sub", "table", "thead", "tbody", "tr", "th", "td", "h3", "ul", "li", "br", "pre",
                     "details", "summary"}
JUNIT_ELEMENTS = {"testsuites", "testsuite", "testcase", "properties", "property", "failure", "error", "skipped", "system-out"}
PLAIN = "language/char_lm/tiny"


EMPTY = {"program": "cbf29ce484222325"}  # the digest of an empty file


def verdict(text, inputs=EMPTY):
    outcome = {"group": "exact", "case": text or "x", "status": "failed", "reason": text, "detail": text, "metrics": [],
               "findings": [{"code": text, "severity": "cause", "message": text, "advice": text, "metric": ""}],
               "failures": [{"kind": "crashed", "message": text, "output_tail": text}],
               "commands": {"reproduce": text, "accept": text}, "pending_path": "",
               "baseline": {"path": text, "summary": text}, "fingerprint": {"x": text}, "seconds": 1, "background": [],
               "inputs": inputs}
    return {"schema": {"name": "stepgate.verdict", "major": 1, "minor": 1}, "exit_status": 3, "status": "failed",
            "utc": "2026-11-21T10:00:00Z", "commit": text, "runner_class": text, "stepgate_version": "0.1.0",
            "expected_cases": [], "missing_cases": [text], "outcomes": [outcome]}


class HostileOutput(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="stepgate-hostile-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.write_manifest([PLAIN])

    def write_manifest(self, names):
        manifest = {"schema": {"name": "stepgate.manifest", "major": 1, "minor": 0}, "build_type": "Release",
                    "policy_root": "policies", "baseline_root": "baselines",
                    "cases": [{"name": name, "suite": "language", "program": "none", "device": "cpu"} for name in names]}
        (self.folder / "stepgate-manifest.json").write_text(json.dumps(manifest))
        (self.folder / "baselines").mkdir(exist_ok=True)
        (self.folder / "none").touch()

    def run_words(self, *words, text="", colour=False):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("STEPGATE_", "GITHUB_", "CI"))}
        # A NUL byte ends a word of a command line.
        command = [str(BUILD / "bin" / "stepgate"), *(word.replace("\0", "") for word in words), "--build", "."]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, timeout=60)
        self.assertGreaterEqual(done.returncode, 0, (words, done))
        for stream in (done.stdout, done.stderr):
            shown = stream.decode("utf-8")  # what is not UTF-8 fails here
            found = OBEYED.search(COLOURS.sub("", shown) if colour else shown)
            self.assertIsNone(found, (words, text, shown))
        return done

    def test_names_of_cases_in_lists_and_errors(self):
        for name in [text for text in HOSTILE if text]:
            self.write_manifest([name, PLAIN])
            for words in (["list"], ["report"], ["run", name, "--guard", "observe"]):
                self.assertEqual(self.run_words(*words, text=name).returncode, 2, "such a name is refused")

    def test_words_of_the_command_line(self):
        """Each text in three of these places; the texts take turns."""
        places = [lambda text: ["gate", text], lambda text: [text], lambda text: ["gate", "--tier", text],
                  lambda text: ["gate", "--" + text], lambda text: ["list", "--build", text],
                  lambda text: ["baseline", "show", text], lambda text: ["sweep", PLAIN, "--vary", text],
                  lambda text: ["doctor", text], lambda text: ["report", "--out", text.replace("/", "_")[:200]]]
        for number, text in enumerate(HOSTILE):
            for turn in range(3):
                self.run_words(*places[(number + 3 * turn) % len(places)](text), text=text)

    def test_texts_of_verdicts(self):
        results = self.folder / "stepgate-out" / PLAIN / "exact"
        results.mkdir(parents=True)
        for text in HOSTILE:
            (results / "verdict.json").write_text(json.dumps(verdict(text)))
            self.run_words("report", text=text)
            self.run_words("report", "--verbose", "--color", "always", text=text, colour=True)
            done = self.run_words("report", "--json", text=text)
            self.assertEqual(json.loads(done.stdout)["outcomes"][0]["detail"], text)

    def test_texts_of_verdicts_that_do_not_count(self):
        results = self.folder / "stepgate-out" / PLAIN / "exact"
        results.mkdir(parents=True)
        for text in HOSTILE:
            for name, document in (("verdict.json", verdict(text, {"program": text})), ("previous-verdict.json", verdict(text))):
                for file in results.iterdir():
                    file.unlink()
                (results / name).write_text(json.dumps(document))
                done = self.run_words("report", text=text)
                self.assertEqual(done.returncode, 3)
                self.assertIn(b"is not counted: previous, of ", done.stderr)

    def test_texts_of_verdicts_in_files(self):
        """In GitHub's renderer the summary has only the elements of stepgate, and junit.xml passes a strict parser."""
        results = self.folder / "stepgate-out" / PLAIN / "exact"
        results.mkdir(parents=True)
        for text in HOSTILE:
            (results / "verdict.json").write_text(json.dumps(verdict(text)))
            self.run_words("report", "--markdown", "m.md", "--junit", "j.xml", text=text)
            junit = xml.etree.ElementTree.parse(self.folder / "j.xml")
            self.assertLessEqual({node.tag for node in junit.iter()}, JUNIT_ELEMENTS)
            if shutil.which("cmark-gfm") is None:
                continue
            words = [word for name in ("table", "autolink", "strikethrough", "footnotes") for word in ("-e", name)]
            html = subprocess.run(["cmark-gfm", "--unsafe", *words, str(self.folder / "m.md")], capture_output=True, text=True,
                                  check=True).stdout
            self.assertLessEqual(set(re.findall(r"<(\w+)", html)), MARKDOWN_ELEMENTS, (text, html))
            outside_code = re.sub(r"<(code|pre)\b.*?</\1>", "", html, flags=re.S)  # GitHub makes no mentions in code
            self.assertNotRegex(outside_code, r"@\w|(?<!&)#\d|\bGH-\d", text)
            # Rows of the table hold seven cells each, and nothing opens without an end.
            self.assertEqual({row.count("<td") for row in re.findall(r"<tr>(?!\n<th)(.*?)</tr>", html, re.S)} - {7}, set(), text)
            for tag in ("details", "code", "pre", "table", "sub"):
                self.assertEqual(len(re.findall(rf"<{tag}\b", html)), html.count(f"</{tag}>"), (tag, text, html))

    def test_names_of_baseline_files(self):
        for text in HOSTILE:
            name = "".join(c for c in text if c not in "/\0")[:100].strip(".")
            if not name:
                continue
            folder = self.folder / "baselines" / name
            folder.mkdir(exist_ok=True)
            (folder / (name + ".json")).write_text(json.dumps({"schema": text}))
            self.run_words("baseline", "lint", text=text)
            (folder / (name + ".json")).unlink()
            folder.rmdir()

    def test_damaged_files_that_an_error_quotes(self):
        for text in HOSTILE:
            (self.folder / "stepgate-manifest.json").write_text(json.dumps({"schema": text, text: text}))
            self.run_words("list", text=text)
            (self.folder / "stepgate-manifest.json").write_text(text)
            self.run_words("list", text=text)


if __name__ == "__main__":
    unittest.main()
