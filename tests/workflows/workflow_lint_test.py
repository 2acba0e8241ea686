"""The workflow templates pass offline linters, and keep rules that no linter checks."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
FOLDER = SOURCE / "ci" / "workflows"
GITHUB = {name: FOLDER / "github" / f"{name}.yml"
          for name in ("perf", "perf_gpu", "perf_comment", "history", "perf_nodes", "perf_nodes_gpu")}
GITLAB = FOLDER / "gitlab" / "stepgate.gitlab-ci.yml"
# The files that are called as they are on main, each with the file that calls it.
CALLED = {"perf_gpu": "perf", "perf_nodes_gpu": "perf_nodes"}
# What the first job of a GPU runner asks. reviewed_refs_test.py runs the step that answers.
REVIEWED = {"perf_gpu": "    needs: consent\n    if: ${{ !cancelled() && needs.consent.outputs.reviewed == 'yes' }}\n",
            "perf_nodes_gpu": "    needs: settings\n    if: ${{ needs.settings.outputs.reviewed == 'yes' }}\n"}
# Templates with a job for a branch protection, and the verdict that it reads in the artefact.
REQUIRED = {"perf": "verdict.json", "perf_nodes": "ab/verdict.json"}
OF_A_NEW_PROJECT = SOURCE / "templates" / "project" / "both" / ".github" / "workflows" / "perf.yml"
MISSING = 77


def linters():
    """The folder of the linters that ci/setup installed."""
    script = f". '{SOURCE}/ci/paths.sh'; printf %s \"$stepgate_linters\""
    return pathlib.Path(subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout)


LINTERS = linters()


def lint(*words):
    environment = {**os.environ, "PYTHONPATH": str(LINTERS)}
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, env=environment)


def zizmor(*files):
    return lint(LINTERS / "bin" / "zizmor", "--offline", "--no-progress", "--config", FOLDER / "github" / "zizmor.yml",
                *files)


def schema(name, *files):
    return lint(sys.executable, "-m", "check_jsonschema", "--builtin-schema", name, *files)


def events_of(text):
    return re.findall(r"^  (\w+):", re.search(r"^on:\n((?:  .*\n)+)", text, re.M).group(1), re.M)


def jobs_of(text):
    """The text of each job by its name."""
    parts = re.split(r"^  (\w+):\n", text.split("\njobs:\n")[1], flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


class Linters(unittest.TestCase):
    def assert_clean(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_zizmor_finds_nothing(self):
        done = zizmor(*GITHUB.values())
        self.assert_clean(done)
        self.assertNotIn("failed to parse", done.stderr)

    def test_the_templates_match_the_schemas_of_github_and_gitlab(self):
        self.assert_clean(schema("vendor.github-workflows", *GITHUB.values()))
        self.assert_clean(schema("vendor.gitlab-ci", *sorted((FOLDER / "gitlab").glob("*.gitlab-ci.yml"))))

    def test_the_workflow_that_init_writes_is_clean(self):
        self.assert_clean(zizmor(OF_A_NEW_PROJECT))
        self.assert_clean(schema("vendor.github-workflows", OF_A_NEW_PROJECT))

    def test_the_linters_find_injected_faults(self):
        bad = GITHUB["perf_gpu"].read_text().replace('run: ci/setup && ci/build', 'run: echo ${{ github.head_ref }}')
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / "perf.yml"
            place.write_text(bad)
            self.assertNotEqual(zizmor(place).returncode, 0)
            place.write_text(re.sub(r"@[0-9a-f]{40} #.*", "@v4", GITHUB["perf"].read_text()))
            self.assertNotEqual(zizmor(place).returncode, 0)
            place.write_text(bad.replace("runs-on:", "runs_on:"))
            self.assertNotEqual(schema("vendor.github-workflows", place).returncode, 0)


class Rules(unittest.TestCase):
    def test_no_event_of_a_fork_starts_the_gpu_runner(self):
        self.assertEqual(events_of(GITHUB["perf"].read_text()), ["push", "merge_group", "workflow_dispatch"])
        self.assertEqual(events_of(GITHUB["perf_nodes"].read_text()), ["push", "merge_group", "workflow_dispatch"])

    def test_only_files_that_are_called_as_on_main_name_the_gpu_runner(self):
        """So the runner's group can be bound to them, and a workflow file of a fork reaches no runner."""
        for name, file in GITHUB.items():
            text = file.read_text()
            if "self-hosted" in text:
                self.assertIn(events_of(text), (["workflow_call"], ["schedule", "workflow_dispatch"]), name)
        for name, caller in CALLED.items():
            self.assertIn(f"uses: OWNER/REPO/.github/workflows/{name}.yml@main # zizmor: ignore[unpinned-uses] # REPOSITORY\n",
                          GITHUB[caller].read_text())

    def test_a_called_file_refuses_what_no_maintainer_let_in(self):
        """A workflow file of a fork can call it too, with the event pull_request."""
        for name in CALLED:
            jobs = jobs_of(GITHUB[name].read_text())
            on_runner = {job: text for job, text in jobs.items() if "self-hosted" in text}
            [first, *others] = on_runner.items()
            self.assertIn(REVIEWED[name], re.sub(r"    #.*\n", "", first[1]), name)
            self.assertEqual(first[1].count("\n    if:"), 1)
            for job, text in others:
                self.assertRegex(text, rf"needs: (\[{first[0]}, \w+\]|{first[0]})", job)
                self.assertIn(f"needs.{first[0]}.result == 'success'", text, job)
            for job, text in jobs.items():
                self.assertTrue(job in on_runner or "ci/setup" not in text, job)

    def test_what_may_be_skipped_is_no_output_of_a_job_that_runs_the_commit(self):
        for name, job in (("perf_gpu", "consent"), ("perf_nodes_gpu", "settings")):
            text = GITHUB[name].read_text()
            self.assertIn(f"value: ${{{{ jobs.{job}.outputs.may_skip }}}}\n", text)
            self.assertNotIn("self-hosted", jobs_of(text)[job])
            self.assertEqual(text.count("may_skip: ${{ env.STEPGATE_MAY_SKIP }}"), 1)

    def test_the_merge_queue_is_judged_and_newer_pushes_replace_older_ones(self):
        for name, place in (("perf_gpu", "    concurrency:\n      group: perf-"), ("perf_nodes", "\nconcurrency:\n  group: perf-nodes-")):
            text = GITHUB[name].read_text()
            self.assertIn(place, text)
            self.assertIn("cancel-in-progress: ${{ startsWith(github.ref, 'refs/heads/pull-request/') }}", text)
        for name in CALLED:
            self.assertIn("AGAINST: ${{ github.event.merge_group.base_sha || 'origin/main' }}", GITHUB[name].read_text())

    def test_no_step_hides_why_it_failed(self):
        for file in [*GITHUB.values(), *(FOLDER / "gitlab").glob("*.yml"), OF_A_NEW_PROJECT]:
            self.assertNotRegex(file.read_text(), r"\|\| (true|:)\b", file)

    def test_each_command_of_a_step_has_a_line_of_its_own(self):
        """`bash -e` goes on where the first command of `a && b` fails, and a later line then decides."""
        for file in GITHUB.values():
            for block in re.findall(r"run: \|\n((?: {10}.*\n|\n)+)", file.read_text()):
                self.assertNotRegex(block, r"(?m)^ *(?! |if |\[ |#)[^#\n]* && ", file)

    def test_no_workflow_has_permissions_by_default(self):
        for file in GITHUB.values():
            self.assertIn("\npermissions: {}\n", file.read_text(), file)

    def test_a_required_job_always_runs_and_reads_the_verdict(self):
        for name, verdict in REQUIRED.items():
            job = jobs_of(GITHUB[name].read_text())["verdict"]
            self.assertIn("if: ${{ always() }}", job)
            self.assertIn(f'require_green.py "$RUNNER_TEMP/stepgate-results/{verdict}" --commit "$GITHUB_SHA" '
                          '--may-skip "$STEPGATE_MAY_SKIP"', job)
            self.assertNotIn("continue-on-error: true\n      - run", job)

    def test_a_required_job_takes_nothing_from_the_commit_under_test(self):
        for name in REQUIRED:
            job = jobs_of(GITHUB[name].read_text())["verdict"]
            self.assertIn("ref: ${{ github.event.repository.default_branch }}\n", job)
            self.assertEqual(re.findall(r"path: (.*)", job), ["${{ runner.temp }}/stepgate-results"])
            self.assertEqual(len(re.findall(r"- (?:uses|run|name)", job)), 3)

    def test_consent_comes_from_the_label_and_from_nothing_of_the_commit(self):
        text = GITHUB["perf_gpu"].read_text()
        job = jobs_of(text)["consent"]
        self.assertIn("ref: ${{ github.event.repository.default_branch }}\n", job)
        self.assertEqual(re.findall(r"(?:- run|  run): (.*)", job),
                         ["|", 'python3 ci/workflows/read_consent.py --label "loosening allowed" >> "$GITHUB_OUTPUT"'])
        # Both the gate and the required job are told; the required job refuses a verdict that names somebody else.
        self.assertIn("STEPGATE_ALLOW_LOOSENING: ${{ needs.consent.outputs.allowed_by }}\n", text)
        text = GITHUB["perf"].read_text()
        self.assertIn("ALLOWED_BY: ${{ needs.gpu.outputs.allowed_by }}\n", text)
        self.assertRegex(text, r'require_green\.py .* --allow-loosening "\$ALLOWED_BY"\n')
        gitlab = GITLAB.read_text()
        self.assertEqual(gitlab.count("before_script: *consent\n"), 2)
        self.assertIn('--allow-loosening "$STEPGATE_ALLOW_LOOSENING"', gitlab)

    def test_a_merge_request_on_gitlab_is_measured_from_a_protected_branch_only(self):
        """Any developer can push another one, and a rule for merge requests alone would run it unread."""
        job = GITLAB.read_text().split("\nperf:\n")[1].split("\nperf verdict:\n")[0]
        self.assertEqual(re.findall(r"- if: (.*)\n(?!      when: never)", job), [
            '$CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_BRANCH_PROTECTED == "true"',
            "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH"])

    def test_on_gitlab_too(self):
        job = GITLAB.read_text().split("\nperf verdict:\n")[1]
        self.assertIn("GIT_STRATEGY: empty", job)
        self.assertIn("/${CI_MERGE_REQUEST_PROJECT_PATH:-$CI_PROJECT_PATH}.git", job)
        self.assertNotRegex(job, r"git [^\n]*(CI_REPOSITORY_URL|CI_DEFAULT_BRANCH)")
        self.assertIn("python3 default-branch/ci/workflows/require_green.py", job)
        self.assertIn('--may-skip "$STEPGATE_MAY_SKIP"', job)

    def test_what_may_be_skipped_is_said_once_for_the_gate_and_for_the_required_job(self):
        manifest = (SOURCE / "perftests" / "CMakeLists.txt").read_text()
        for file in [*(GITHUB[name] for name in CALLED), GITLAB]:
            [names] = re.findall(r"^  STEPGATE_MAY_SKIP: (\S+) #", file.read_text(), re.M)
            for name in names.split(","):
                self.assertRegex(manifest, rf"\b{name}\b", file)

    def test_every_action_is_pinned_by_commit_and_names_its_release(self):
        for name, file in GITHUB.items():
            used = re.findall(r"uses: (?!OWNER/REPO/)(.*)", file.read_text())
            self.assertTrue(used, name)
            for line in used:
                self.assertRegex(line, r"^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")

    def test_removed_cases_are_shown(self):
        self.assertIn("baseline lint --build build/release --baseline-dir default-branch/baselines", GITHUB["perf_gpu"].read_text())

    def test_the_history_is_checked_by_night_and_blocks_no_pull_request(self):
        self.assertEqual(events_of(GITHUB["history"].read_text()), ["schedule", "workflow_dispatch"])
        gitlab = (FOLDER / "gitlab" / "history.gitlab-ci.yml").read_text()
        self.assertEqual(re.findall(r"- if: .*CI_PIPELINE_SOURCE == \"(\w+)\"", gitlab), ["push", "schedule"])
        writer = jobs_of(GITHUB["perf"].read_text())["history"]
        self.assertIn("if: ${{ !cancelled() && github.ref == 'refs/heads/main' }}", writer)

    def test_the_jobs_of_all_shards_end_and_are_judged(self):
        text = GITHUB["perf_nodes_gpu"].read_text()
        self.assertIn("fail-fast: false", text)
        self.assertIn("if: ${{ !cancelled() && needs.plan.result == 'success' }}", text)
        self.assertIn("shard: ${{ fromJSON(needs.plan.outputs.shards) }}", text)

    def test_the_comment_job_checks_out_nothing_of_the_other_run(self):
        text = GITHUB["perf_comment"].read_text()
        self.assertNotRegex(text, r"\bref:|head_sha|head\.sha")
        self.assertEqual(re.findall(r"- run: (.*)", text),
                         ['python3 ci/workflows/post_comment.py "$RUNNER_TEMP/stepgate-summary/summary.md"'])


if __name__ == "__main__":
    if not (LINTERS / "bin" / "zizmor").exists() or not (LINTERS / "check_jsonschema").is_dir():
        print(f"SKIPPED: the linters are not in {LINTERS}: run ci/setup (packages: ci/requirements-workflows.txt)")
        sys.exit(MISSING)
    unittest.main()
