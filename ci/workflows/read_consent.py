#!/usr/bin/env python3
"""Prints who allows limits that a pull request loosens: allowed_by=jane, or allowed_by= for nobody.

    read_consent.py --label NAME >> "$GITHUB_OUTPUT"   (with GITHUB_REF, GITHUB_SHA, GITHUB_REPOSITORY, GITHUB_TOKEN)

The name is that of the person who set the label last, as GitHub tells it. Nothing of the measured commit is read. The label counts
only while it is on the pull request that the branch names, and only for its present head: pull-request/<number>, or a branch of the
merge queue.
"""

import argparse
import json
import os
import re
import sys
import urllib.request

MOST_PAGES = 20
LOGIN = re.compile(r"[A-Za-z0-9-]{1,80}(?:\[bot\])?")
MEASURED = re.compile(r"refs/heads/pull-request/([1-9][0-9]{0,9})")
QUEUED = re.compile(r"refs/heads/gh-readonly-queue/.+/pr-([1-9][0-9]{0,9})-[0-9a-f]{40}")


class Github:
    """The calls to GitHub that this script needs."""

    def __init__(self, environment):
        self.root = f"{environment.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{environment['GITHUB_REPOSITORY']}"
        self.token = environment["GITHUB_TOKEN"]

    def read(self, path):
        request = urllib.request.Request(self.root + path, headers={
            "Authorization": f"Bearer {self.token}", "Accept": "application/vnd.github+json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def events(self, number):
        for page in range(1, MOST_PAGES + 1):
            events = self.read(f"/issues/{number}/events?per_page=100&page={page}")
            yield from events
            if len(events) < 100:
                return


def last_setter(events, label):
    """Who set the label last; "" where it was removed since."""
    name = ""
    for event in events:
        if event.get("label", {}).get("name") != label:
            continue
        if event["event"] == "labeled":
            name = (event.get("actor") or {}).get("login", "")
        elif event["event"] == "unlabeled":
            name = ""
    return name if LOGIN.fullmatch(name) else ""


def consent(github, ref, commit, label):
    """The name, or "" for nobody."""
    measured, queued = MEASURED.fullmatch(ref), QUEUED.fullmatch(ref)
    if not measured and not queued:
        return ""
    number = int((measured or queued).group(1))
    pull = github.read(f"/pulls/{number}")
    if measured and pull["head"]["sha"] != commit:
        return ""
    if label not in [one["name"] for one in pull["labels"]]:
        return ""
    return last_setter(github.events(number), label)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--label", required=True)
    arguments = parser.parse_args()
    name = consent(Github(os.environ), os.environ["GITHUB_REF"], os.environ["GITHUB_SHA"], arguments.label)
    print(f"allowed_by={name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
