"""check_runner.py names each setting with which unreviewed code could reach a runner."""

import importlib.util
import io
import os
import pathlib
import shutil
import tempfile
import unittest
import urllib.error

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
TEMPLATES = SOURCE / "ci" / "workflows" / "github"
BOUND = [f"acme/train/.github/workflows/{name}@refs/heads/main" for name in ("perf_gpu.yml", "history.yml")]


def loaded(script):
    spec = importlib.util.spec_from_file_location("check_runner", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check_runner = loaded(SOURCE / "ci" / "workflows" / "check_runner.py")


def group(**values):
    return {"id": 7, "name": "gpu", "restricted_to_workflows": True, "selected_workflows": BOUND, **values}


SAFE = {
    "/repos/acme/train": {"private": False, "default_branch": "main", "owner": {"type": "Organization"}},
    "/repos/acme/train/actions/permissions/fork-pr-contributor-approval": {"approval_policy": "all_external_contributors"},
    "/repos/acme/train/actions/runners?per_page=100": {"runners": []},
    "/orgs/acme/actions/runner-groups?per_page=100&visible_to_repository=train&page=1": {"runner_groups": [group()]},
    "/orgs/acme/actions/runner-groups/7/runners?per_page=1": {"total_count": 2},
    "/repos/acme/train/rules/branches/main": [
        {"type": "pull_request", "parameters": {"require_code_owner_review": True}},
        {"type": "required_status_checks", "parameters": {"required_status_checks": [{"context": "perf verdict"}]}},
        {"type": "deletion"}],
    "/repos/acme/train/rules/branches/pull-request%2F1": [{"type": "creation"}, {"type": "update"}],
}


class FakeGithub(check_runner.Github):
    def __init__(self, answers):
        self.answers = answers

    def read(self, path):
        if path not in self.answers:
            raise urllib.error.HTTPError(path, 404, "Not Found", {}, io.BytesIO())
        return self.answers[path]


class CheckRunner(unittest.TestCase):
    def setUp(self):
        self.checkout = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-runner-"))
        self.addCleanup(shutil.rmtree, self.checkout, True)
        self.workflows = self.checkout / ".github" / "workflows"
        self.workflows.mkdir(parents=True)
        for file in TEMPLATES.glob("[hp]*.yml"):
            (self.workflows / file.name).write_text(file.read_text().replace("OWNER/REPO/", "acme/train/"))
        (self.checkout / ".github" / "CODEOWNERS").write_text("/.github/ @acme/perf\n/ci/ @acme/perf\n/baselines/ @acme/perf\n")

    def check(self, **changed):
        """The lines and the status where these answers, named by the end of their address, are others."""
        answers = dict(SAFE)
        for end, answer in changed.items():
            [path] = [path for path in SAFE if path.split("?")[0].endswith(end.replace("__", "/").replace("_", "-"))]
            answers[path] = answer
            if answer is None:
                del answers[path]
        lines, status = check_runner.check(FakeGithub(answers), "acme/train", self.checkout)
        return "\n".join(lines), status

    def assert_bad(self, part, **changed):
        said, status = self.check(**changed)
        self.assertEqual((status, said.count("bad ")), (1, 1), said)
        self.assertIn(part, said)
        self.assertIn("remedy: ", said)

    def test_settings_that_keep_forks_out(self):
        said, status = self.check()
        self.assertEqual(status, 0, said)
        self.assertEqual(said.count("ok "), 7)

    def test_each_open_door_is_named_with_its_remedy(self):
        self.assert_bad("only for some: first_time_contributors", fork_pr_contributor_approval={"approval_policy": "first_time_contributors"})
        self.assert_bad("can name box", train__actions__runners={"runners": [{"name": "box"}]})
        for one, part in ((group(restricted_to_workflows=False), "every workflow file"), (group(selected_workflows=[]), "every workflow file"),
                          (group(selected_workflows=["acme/train/.github/workflows/perf_gpu.yml@refs/heads/pull-request/7"]), "pull-request/7"),
                          (group(selected_workflows=["acme/other/.github/workflows/perf_gpu.yml@main"]), "acme/other")):
            self.assert_bad(part, actions__runner_groups={"runner_groups": [one]})
        self.assert_bad('required check "perf verdict"', branches__main=SAFE["/repos/acme/train/rules/branches/main"][:1])
        self.assert_bad("code owners", branches__main=SAFE["/repos/acme/train/rules/branches/main"][1:])

    def test_names_of_others_stay_on_their_line(self):
        hostile = group(name="box\x1b[2J\nok          all", restricted_to_workflows=False)
        said, _ = self.check(actions__runner_groups={"runner_groups": [hostile]})
        self.assertIn("box\\x1b[2J\\nok", said)
        self.assertNotIn("\x1b", said)

    def test_branches_that_are_measured_are_for_maintainers(self):
        answers = {**SAFE, "/repos/acme/train/rules/branches/pull-request%2F1": [{"type": "update"}]}
        lines, status = check_runner.check(FakeGithub(answers), "acme/train", self.checkout)
        self.assertEqual(status, 1)
        self.assertIn("nothing restricts their creation", "\n".join(lines))

    def test_a_group_without_runners_and_a_commit_as_the_version_are_fine(self):
        sha = group(selected_workflows=[f"Acme/Train/.github/workflows/perf_gpu.yml@{'4' * 40}"])
        self.assertEqual(self.check(actions__runner_groups={"runner_groups": [sha]})[1], 0)
        unused = {"runner_groups": [group(restricted_to_workflows=False)]}
        self.assertEqual(self.check(actions__runner_groups=unused, **{"7__runners": {"total_count": 0}})[1], 0)

    def test_a_group_whose_runners_come_and_go_is_not_ok(self):
        unused = {"runner_groups": [group(restricted_to_workflows=False, allows_public_repositories=True)]}
        said, status = self.check(actions__runner_groups=unused, **{"7__runners": {"total_count": 0}})
        self.assertEqual(status, 3)
        self.assertIn("runners that come and go are not seen", said)

    def test_groups_of_all_pages_are_looked_at(self):
        first = "/orgs/acme/actions/runner-groups?per_page=100&visible_to_repository=train&page=1"
        answers = {**SAFE, first: {"runner_groups": [group()] * 100},
                   first[:-1] + "2": {"runner_groups": [group(name="late", restricted_to_workflows=False)]}}
        lines, status = check_runner.check(FakeGithub(answers), "acme/train", self.checkout)
        self.assertEqual(status, 1)
        self.assertIn("late takes jobs of every workflow file", "\n".join(lines))

    def test_a_private_repository_is_asked_about_its_forks(self):
        about = {**SAFE["/repos/acme/train"], "private": True}
        where = "/repos/acme/train/actions/permissions/fork-pr-workflows-private-repos"
        for runs, asks, status in ((True, False, 1), (True, True, 0), (False, False, 0)):
            answer = {"run_workflows_from_fork_pull_requests": runs, "require_approval_for_fork_pr_workflows": asks}
            answers = {**SAFE, "/repos/acme/train": about, where: answer}
            self.assertEqual(check_runner.check(FakeGithub(answers), "acme/train", self.checkout)[1], status)

    def test_a_public_repository_of_a_person_can_have_no_safe_runner(self):
        answers = {**SAFE, "/repos/acme/train": {**SAFE["/repos/acme/train"], "owner": {"type": "User"}},
                   "/repos/acme/train/actions/runners?per_page=100": {"runners": [{"name": "box"}]}}
        lines, status = check_runner.check(FakeGithub(answers), "acme/train", self.checkout)
        self.assertEqual(status, 1)
        self.assertIn("no safe runner", "\n".join(lines))

    def test_what_cannot_be_seen_is_never_ok(self):
        for path in SAFE:
            if path.endswith("/7/runners?per_page=1"):
                continue  # asked only about a group that is open
            answers = {key: value for key, value in SAFE.items() if key != path}
            lines, status = check_runner.check(FakeGithub(answers), "acme/train", self.checkout)
            self.assertEqual(status, 3, path)
            self.assertIn("cannot see", "\n".join(lines))
            self.assertEqual(check_runner.check(FakeGithub({**SAFE, path: {"x": []}}), "acme/train", self.checkout)[1], 3, path)

    def test_workflow_files_that_let_outsiders_in(self):
        for events in ("on: pull_request\n", "on: [push, pull_request_target]\n", "on:\n  issue_comment:\n", "on:\n  - workflow_run\n",
                       "on:\n- pull_request\n", "on:\n  [push,\n   pull_request]\n", "on:\n\n  pull_request: {branches: [main]}\n",
                       "on:\n  push:\n  \"pull_request\": # of forks\n", "'on': {pull_request: {}}\n"):
            for runner in ("[self-hosted, gpu]", "gpu", "\n      group: mine", "${{ matrix.where }} \n    strategy: self-hosted"):
                with self.subTest(events=events, runner=runner):
                    (self.workflows / "x.yml").write_text(f"{events}jobs:\n  a:\n    runs-on: {runner}\n")
                    self.assert_bad("x.yml has a job for the runner")
        for text in ("on: pull_request\njobs:\n  a:\n    runs-on: ubuntu-24.04 # no gpu\n",
                     "on: pull_request\njobs:\n  a:\n    runs-on: ${{ matrix.system }}\n",
                     "on: push # no pull_request\npermissions:\n  issues: read\njobs:\n  a:\n    runs-on: gpu\n"):
            (self.workflows / "x.yml").write_text(text)
            self.assertEqual(self.check()[1], 0, text)
        (self.workflows / "x.yml").unlink()
        shutil.copy(TEMPLATES / "perf.yml", self.workflows / "perf.yml")
        self.assert_bad("perf.yml still names OWNER/REPO")

    def test_a_file_that_a_fork_can_call_asks_for_the_event(self):
        called = self.workflows / "perf_gpu.yml"
        called.write_text(called.read_text().replace("github.event_name", "github.actor"))
        self.assert_bad("perf_gpu.yml has a job for the runner [self-hosted, linux, gpu, h200-16c]")

    def test_a_folder_without_workflow_files_is_no_checkout(self):
        shutil.rmtree(self.workflows)
        self.assert_bad("there are none")

    def test_files_without_owners(self):
        (self.checkout / ".github" / "CODEOWNERS").write_text("# /ci/ @acme\n/.github/ @acme\n/baselines/\n")
        self.assert_bad("/ci/, /baselines/ have none")


if __name__ == "__main__":
    unittest.main()
