"""The comment job does not trust the run whose summary it posts."""

import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
sys.path.insert(0, str(SOURCE / "ci" / "workflows"))
import post_comment  # noqa: E402

SHA = "4be1c0ffee12" + "0" * 28


def run_of(**values):
    return {"head_branch": "pull-request/7", "head_sha": SHA, "conclusion": "failure", "html_url": "https://g.example/r/1",
            "head_repository": {"id": 1}, "repository": {"id": 1}, **values}


class FakeGithub:
    def __init__(self, head=SHA, comment=None, refuses=None, status=422):
        self.head, self.comment, self.refuses, self.status, self.written = head, comment, refuses, status, []

    def call(self, method, path, value=None):
        if method != "GET":
            if self.refuses is not None and self.refuses in value["body"]:
                raise urllib.error.HTTPError(path, self.status, "Unprocessable Entity", {}, None)
            self.written.append((method, path, value["body"]))
        return {"head": {"sha": self.head}}

    def own_comment(self, number):
        return self.comment


class Posting(unittest.TestCase):
    def test_a_red_run_gets_one_comment_that_is_then_updated(self):
        github = FakeGithub()
        post_comment.post(github, run_of(), "**1 regressed**")
        self.assertEqual(github.written[0][:2], ("POST", "/issues/7/comments"))
        self.assertIn("**1 regressed**", github.written[0][2])
        github = FakeGithub(comment=33)
        post_comment.post(github, run_of(), "**1 regressed**")
        self.assertEqual(github.written[0][:2], ("PATCH", "/issues/comments/33"))

    def test_a_green_run_only_updates_an_older_comment(self):
        github = FakeGithub()
        post_comment.post(github, run_of(conclusion="success"), "**2 pass**")
        self.assertEqual(github.written, [])
        github = FakeGithub(comment=33)
        post_comment.post(github, run_of(conclusion="success"), "**2 pass**")
        self.assertIn("**2 pass**", github.written[0][2])

    def test_a_green_run_that_loosens_limits_is_told(self):
        for summary, posted in (("**2 pass, 1 limit loosened**", 1), ("**2 pass, 12 limits loosened, allowed by jane** x", 1),
                                ("**2 pass**\n\n2 limits loosened", 0)):
            github = FakeGithub()
            post_comment.post(github, run_of(conclusion="success"), summary)
            self.assertEqual(len(github.written), posted, summary)

    def test_the_number_comes_from_the_branch_and_must_match_the_head(self):
        for run in (run_of(head_branch="main"), run_of(head_branch="pull-request/7x"), run_of(head_branch=None),
                    run_of(head_branch="pull-request/0"), run_of(head_branch="x/pull-request/7"),
                    run_of(head_branch="pull-request/7\n"), run_of(head_repository={"id": 2})):
            github = FakeGithub()
            post_comment.post(github, run, "**1 regressed**")
            self.assertEqual(github.written, [], run)
        github = FakeGithub(head="5" * 40)
        post_comment.post(github, run_of(), "**1 regressed**")
        self.assertEqual(github.written, [])

    def test_a_run_without_a_summary_says_so(self):
        github = FakeGithub()
        post_comment.post(github, run_of(), None)
        self.assertIn("nothing is known", github.written[0][2])

    def test_the_largest_summary_fits_into_a_comment(self):
        summary = "x" * post_comment.LARGEST_BYTES
        self.assertIn(summary, post_comment.body_of(run_of(), summary))

    def test_a_summary_that_grows_when_it_is_made_safe_is_cut_and_its_red_still_posted(self):
        for hostile in ("@" * 59_990, "@a " * 19_000, "<b>\n" * 14_000, "**1 regressed**\n\n" + "~~~m\n" * 11_900):
            safe = post_comment.untrusted(hostile)
            for body in (post_comment.body_of(run_of(), safe), post_comment.body_of(run_of(html_url="u" * 9000), safe)):
                self.assertLessEqual(len(body), 65_536)
                self.assertTrue(body.startswith(post_comment.MARKER))
                self.assertTrue("is cut below" in body, hostile[:20])
                # Ahead of the cut text, so that no open fence or tag of it can hide the link.
                self.assertLess(body.index("[this run]"), body.index(safe[:10]))
        whole = post_comment.body_of(run_of(), "**1 regressed**\n")
        self.assertGreater(whole.index("[this run]"), whole.index("**1 regressed**"))
        self.assertNotIn("is cut below", whole)

    def test_a_body_that_github_refuses_is_replaced_by_a_short_one(self):
        for comment in (None, 33):
            github = FakeGithub(comment=comment, refuses="hostile")
            post_comment.post(github, run_of(), "**1 regressed** hostile")
            [written] = github.written
            self.assertIn("refused", written[2])
            self.assertIn("[this run]", written[2])
        github = FakeGithub(refuses="", status=403)
        with self.assertRaises(urllib.error.HTTPError):
            post_comment.post(github, run_of(), "**1 regressed**")

    def test_comments_of_accounts_that_are_gone(self):
        class OfOthers(post_comment.Github):
            def call(self, method, path, value=None):
                return [{"body": None, "user": None}, {"body": post_comment.MARKER, "user": None},
                        {"body": post_comment.MARKER, "user": {"login": "github-actions[bot]"}, "id": 5}]
        self.assertEqual(OfOthers({"GITHUB_REPOSITORY": "a/b", "GITHUB_TOKEN": ""}).own_comment(7), 5)


class Reading(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.file = pathlib.Path(place.name) / "summary.md"

    def test_files_that_stepgate_cannot_have_written(self):
        self.assertIsNone(post_comment.read_summary(self.file))
        self.file.write_bytes(b"x" * (post_comment.LARGEST_BYTES + 1))
        self.assertIsNone(post_comment.read_summary(self.file))
        self.file.write_bytes(b"\xff\xfe")
        self.assertIsNone(post_comment.read_summary(self.file))
        self.file.unlink()
        self.file.symlink_to("/etc/hostname")
        self.assertIsNone(post_comment.read_summary(self.file))

    def test_summaries_of_stepgate_stay_unchanged(self):
        for name in ("summary.md", "summary_pass.md"):
            text = (SOURCE / "tests" / "golden" / "report" / name).read_text()
            self.assertEqual(post_comment.untrusted(text), text)

    def test_escapes_of_hostile_names_are_still_escapes(self):
        text = (SOURCE / "tests" / "golden" / "report" / "summary_hostile.md").read_text()
        kept = post_comment.untrusted(text)
        self.assertEqual(re.findall(r"&#\d+;", kept), re.findall(r"&#\d+;", text))


FORGED = """**all pass** @octocat @org/team &#64;octocat &commat;octocat &#x40;octocat #17 &#35;17 x@e.example
![pixel](https://e.example/p) [link](https://e.example) [a][b] [c] https://e.example www.e.example <https://e.example>
<img src=x> <a href="https://e.example">x</a> <script>alert(1)</script> <!-- hidden --> <details open>\x1b[2J\u202e
_www.e.example ~www.e.example *www.e.example a@-b.example a@_b.example a+b@c.example mailto:a@b.example GH-17

[b]: https://e.example
[c]: /settings
"""
HOSTILE = [one["text"] for one in json.loads((SOURCE / "tests" / "attack" / "hostile_texts.json").read_text())["texts"]]
# Pieces from which links, mentions and embedded content are made.
PIECES = ["www.", "WWW.", "e.example", "http:", "https:", "//", "&#58;", "&#46;", "&#95;", "&#64;", "&#35;", "@", "a@b", "-", "_", "~", "*",
          "(", ")", "[", "]", "!", "<", ">", "/", ":", "#1", "GH-1", "mailto:", "xmpp:", " ", "\n", "\n\n", "```", "~~~", "sh", "math", "|", "^1",
          "<br>", "<code>", "</code>", "\\", "`", "a", "$"]
FORGED_COUNT = 400


def html_of(markdown):
    words = ["cmark-gfm", "--unsafe"] + [w for e in ("table", "autolink", "strikethrough", "footnotes") for w in ("-e", e)]
    return subprocess.run(words, capture_output=True, text=True, input=markdown, check=True).stdout


@unittest.skipIf(shutil.which("cmark-gfm") is None, "cmark-gfm is not installed")
class Forged(unittest.TestCase):
    def assert_harmless(self, text):
        html = html_of(post_comment.untrusted(text))
        tags = re.findall(r"<(\w+)[^>]*>", html)
        for tag in ("a", "img", "script", "iframe", "input", "section"):
            self.assertNotIn(tag, tags, (text, html))
        self.assertNotRegex(html, r'class="language-(?!sh")[a-z]', (text, html))
        self.assertNotRegex(html, r"[\x1b\u202e]", (text, html))
        outside_code = re.sub(r"<code.*?</code>", "", html, flags=re.DOTALL)  # GitHub makes no links in code
        self.assertNotRegex(outside_code, r"@\w|(?<!&)#\d|GH-\d", (text, html))

    def test_it_has_no_links_mentions_or_embedded_content(self):
        self.assert_harmless(FORGED)
        self.assertEqual(set(re.findall(r"<(\w+)", html_of(post_comment.untrusted(FORGED)))), {"p", "strong"})

    def test_hostile_texts(self):
        for text in HOSTILE:
            self.assert_harmless(text)
            self.assert_harmless(f"| a | b |\n| --- | --- |\n| {text} | x |\n")

    def test_texts_put_together_by_chance(self):
        seed = int(os.environ.get("STEPGATE_ATTACK_SEED", "20261122"))
        chance = random.Random(seed)
        for number in range(FORGED_COUNT):
            with self.subTest(seed=seed, number=number):
                self.assert_harmless("".join(chance.choices(PIECES, k=chance.randrange(2, 16))))

    def test_safe_text_is_not_changed_again(self):
        for text in [FORGED, *HOSTILE]:
            safe = post_comment.untrusted(text)
            self.assertEqual(post_comment.untrusted(safe), safe)


if __name__ == "__main__":
    unittest.main()
