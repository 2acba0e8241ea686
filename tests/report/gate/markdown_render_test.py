"""The golden summaries in GitHub's renderer: hostile names must appear as plain text."""

import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

GOLDEN = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"]) / "tests" / "golden" / "report"
OWN_TAGS = {"p", "strong", "code", "sub", "table", "thead", "tbody", "tr", "th", "td", "h3", "ul", "li", "br", "pre",
            "details", "summary"}
MISSING = 77


class Page(html.parser.HTMLParser):
    """Tags with their attributes, the text outside them, and whether they nest."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.attributes, self.open, self.torn = set(), set(), [], []
        self.rows, self.text, self.outside_code = [], "", ""
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag == "tr":
            self.rows.append(0)
        if tag in ("td", "th"):
            self.rows[-1] += 1
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag != "br" and (not self.open or self.open.pop() != tag):
            self.torn.append(tag)

    def handle_data(self, data):
        self.text += data
        if "code" not in self.open and "pre" not in self.open:
            self.outside_code += data


def rendered(name):
    done = subprocess.run(["cmark-gfm", "-e", "table", "-e", "autolink", "-e", "strikethrough", "--unsafe",
                           str(GOLDEN / name)], capture_output=True, text=True, check=True)
    return Page(done.stdout)


class Summaries(unittest.TestCase):
    def check_whole(self, page):
        self.assertLessEqual(page.tags, OWN_TAGS)
        self.assertLessEqual(page.attributes, {"align", "lang", "class"})
        self.assertEqual((page.open, page.torn), ([], []))
        self.assertEqual(set(page.rows) - {7}, set(), "a row with more or fewer cells than its heading")

    def test_ordinary_names(self):
        for name in ("summary.md", "summary_pass.md"):
            self.check_whole(rendered(name))

    def test_hostile_names_stay_text(self):
        page = rendered("summary_hostile.md")
        self.check_whole(page)
        for literal in ("<script>alert(1)</script>", "*b* _i_ ~~s~~", "&amp; [l]", "`x` ``` ", "a|b\\|c"):
            self.assertIn(literal, page.text)

    def test_no_mentions_and_no_issue_links(self):
        page = rendered("summary_hostile.md")
        self.assertIn("octocat", page.outside_code)
        self.assertNotRegex(page.outside_code, r"@\w")
        self.assertNotRegex(page.outside_code, r"#\d")

    def test_no_terminal_control_characters(self):
        for golden in GOLDEN.glob("summary*.md"):
            self.assertIsNone(re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", golden.read_text()), golden)


if __name__ == "__main__":
    if shutil.which("cmark-gfm") is None:
        print("SKIPPED: cmark-gfm is not installed; ci/setup installs it")
        sys.exit(MISSING)
    unittest.main()
