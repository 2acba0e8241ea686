"""check_runner.py names each setting with which unreviewed code could reach a runner."""

import email.message
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
TEMPLATES = SOURCE / "ci" / "workflows" / "github"
FILES = ("perf_gpu.yml", "perf_nodes_gpu.yml", "history.yml")
BOUND = [f"acme/train/.github/workflows/{name}@refs/heads/main" for name in FILES]


sys.path.insert(0, str(SOURCE / "ci" / "workflows"))
import check_runner  # noqa: E402


def group(**values):
    return {"id": 7, "name": "gpu", "visibility": "selected", "allows_public_repositories": True, "restricted_to_workflows": True,
            "selected_workflows": BOUND, **values}


def runner(*labels, **values):
    names = labels or ("self-hosted", "Linux", "X64", "gpu", "H200-16c")
    return {"name": "box", "status": "online", "labels": [{"name": name} for name in names], **values}


def pull_request(**values):
    return {"type": "pull_request", "parameters": {"require_code_owner_review": True, "required_approving_review_count": 1,
                                                   "dismiss_stale_reviews_on_push": True, "require_last_push_approval": False, **values}}


def refusal(code, message="", **headers):
    told = email.message.Message()
    for name, value in headers.items():
        told[name.replace("_", "-")] = value
    return urllib.error.HTTPError("", code, "Refused", told, io.BytesIO(json.dumps({"message": message}).encode()))


REPOSITORY = "/repos/acme/train"
RULES = [pull_request(), {"type": "required_status_checks", "parameters": {"required_status_checks": [{"context": "perf verdict"}]}},
         {"type": "deletion"}]
GROUPS = "/orgs/acme/actions/runner-groups?visible_to_repository=train&per_page=100&page="
SAFE = {
    REPOSITORY: {"private": False, "default_branch": "main", "owner": {"type": "Organization"}, "full_name": "acme/train"},
    f"{REPOSITORY}/codeowners/errors": {"errors": []},
    f"{REPOSITORY}/actions/permissions/fork-pr-contributor-approval": {"approval_policy": "all_external_contributors"},
    f"{REPOSITORY}/actions/runners?per_page=100&page=1": {"runners": []},
    f"{GROUPS}1": {"runner_groups": [group()]},
    "/orgs/acme/actions/runner-groups/7/runners?per_page=100&page=1": {"runners": [runner()]},
    f"{REPOSITORY}/rules/branches/main": RULES,
    f"{REPOSITORY}/rules/branches/pull-request%2F1": [{"type": "creation"}, {"type": "update"}],
    f"{REPOSITORY}/rules/branches/pull-request%2F1%2Fx": [{"type": "creation"}, {"type": "update"}],
}


class FakeGithub(check_runner.Github):
    def __init__(self, answers):
        self.answers = answers

    def read(self, path):
        if path not in self.answers:
            raise refusal(404, "Not Found")
        if isinstance(self.answers[path], Exception):
            raise self.answers[path]
        return self.answers[path]


class CheckRunner(unittest.TestCase):
    def setUp(self):
        self.checkout = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-runner-"))
        self.addCleanup(shutil.rmtree, self.checkout, True)
        self.workflows = self.checkout / ".github" / "workflows"
        self.workflows.mkdir(parents=True)
        for file in TEMPLATES.glob("[hp]*.yml"):
            (self.workflows / file.name).write_text(file.read_text().replace("OWNER/REPO", "acme/train"))
        (self.checkout / ".github" / "CODEOWNERS").write_text("/.github/ @acme/perf\n/ci/ @acme/perf\n/baselines/ @acme/perf\n")

    def check_of(self, answers):
        """The lines and the status for these answers, by their addresses."""
        lines, status = check_runner.check(FakeGithub({**SAFE, **answers}), "acme/train", self.checkout)
        return "\n".join(lines), status

    def check(self, **changed):
        """The same where the answers, named by the end of their address, are others."""
        answers = {}
        for end, answer in changed.items():
            [path] = [path for path in SAFE if path.split("?")[0].endswith(end.replace("__", "/").replace("_", "-"))]
            answers[path] = answer
        return self.check_of(answers)

    def assert_bad(self, part, **changed):
        said, status = self.check(**changed)
        self.assertEqual((status, said.count("bad ")), (1, 1), said)
        self.assertIn(part, said)
        self.assertIn("remedy: ", said)

    def assert_unseen(self, part, **changed):
        said, status = self.check(**changed)
        self.assertEqual((status, said.count("cannot see ")), (3, 1), said)
        self.assertIn(part, said)

    def edit(self, name, old, new):
        file = self.workflows / name
        self.assertIn(old, file.read_text())
        file.write_text(file.read_text().replace(old, new))

    def test_settings_that_keep_forks_out(self):
        said, status = self.check()
        self.assertEqual(status, 0, said)
        self.assertEqual(said.count("ok "), 10)

    def test_each_open_door_is_named_with_its_remedy(self):
        self.assert_bad("only for some: first_time_contributors", fork_pr_contributor_approval={"approval_policy": "first_time_contributors"})
        self.assert_bad("can name box", train__actions__runners={"runners": [runner()]})
        for one, part in ((group(restricted_to_workflows=False), "every workflow file"),
                          (group(selected_workflows=[*BOUND, "acme/train/.github/workflows/perf_gpu.yml@refs/heads/pull-request/7"]), "pull-request/7"),
                          (group(selected_workflows=[*BOUND, "acme/train/.github/workflows/../perf_gpu.yml@main"]), "takes acme/train/.github"),
                          (group(selected_workflows=[*BOUND, "acme/other/.github/workflows/perf_gpu.yml@main"]), "acme/other"),
                          (group(visibility="all"), "gpu is open to all repositories of the organization"),
                          (group(visibility="private"), "gpu is open to private repositories")):
            self.assert_bad(part, actions__runner_groups={"runner_groups": [one]})
        said, status = self.check(actions__runner_groups={"runner_groups": [group(selected_workflows=[])]})
        self.assertIn("every workflow file", said)
        self.assertEqual(status, 1)

    def test_main_asks_for_the_check_and_for_a_review_of_the_last_commit(self):
        self.assert_bad('required check "perf verdict"', branches__main=RULES[:1])
        self.assert_bad("nor for a review by code owners", branches__main=RULES[1:])
        for values, part in (({"required_approving_review_count": 0}, "no rule asks for an approval"),
                             ({"require_code_owner_review": False}, "no rule asks for a review by code owners"),
                             ({"dismiss_stale_reviews_on_push": False}, "no rule asks for a new review after a new commit")):
            self.assert_bad(part, branches__main=[pull_request(**values), *RULES[1:]])
        last_push = pull_request(dismiss_stale_reviews_on_push=False, require_last_push_approval=True)
        self.assertEqual(self.check(branches__main=[last_push, *RULES[1:]])[1], 0)
        # Two rulesets may ask for it together.
        self.assertEqual(self.check(branches__main=[pull_request(required_approving_review_count=0), *RULES])[1], 0)

    def test_owners_that_github_does_not_know(self):
        self.assert_bad("line 2: Unknown owner", codeowners__errors={"errors": [{"line": 2, "kind": "Unknown owner", "path": "x"}]})
        self.assert_unseen("GitHub finds no CODEOWNERS", codeowners__errors=refusal(404, "Not Found"))

    def test_names_of_others_stay_on_their_line(self):
        hostile = group(name="box\x1b[2J\nok          all", restricted_to_workflows=False)
        said, _ = self.check(actions__runner_groups={"runner_groups": [hostile]})
        self.assertIn("box\\x1b[2J\\nok", said)
        self.assertNotIn("\x1b", said)

    def test_branches_that_are_measured_are_for_maintainers_at_any_depth(self):
        self.assert_bad("nothing restricts creation of pull-request/1", **{"pull-request%2F1": [{"type": "update"}]})
        self.assert_bad("nothing restricts creation and update of pull-request/1/x", **{"pull-request%2F1%2Fx": [{"type": "deletion"}]})

    def test_a_commit_as_the_version_is_one_of_main(self):
        sha = group(selected_workflows=[f"Acme/Train/.github/workflows/{name}@{'4' * 40}" for name in FILES])
        where = f"{REPOSITORY}/compare/{'4' * 40}...main?per_page=1"
        for answer, status in (("ahead", 0), ("identical", 0), ("diverged", 1), ("behind", 1)):
            said = self.check_of({f"{GROUPS}1": {"runner_groups": [sha]}, where: {"status": answer}})
            self.assertEqual(said[1], status, said[0])
        self.assertIn("GitHub does not know it", self.check_of({f"{GROUPS}1": {"runner_groups": [sha]}})[0])

    def test_a_group_that_is_not_for_this_repository_decides_nothing(self):
        other = group(id=8, name="private", restricted_to_workflows=False, allows_public_repositories=False)
        self.assertEqual(self.check(actions__runner_groups={"runner_groups": [group(), other]})[1], 0)

    def test_a_group_whose_runners_come_and_go_is_not_ok(self):
        unused = group(id=8, name="late", restricted_to_workflows=False)
        answers = {f"{GROUPS}1": {"runner_groups": [group(), unused]},
                   "/orgs/acme/actions/runner-groups/8/runners?per_page=100&page=1": {"runners": []}}
        said, status = self.check_of(answers)
        self.assertEqual(status, 3, said)
        self.assertIn("late takes jobs of every workflow file, and has no runner now", said)

    def test_groups_of_all_pages_are_looked_at(self):
        late = group(name="late", restricted_to_workflows=False)
        said, status = self.check_of({f"{GROUPS}1": {"runner_groups": [group()] * 100}, f"{GROUPS}2": {"runner_groups": [late]}})
        self.assertEqual(status, 1)
        self.assertIn("late takes jobs of every workflow file", said)

    def test_a_job_that_no_group_takes_waits(self):
        for groups in ([], [group(allows_public_repositories=False)]):
            self.assert_bad("no group of runners that this repository can use takes perf_gpu.yml", actions__runner_groups={"runner_groups": groups})
        mistyped = [name.replace("perf_gpu", "perf-gpu") for name in BOUND]
        self.assert_bad("takes perf_gpu.yml", actions__runner_groups={"runner_groups": [group(selected_workflows=mistyped)]})
        self.assert_bad("takes history.yml", actions__runner_groups={"runner_groups": [group(selected_workflows=BOUND[:2])]})

    def test_a_job_without_a_runner_waits(self):
        self.assert_bad("no runner that takes perf_gpu.yml has the labels gpu, h200-16c, linux, self-hosted",
                        **{"7__runners": {"runners": [runner("self-hosted", "Linux", "gpu")]}})
        self.assert_bad("box is offline", **{"7__runners": {"runners": [runner(status="offline")]}})
        self.assertEqual(self.check(**{"7__runners": {"runners": [runner(status="offline"), runner()]}})[1], 0)
        self.assert_unseen("gpu has no runner now, and runners that come and go are not seen", **{"7__runners": {"runners": []}})
        self.edit("perf_gpu.yml", "gpu, h200-16c]", "gpu, h20016c]")
        self.assert_bad("has the labels gpu, h20016c")

    def test_a_private_repository_is_asked_about_its_forks(self):
        about = {**SAFE["/repos/acme/train"], "private": True}
        where = "/repos/acme/train/actions/permissions/fork-pr-workflows-private-repos"
        for runs, asks, status in ((True, False, 1), (True, True, 0), (False, False, 0)):
            answer = {"run_workflows_from_fork_pull_requests": runs, "require_approval_for_fork_pr_workflows": asks}
            self.assertEqual(self.check_of({REPOSITORY: about, where: answer})[1], status)

    def test_a_public_repository_of_a_person_can_have_no_safe_runner(self):
        said, status = self.check_of({REPOSITORY: {**SAFE[REPOSITORY], "owner": {"type": "User"}},
                                      f"{REPOSITORY}/actions/runners?per_page=100&page=1": {"runners": [runner()]}})
        self.assertEqual(status, 1)
        self.assertIn("no safe runner", said)

    def test_what_cannot_be_seen_is_never_ok(self):
        for path in SAFE:
            said, status = self.check_of({path: refusal(404, "Not Found")})
            self.assertEqual(status, 3, path)
            self.assertIn("cannot see", said)
            said, status = self.check_of({path: {"x": []}})
            self.assertEqual(status, 3, path)
            self.assertIn("not of the expected form", said)

    def test_a_refusal_is_told_by_its_reason(self):
        everything = {path: refusal(401, "Bad credentials") for path in SAFE}
        said, status = self.check_of(everything)
        self.assertEqual((status, said.count("cannot see")), (3, 1), said)
        self.assertIn("the token: it is wrong or has expired", said)
        self.assert_unseen("there is no acme/train, or the token is not for it", repos__acme__train=refusal(404, "Not Found"))
        for limit in (refusal(403, "", X_RateLimit_Remaining="0"), refusal(403, "", Retry_After="60"), refusal(429),
                      refusal(403, "You have exceeded a secondary rate limit")):
            self.assert_unseen("rate limit is reached", branches__main=limit)
        said = "Resource not accessible by personal access token"
        self.assert_unseen(f"403 ({said}) for /orgs/acme/actions/runner-groups/7/runners?per_page=100&page=1: the token needs the "
                           "organization's Self-hosted runners (read)", **{"7__runners": refusal(403, said, X_RateLimit_Remaining="4999")})

    def test_a_token_that_is_none_stops_at_once_and_is_not_shown(self):
        for token, part in ((None, "GITHUB_TOKEN is not set: docs/public_repository.md, step 7"), (" \n", "GITHUB_TOKEN is not set"),
                            ("gh\nsecret", "holds characters that no token has"), ("gh\x1bsecret", "holds characters"),
                            ("gh secret", "holds characters"), ("ghsecrét", "holds characters")):
            environment = {"PATH": os.environ["PATH"], "GITHUB_API_URL": "http://127.0.0.1:1", **({"GITHUB_TOKEN": token} if token else {})}
            done = subprocess.run([sys.executable, check_runner.__file__, "acme/train"], env=environment, cwd=self.checkout, text=True,
                                  capture_output=True)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(part, done.stderr)
            self.assertNotIn("secr", done.stdout + done.stderr)
        self.assertEqual(check_runner.Github({"GITHUB_TOKEN": "github_pat_1.a-b\r\n"}).token, "github_pat_1.a-b")

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

    def test_files_that_name_no_repository_or_another_one(self):
        for name in ("perf.yml", "perf_gpu.yml"):
            self.edit(name, "acme/train", "OWNER/REPO")
            self.assert_bad(f"{name} still names OWNER/REPO")
            self.edit(name, "OWNER/REPO", "acme/train")
        own = "acme/train/.github/workflows/perf_gpu.yml@main"
        for other in ("acme/other/.github/workflows/perf_gpu.yml@main", "./.github/workflows/perf_gpu.yml",
                      "acme/train/.github/workflows/perf_gpu.yml@develop", "acme/train/.github/workflows/perf_gpu.yml@main2"):
            self.edit("perf.yml", own, other)
            self.assert_bad(f"perf.yml calls {other.rstrip('@')}")
            self.edit("perf.yml", other, own)
        self.edit("perf_gpu.yml", "REPOSITORY: acme/train", "REPOSITORY: Acme/train")
        self.assert_bad("perf_gpu.yml lets in Acme/train alone (capitals count)")

    def test_a_file_that_a_fork_can_call_asks_the_step_of_the_template(self):
        """Each edit lets something in that no maintainer has seen, or may: the words of the template are compared."""
        for old, new in (("    if: ${{ !cancelled() && needs.consent.outputs.reviewed == 'yes' }}\n", ""),
                         ("needs.consent.outputs.reviewed == 'yes' }}", "needs.consent.outputs.reviewed == 'yes' || true }}"),
                         ("needs.consent.outputs.reviewed == 'yes' }}", "needs.consent.result == 'success' }}"),
                         ("needs.consent.outputs.reviewed == 'yes' }}", "github.event_name != 'pull_request' }}"),
                         ("pull-request/[1-9][0-9]*", "pull-request/.*"), ("LC_ALL=C", "shopt -s nocasematch"),
                         ("reviewed: ${{ steps.reviewed.outputs.reviewed }}", "reviewed: ${{ 'yes' }}"),
                         ('"$REPOSITORY "(', ".*("), ("            echo \"not measured", "            echo reviewed=yes >> \"$GITHUB_OUTPUT\"; echo \"")):
            with self.subTest(old=old, new=new):
                before = (self.workflows / "perf_gpu.yml").read_text()
                self.edit("perf_gpu.yml", old, new)
                self.assert_bad("perf_gpu.yml has a job for the runner [self-hosted, linux, gpu, h200-16c]")
                (self.workflows / "perf_gpu.yml").write_text(before)
        self.edit("perf_gpu.yml", "refs/heads/(main|", "refs/heads/(trunk|")
        self.edit("perf_gpu.yml", "gh-readonly-queue/main/", "gh-readonly-queue/trunk/")
        self.assertEqual(self.check()[1], 0)

    def test_a_folder_without_workflow_files_is_no_checkout(self):
        shutil.rmtree(self.workflows)
        self.assert_bad("there are none")

    def test_what_is_no_file_is_no_workflow_file(self):
        (self.workflows / "folder.yml").mkdir()
        (self.workflows / "gone.yml").symlink_to(self.checkout / "nowhere")
        (self.workflows / "zeros.yml").symlink_to("/dev/zero")
        said, status = self.check()
        self.assertEqual(status, 0, said)

    def test_files_without_owners(self):
        file = self.checkout / ".github" / "CODEOWNERS"
        good = file.read_text()
        for text, part in (("# /ci/ @acme\n/.github/ @acme\n/baselines/\n", "/ci/, /baselines/ have none"),
                           (f"{good}/.github/workflows/\n", "/.github/ have none"), (f"{good}* # nobody\n", "/.github/, /ci/, /baselines/ have"),
                           (good.replace("@acme", "@your-org"), "@your-org/perf is the name of the example"),
                           (f"{good}/docs/ @your-org/perf\n", "@your-org/perf is the name of the example")):
            file.write_text(text)
            self.assert_bad(part)
        for text in ("* @acme/perf\n", f"{good}/docs/\n", good.replace("/ci/ ", "/ci/** ")):
            file.write_text(text)
            self.assertEqual(self.check()[1], 0, text)


if __name__ == "__main__":
    unittest.main()
