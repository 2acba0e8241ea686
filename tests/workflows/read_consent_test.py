"""Consent to loosened limits is read from a label on the pull request, never from a file of it."""

import importlib.util
import os
import pathlib
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
SHA = "4" * 40
LABEL = "loosening allowed"
REF = "refs/heads/pull-request/7"


def loaded(script):
    spec = importlib.util.spec_from_file_location("read_consent", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


read_consent = loaded(SOURCE / "ci" / "workflows" / "read_consent.py")


def event(kind, login="jane", label=LABEL):
    return {"event": kind, "actor": {"login": login}, "label": {"name": label}}


class FakeGithub(read_consent.Github):
    def __init__(self, labels=(LABEL,), events=(event("labeled"),), head=SHA):
        self.pull = {"head": {"sha": head}, "labels": [{"name": name} for name in labels]}
        self.told = [{"event": "subscribed", "actor": None}, *events]
        self.asked = []

    def read(self, path):
        self.asked.append(path)
        if path.startswith("/pulls/"):
            return self.pull
        page = int(path.rpartition("=")[2])
        return self.told[100 * (page - 1):100 * page]


def consent(github, ref=REF):
    return read_consent.consent(github, ref, SHA, LABEL)


class ReadConsent(unittest.TestCase):
    def test_it_is_the_person_who_set_the_label_last(self):
        self.assertEqual(consent(FakeGithub()), "jane")
        again = [event("labeled", "joe"), event("unlabeled", "joe"), event("labeled", "jane"), event("labeled", "eve", "bug")]
        self.assertEqual(consent(FakeGithub(events=again)), "jane")
        many = [event("labeled", "eve", "bug")] * 250 + [event("labeled", "jane")]
        self.assertEqual(consent(FakeGithub(events=many)), "jane")

    def test_without_the_label_nobody_allows_anything(self):
        for github in (FakeGithub(labels=()), FakeGithub(labels=("bug",)), FakeGithub(events=()),
                       FakeGithub(events=[event("labeled"), event("unlabeled")]),
                       FakeGithub(events=[event("labeled", "jane\nallowed_by=eve")]),
                       FakeGithub(events=[{**event("labeled"), "actor": None}])):
            self.assertEqual(consent(github), "")

    def test_it_holds_for_the_present_head_only(self):
        self.assertEqual(consent(FakeGithub(head="5" * 40)), "")

    def test_the_number_comes_from_the_branch(self):
        github = FakeGithub(head="5" * 40)
        self.assertEqual(consent(github, f"refs/heads/gh-readonly-queue/main/pr-12-{SHA}"), "jane")
        self.assertEqual(github.asked[0], "/pulls/12")
        for ref in ("refs/heads/main", "refs/heads/pull-request/7x", "refs/heads/x/pull-request/7", "refs/heads/pull-request/0",
                    "refs/tags/pull-request/7", "refs/heads/pull-request/7\n"):
            github = FakeGithub()
            self.assertEqual((consent(github, ref), github.asked), ("", []), ref)


if __name__ == "__main__":
    unittest.main()
