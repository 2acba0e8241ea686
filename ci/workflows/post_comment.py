#!/usr/bin/env python3
"""Posts the summary.md of another workflow run to its pull request, as untrusted text.

    post_comment.py SUMMARY.md        (with GITHUB_EVENT_PATH, GITHUB_REPOSITORY, GITHUB_TOKEN as GitHub sets them)

The pull request's number comes from the event and is checked with GitHub. The summary is only shown. A green run posts no new
comment, unless its tree loosens limits; it updates an older comment of this script.
"""

import json
import os
import pathlib
import re
import sys
import unicodedata
import urllib.error
import urllib.request

MARKER = "<!-- stepgate summary -->"
LARGEST_BYTES = 60_000  # the most that stepgate writes
MOST_CHARACTERS = 65_536  # of a comment, as GitHub counts them; joiners can double the characters of a summary
REFUSING = (400, 413, 422)  # GitHub's statuses for a body that it does not take
MOST_PAGES = 20
JOINER = "\u2060"  # invisible; text that it splits is no longer a mention, link, image or tag
OWN_TAGS = r"/?(?:details|summary|code|sub|br)>"
# The punctuation that stepgate writes as character references; none of them can begin a mention.
OWN_REFERENCES = r"#(?:33|35|36|38|42|46|58|60|62|91|92|93|95|96|123|124|125|126);"
LOOSENED = re.compile(r"\*\*[^\n*]*\d limits? loosened\b")  # in the first line of a summary
HARMFUL_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def is_harmless(character):
    return character in ("\n", JOINER) or unicodedata.category(character) not in HARMFUL_CATEGORIES


def split_by_joiner(pattern, text):
    """Puts the joiner behind each match that has none yet."""
    return re.sub(rf"({pattern})(?!{JOINER})", rf"\1{JOINER}", text, flags=re.IGNORECASE | re.MULTILINE)


def untrusted(text):
    """The same text without links, mentions, embedded content, or HTML other than the tags that stepgate writes."""
    text = "".join(c for c in text if is_harmless(c))
    text = split_by_joiner(rf"<(?!{OWN_TAGS})", text)
    text = split_by_joiner(rf"&(?!{OWN_REFERENCES})(?=[#\w])", text)
    text = split_by_joiner(r"\\(?=&#)", text)  # else the reference would stay as text, and its number is one of an issue
    # No \b before "www": GitHub also finds it after '_' and '~'. Every '@' is split: a domain may begin with '-' or '_'.
    text = split_by_joiner(r"@|www(?=\.|&#46;)|(?::|&#58;)(?=//|&#47;)", text)
    text = split_by_joiner(r"(?:!(?=\[)|\[(?=\^)|(?<!&)#|&#35;|\](?=[\[(:])|GH(?=-))(?=[\w\[(:.^-])", text)
    # A fence in a language such as mermaid or math is drawn, and may hold links of its own.
    return split_by_joiner(rf"(?:`{{3,}}|~{{3,}})(?=[^\S\n]*[^\s`~{JOINER}])(?!sh$)", text)


def read_summary(path):
    """The summary as safe text; None if stepgate cannot have written it."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST_BYTES:
            return None
        return untrusted(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None


def number_of(run):
    """The pull request that a run's branch names, or None: `pull-request/<number>` of this repository itself."""
    same = run["head_repository"]["id"] == run["repository"]["id"]
    found = re.fullmatch(r"pull-request/([1-9][0-9]{0,9})", run["head_branch"] or "")
    return int(found.group(1)) if same and found else None


def body_of(run, summary):
    """The whole comment. Where it would be longer than GitHub takes, the summary comes last and is cut at the end of a line."""
    if summary is None:
        summary = "The run has no summary, so nothing is known about this change."
    source = f"From [this run]({run['html_url']}) of {run['head_sha'][:12]}."
    body = f"{MARKER}\n{summary}\n\n{source}\n"
    if len(body) <= MOST_CHARACTERS:
        return body
    heading = f"{MARKER}\n{source} The summary is too long for a comment and is cut below; the run has all of it.\n\n"
    kept = summary[:max(0, MOST_CHARACTERS - len(heading))]
    return heading + (kept[:kept.rfind("\n", len(kept) // 2) + 1] or kept)


class Github:
    """The calls to GitHub that this script needs."""

    def __init__(self, environment):
        self.root = f"{environment.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{environment['GITHUB_REPOSITORY']}"
        self.token = environment["GITHUB_TOKEN"]

    def call(self, method, path, value=None):
        request = urllib.request.Request(
            self.root + path, method=method, data=None if value is None else json.dumps(value).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Accept": "application/vnd.github+json",
                     "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def own_comment(self, number):
        for page in range(1, MOST_PAGES + 1):
            comments = self.call("GET", f"/issues/{number}/comments?per_page=100&page={page}")
            for comment in comments:
                author = (comment["user"] or {}).get("login")  # an account that is gone has no user
                if author == "github-actions[bot]" and (comment["body"] or "").startswith(MARKER):
                    return comment["id"]
            if len(comments) < 100:
                return None
        return None


def write(github, method, path, run, summary):
    """Writes the comment. Where GitHub refuses its text, a short one: a summary must not be able to prevent a red comment."""
    try:
        github.call(method, path, {"body": body_of(run, summary)})
    except urllib.error.HTTPError as error:
        if error.code not in REFUSING:
            raise
        github.call(method, path, {"body": body_of(run, f"GitHub refused the summary of this run ({error.code}): read it there.")})


def post(github, run, summary):
    """Posts or updates the comment; returns a short line for the log."""
    number = number_of(run)
    if number is None:
        return "no pull request: the branch does not name one of this repository"
    pull = github.call("GET", f"/pulls/{number}")
    if pull["head"]["sha"] != run["head_sha"]:
        return f"pull request {number} has another head than the measured commit"
    comment = github.own_comment(number)
    if comment is not None:
        write(github, "PATCH", f"/issues/comments/{comment}", run, summary)
        return f"updated the comment of pull request {number}"
    if run["conclusion"] == "success" and not LOOSENED.match(summary or ""):
        return f"pull request {number} is green: no comment"
    write(github, "POST", f"/issues/{number}/comments", run, summary)
    return f"commented on pull request {number}"


def main():
    event = json.loads(pathlib.Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    print(post(Github(os.environ), event["workflow_run"], read_summary(pathlib.Path(sys.argv[1]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
