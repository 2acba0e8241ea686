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
GITHUB = [FOLDER / "github" / name for name in ("perf.yml", "perf_comment.yml", "history.yml", "perf_nodes.yml")]
# Templates with a job for a branch protection, and the verdict that it reads in the artefact.
REQUIRED = {"perf.yml": "verdict.json", "perf_nodes.yml": "ab/verdict.json"}
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


class Linters(unittest.TestCase):
    def assert_clean(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_zizmor_finds_nothing(self):
        self.assert_clean(zizmor(*GITHUB))

    def test_the_templates_match_the_schemas_of_github_and_gitlab(self):
        self.assert_clean(schema("vendor.github-workflows", *GITHUB))
        self.assert_clean(schema("vendor.gitlab-ci", *sorted((FOLDER / "gitlab").glob("*.gitlab-ci.yml"))))

    def test_the_workflow_that_init_writes_is_clean(self):
        self.assert_clean(zizmor(OF_A_NEW_PROJECT))
        self.assert_clean(schema("vendor.github-workflows", OF_A_NEW_PROJECT))

    def test_the_linters_find_injected_faults(self):
        bad = GITHUB[0].read_text().replace('run: ci/setup && ci/build', 'run: echo ${{ github.head_ref }}')
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / "perf.yml"
            place.write_text(bad)
            self.assertNotEqual(zizmor(place).returncode, 0)
            place.write_text(re.sub(r"@[0-9a-f]{40} #.*", "@v4", GITHUB[0].read_text()))
            self.assertNotEqual(zizmor(place).returncode, 0)
            place.write_text(bad.replace("runs-on:", "runs_on:"))
            self.assertNotEqual(schema("vendor.github-workflows", place).returncode, 0)


class Rules(unittest.TestCase):
    def test_no_event_of_a_fork_starts_the_gpu_runner(self):
        text = GITHUB[0].read_text()
        events = re.search(r"^on:\n((?:  .*\n)+)", text, re.M).group(1)
        self.assertEqual(re.findall(r"^  (\w+):", events, re.M), ["push", "merge_group", "workflow_dispatch"])

    def test_no_workflow_has_permissions_by_default(self):
        for file in GITHUB:
            self.assertIn("\npermissions: {}\n", file.read_text(), file)

    def test_a_required_job_always_runs_and_reads_the_verdict(self):
        for name, verdict in REQUIRED.items():
            job = (FOLDER / "github" / name).read_text().split("\n  verdict:\n")[1]
            self.assertIn("if: ${{ always() }}", job)
            self.assertIn(f'require_green.py "$RUNNER_TEMP/stepgate-results/{verdict}" --commit "$GITHUB_SHA" '
                          '--may-skip "$STEPGATE_MAY_SKIP"', job)
            self.assertNotIn("continue-on-error: true\n      - run", job)

    def test_a_required_job_takes_nothing_from_the_commit_under_test(self):
        for name in REQUIRED:
            job = (FOLDER / "github" / name).read_text().split("\n  verdict:\n")[1]
            self.assertIn("ref: ${{ github.event.repository.default_branch }}\n", job)
            self.assertEqual(re.findall(r"path: (.*)", job), ["${{ runner.temp }}/stepgate-results"])
            self.assertEqual(len(re.findall(r"- (?:uses|run|name)", job)), 3)

    def test_consent_comes_from_the_label_and_from_nothing_of_the_commit(self):
        text = GITHUB[0].read_text()
        job = text.split("\n  consent:\n")[1].split("\n  gpu:\n")[0]
        self.assertIn("ref: ${{ github.event.repository.default_branch }}\n", job)
        self.assertEqual(re.findall(r"(?:- run|  run): (.*)", job),
                         ['python3 ci/workflows/read_consent.py --label "loosening allowed" >> "$GITHUB_OUTPUT"'])
        # Both the gate and the required job are told; the required job refuses a verdict that names somebody else.
        self.assertEqual(text.count(": ${{ needs.consent.outputs.allowed_by }}\n"), 2)
        self.assertRegex(text, r'require_green\.py .* --allow-loosening "\$ALLOWED_BY"\n')
        gitlab = (FOLDER / "gitlab" / "stepgate.gitlab-ci.yml").read_text()
        self.assertEqual(gitlab.count("before_script: *consent\n"), 2)
        self.assertIn('--allow-loosening "$STEPGATE_ALLOW_LOOSENING"', gitlab)

    def test_on_gitlab_too(self):
        job = (FOLDER / "gitlab" / "stepgate.gitlab-ci.yml").read_text().split("\nperf verdict:\n")[1]
        self.assertIn("GIT_STRATEGY: empty", job)
        self.assertIn('clone --quiet --depth 1 --branch "$CI_DEFAULT_BRANCH"', job)
        self.assertIn("python3 default-branch/ci/workflows/require_green.py", job)
        self.assertIn('--may-skip "$STEPGATE_MAY_SKIP"', job)

    def test_what_may_be_skipped_is_said_once_for_the_gate_and_for_the_required_job(self):
        manifest = (SOURCE / "perftests" / "CMakeLists.txt").read_text()
        for file in [FOLDER / "github" / name for name in REQUIRED] + [FOLDER / "gitlab" / "stepgate.gitlab-ci.yml"]:
            [names] = re.findall(r"^  STEPGATE_MAY_SKIP: (\S+) #", file.read_text(), re.M)
            for name in names.split(","):
                self.assertRegex(manifest, rf"\b{name}\b", file)

    def test_every_action_is_pinned_by_commit_and_names_its_release(self):
        for file in GITHUB:
            used = re.findall(r"uses: (.*)", file.read_text())
            self.assertTrue(used)
            for line in used:
                self.assertRegex(line, r"^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")

    def test_removed_cases_are_shown(self):
        self.assertIn("baseline lint --build build/release --baseline-dir default-branch/baselines", GITHUB[0].read_text())

    def test_the_history_is_checked_by_night_and_blocks_no_pull_request(self):
        events = re.search(r"^on:\n((?:  .*\n)+)", GITHUB[2].read_text(), re.M).group(1)
        self.assertEqual(re.findall(r"^  (\w+):", events, re.M), ["schedule", "workflow_dispatch"])
        gitlab = (FOLDER / "gitlab" / "history.gitlab-ci.yml").read_text()
        self.assertEqual(re.findall(r"- if: .*CI_PIPELINE_SOURCE == \"(\w+)\"", gitlab), ["push", "schedule"])
        writer = GITHUB[0].read_text().split("\n  history:\n")[1].split("\n  verdict:\n")[0]
        self.assertIn("if: ${{ !cancelled() && github.ref == 'refs/heads/main' }}", writer)

    def test_the_jobs_of_all_shards_end_and_are_judged_by_reviewed_code_only(self):
        text = GITHUB[3].read_text()
        events = re.search(r"^on:\n((?:  .*\n)+)", text, re.M).group(1)
        self.assertEqual(re.findall(r"^  (\w+):", events, re.M), ["push", "workflow_dispatch"])
        self.assertIn("fail-fast: false", text)
        self.assertIn("if: ${{ !cancelled() && needs.plan.result == 'success' }}", text)
        self.assertIn("shard: ${{ fromJSON(needs.plan.outputs.shards) }}", text)

    def test_the_comment_job_checks_out_nothing_of_the_other_run(self):
        text = GITHUB[1].read_text()
        self.assertNotRegex(text, r"\bref:|head_sha|head\.sha")
        self.assertEqual(re.findall(r"- run: (.*)", text),
                         ['python3 ci/workflows/post_comment.py "$RUNNER_TEMP/stepgate-summary/summary.md"'])


if __name__ == "__main__":
    if not (LINTERS / "bin" / "zizmor").exists() or not (LINTERS / "check_jsonschema").is_dir():
        print(f"SKIPPED: the linters are not in {LINTERS}: run ci/setup (packages: ci/requirements-workflows.txt)")
        sys.exit(MISSING)
    unittest.main()
