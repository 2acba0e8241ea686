"""The templates let only what a maintainer pushed, queued or started reach a GPU runner. Their step "reviewed" is run here, on the
shell that GitHub takes for it, for each way in which a job of theirs can start."""

import os
import pathlib
import re
import subprocess
import tempfile
import textwrap
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
# Each file with a job of a GPU runner that others can call, and the job that decides.
DECIDES = {"perf_gpu": "consent", "perf_nodes_gpu": "settings"}
OWN = "Acme/train.er"
QUEUED = "pr-9-" + "4" * 40

LET_IN = [(OWN, "push", "refs/heads/main"), (OWN, "workflow_dispatch", "refs/heads/main"),
          (OWN, "push", "refs/heads/pull-request/9"), (OWN, "workflow_dispatch", "refs/heads/pull-request/1234"),
          (OWN, "merge_group", f"refs/heads/gh-readonly-queue/main/{QUEUED}")]
KEPT_OUT = [
    # Expressions of GitHub ignore case, and rulesets do not: nobody protects these.
    (OWN, "push", "refs/heads/MAIN"), (OWN, "push", "refs/heads/Pull-Request/9"), (OWN, "workflow_dispatch", "refs/heads/Main"),
    (OWN, "PUSH", "refs/heads/main"),
    # A ruleset for pull-request/* does not reach deeper names.
    (OWN, "push", "refs/heads/pull-request/9/x"), (OWN, "push", "refs/heads/pull-request/evil/9"),
    *[(OWN, "push", f"refs/heads/pull-request/{number}") for number in ("", "9x", "x9", "0", "09", "9\n", "9 ", "٣")],
    (OWN, "push", "refs/heads/xpull-request/9"), (OWN, "push", "refs/heads/main/x"), (OWN, "push", "refs/heads/maint"),
    (OWN, "push", "refs/heads/x/refs/heads/main"), (OWN, "push", "refs/heads/feature"), (OWN, "push", ""),
    (OWN, "push", "refs/tags/main"), (OWN, "push", "refs/tags/pull-request/9"),
    # What the base branch of these is says nothing about who wrote the code.
    (OWN, "pull_request", "refs/pull/9/merge"), (OWN, "pull_request", "refs/heads/main"),
    (OWN, "pull_request_target", "refs/heads/main"), (OWN, "issue_comment", "refs/heads/main"),
    (OWN, "workflow_run", "refs/heads/main"), (OWN, "schedule", "refs/heads/main"), (OWN, "", "refs/heads/main"),
    # The queue of another branch, whose rules may ask for nothing; and a branch that is only called like a queue.
    *[(OWN, "merge_group", f"refs/heads/gh-readonly-queue/{branch}/{QUEUED}") for branch in ("dev", "main/x", "Main")],
    (OWN, "merge_group", "refs/heads/main"),
    (OWN, "push", f"refs/heads/gh-readonly-queue/main/{QUEUED}"),
    # Another repository may call the file from its own main.
    ("acme/other", "push", "refs/heads/main"), ("evil/Acme/train.er", "push", "refs/heads/main"),
    ("Acme/trainxer", "push", "refs/heads/main"), ("", "push", "refs/heads/main"),
]


def step_of(name):
    """The environment and the script of the step in the template, with the repository set as docs/public_repository.md says."""
    text = (SOURCE / "ci" / "workflows" / "github" / f"{name}.yml").read_text().replace("OWNER/REPO", OWN)
    found = re.search(r"^      - id: reviewed\n        shell: bash\n        env:\n          REPOSITORY: (\S+) #.*\n"
                      r"        run: \|\n((?: {10}.*\n)+)", text, re.M)
    if not found:
        raise AssertionError(f"{name} has no step that decides: an expression of GitHub takes MAIN for main")
    return {"REPOSITORY": found.group(1)}, textwrap.dedent(found.group(2))


class ReviewedRefs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="stepgate-reviewed-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def output_of(self, name, repository, event, ref):
        """What the step hands to the job of the runner, and what it prints."""
        environment, script = step_of(name)
        (self.folder / "step.sh").write_text(script)
        output = self.folder / "output"
        output.write_text("")
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "GITHUB_OUTPUT": str(output), "GITHUB_REPOSITORY": repository,
                       "GITHUB_EVENT_NAME": event, "GITHUB_REF": ref, **environment}
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", self.folder / "step.sh"], env=environment,
                              text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return output.read_text(), done.stdout

    def test_what_a_maintainer_let_in(self):
        for name in DECIDES:
            for place in LET_IN:
                with self.subTest(name=name, place=place):
                    self.assertEqual(self.output_of(name, *place), ("reviewed=yes\n", ""))

    def test_everything_else_is_kept_out_and_told(self):
        for name in DECIDES:
            for place in KEPT_OUT:
                with self.subTest(name=name, place=place):
                    output, said = self.output_of(name, *place)
                    self.assertEqual(output, "")
                    self.assertIn(f"not measured: \"{' '.join(place)}\"", said)

    def test_nothing_runs_before_the_repository_is_set(self):
        for name in DECIDES:
            environment, script = step_of(name)
            self.assertNotIn(OWN, script)
            self.assertEqual(environment, {"REPOSITORY": OWN})

    def test_the_job_that_decides_hands_on_what_the_step_says(self):
        """It runs on a machine of GitHub's, and nothing of the commit stands before the step."""
        for name, job in DECIDES.items():
            text = (SOURCE / "ci" / "workflows" / "github" / f"{name}.yml").read_text()
            part = re.search(rf"^  {job}:\n((?:    .*\n|\n)+)", text, re.M).group(1)
            self.assertIn("\n    runs-on: ubuntu-24.04\n", f"\n{part}")
            self.assertIn("      reviewed: ${{ steps.reviewed.outputs.reviewed }}\n", part)
            self.assertRegex(part, r"    steps:\n(      #.*\n)*      - id: reviewed\n")
            self.assertEqual(text.count("outputs.reviewed == 'yes'"), 1)

    def test_both_files_decide_alike(self):
        self.assertEqual(*[step_of(name) for name in DECIDES])


if __name__ == "__main__":
    unittest.main()
