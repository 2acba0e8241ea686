#!/usr/bin/env python3
"""Looks at the settings that keep unreviewed code off a self-hosted runner on GitHub. It changes nothing.

    GITHUB_TOKEN=... check_runner.py OWNER/REPO [--checkout DIR]

One line for each question of docs/public_repository.md: ok, bad with a remedy, or "cannot see" with what is missing. Run it as an
administrator, in a checkout of the default branch. The token reads: of the repository Administration and Contents, of the
organization Self-hosted runners. Step 7 of that page tells how to make one.

Exit status: 0 all is ok, 1 something is bad, 2 wrong arguments or no token, 3 something could not be seen and nothing is bad.
"""

import argparse
import functools
import http.client
import json
import os
import pathlib
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

from runner_files import code_owners, labels_of, runs_on, texts_of, workflow_files

CHECKS_OF_MAIN = ("perf verdict", "verdict of the nodes")
CALLED = ("perf_gpu.yml", "perf_nodes_gpu.yml")
OF_THE_RUNNER = (*CALLED, "history.yml")
MOST_PAGES = 20
OF_THE_ORGANIZATION = "the organization's Self-hosted runners (read)"


class Unseen(Exception):
    """What could not be read, and why."""


def token_of(environment):
    """The token. It is never shown, neither here nor by the library that sends it."""
    where = "docs/public_repository.md, step 7"
    token = environment.get("GITHUB_TOKEN", "").strip()
    if not token:
        raise ValueError(f"GITHUB_TOKEN is not set: {where}")
    if not re.fullmatch(r"[!-~]+", token):
        raise ValueError(f"GITHUB_TOKEN holds characters that no token has; copy it again: {where}")
    return token


def meaning_of(error, path, needs, absent):
    """Why GitHub refuses to answer. The number alone sends people to change permissions that are right."""
    try:
        said = str(json.load(error)["message"])[:200]
    except (OSError, ValueError, KeyError, TypeError):
        said = error.reason
    headers = error.headers or {}
    is_limit = headers.get("x-ratelimit-remaining") == "0" or headers.get("retry-after") or "rate limit" in str(said).lower()
    if error.code == 401:
        return "GitHub does not accept the token: it is wrong or has expired"
    if error.code == 429 or (error.code == 403 and is_limit):
        return f"GitHub's rate limit is reached ({path}): try again in an hour"
    if error.code == 404 and absent:
        return absent
    return f"GitHub answers {error.code} ({said}) for {path}: the token needs {needs}"


class Github:
    """The calls to GitHub that this script needs."""

    def __init__(self, environment):
        self.root = environment.get("GITHUB_API_URL", "https://api.github.com")
        self.token = token_of(environment)

    def read(self, path):
        request = urllib.request.Request(self.root + path, headers={
            "Authorization": f"Bearer {self.token}", "Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def seen(self, path, needs, absent=""):
        try:
            return self.read(path)
        except urllib.error.HTTPError as error:
            raise Unseen(meaning_of(error, path, needs, absent)) from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise Unseen(f"{path} could not be read ({error})") from None

    def all_of(self, path, key, needs):
        """The entries of all pages."""
        found = []
        for page in range(1, MOST_PAGES + 1):
            part = self.seen(f"{path}{'&' if '?' in path else '?'}per_page=100&page={page}", needs)[key]
            found += part
            if len(part) < 100:
                break
        return found


class Repository:
    """What GitHub says of the repository, and the checkout of its default branch."""

    def __init__(self, github, name, checkout):
        self.github, self.checkout = github, checkout
        about = github.seen(f"/repos/{name}", "Metadata (read)", f"there is no {name}, or the token is not for it")
        try:
            self.name, self.is_public, self.main = about["full_name"], not about["private"], about["default_branch"]
            self.has_organization = about["owner"]["type"] == "Organization"
        except (KeyError, TypeError):
            raise Unseen("GitHub's answer on the repository is not of the expected form") from None
        self.owner, self.short_name = self.name.split("/")

    def seen(self, path, needs, absent=""):
        return self.github.seen(f"/repos/{self.name}{path}", needs, absent)

    @functools.cached_property
    def runners(self):
        """Those that are registered for the repository itself."""
        return self.github.all_of(f"/repos/{self.name}/actions/runners", "runners", "Administration (read)")

    @functools.cached_property
    def groups(self):
        """The groups of runners that the repository can use."""
        if not self.has_organization:
            return []
        path = f"/orgs/{self.owner}/actions/runner-groups?visible_to_repository={urllib.parse.quote(self.short_name)}"
        groups = self.github.all_of(path, "runner_groups", OF_THE_ORGANIZATION)
        return [group for group in groups if not self.is_public or group["allows_public_repositories"]]

    def runners_of(self, group):
        return self.github.all_of(f"/orgs/{self.owner}/actions/runner-groups/{group['id']}/runners", "runners", OF_THE_ORGANIZATION)

    def has_on_main(self, commit):
        path = f"/compare/{commit}...{urllib.parse.quote(self.main, safe='')}?per_page=1"
        return self.seen(path, "Contents (read)", f"is {commit} a commit of {self.main}? GitHub does not know it")["status"] in (
            "ahead", "identical")


def fork_approval(repository):
    """Does a workflow of a fork's pull request wait for a maintainer?"""
    place = "Settings, Actions, General"
    if repository.is_public:
        policy = repository.seen("/actions/permissions/fork-pr-contributor-approval", "Administration (read)")["approval_policy"]
        if policy != "all_external_contributors":
            return f"only for some: {policy}", f"{place}: require approval for all external contributors"
        return None
    private = repository.seen("/actions/permissions/fork-pr-workflows-private-repos", "Administration (read)")
    if private["run_workflows_from_fork_pull_requests"] and not private["require_approval_for_fork_pr_workflows"]:
        return "forks run workflows without approval", f"{place}: do not run workflows from fork pull requests"
    return None


def own_runners(repository):
    """Is no runner registered for the repository itself? It could not be bound to a workflow."""
    names = [one["name"] for one in repository.runners]
    if not names or not repository.is_public:
        return None
    remedy = ("remove them; register them in a group of the organization" if repository.has_organization else
              "remove them: only an organization has groups, so a public repository of a person can have no safe runner")
    return "any workflow file of a pull request can name " + ", ".join(names), remedy


def bound_file(workflow, repository):
    """The name of the workflow file of the repository's default branch to which a group is bound, or ""."""
    path, _, ref = workflow.partition("@")
    file = re.fullmatch(re.escape(f"{repository.name}/.github/workflows/") + r"([\w.-]+\.ya?ml)", path, re.I)
    if not file:
        return ""
    is_main = ref in (repository.main, f"refs/heads/{repository.main}")
    return file.group(1) if is_main or (re.fullmatch(r"[0-9a-f]{40}", ref) and repository.has_on_main(ref)) else ""


def open_doors(group, repository):
    """What else than workflows of this repository's main branch a group of runners takes."""
    name, workflows = group["name"], group.get("selected_workflows") or []
    doors = [] if group["visibility"] == "selected" else [f"{name} is open to {group['visibility']} repositories of the organization"]
    if not group.get("restricted_to_workflows") or not workflows:
        return [*doors, f"{name} takes jobs of every workflow file"]
    return doors + [f"{name} takes {one}" for one in workflows if not bound_file(one, repository)]


def jobs_of_the_runner(repository):
    """The templates that are in use, with their text. Other files that name a runner of one's own are not told to be let in."""
    return {file: text for file, text in texts_of(repository.checkout).items() if file in OF_THE_RUNNER and runs_on(text)}


def access_of(repository):
    """What to enter where a group is bound."""
    own = list(jobs_of_the_runner(repository)) or CALLED[:1]
    files = [f"{repository.name}/.github/workflows/{file}@refs/heads/{repository.main}" for file in own]
    return "Organization settings, Actions, Runner groups: Selected repositories, this one alone; Selected workflows: " + ", ".join(files)


def runner_groups(repository):
    """Is each group of runners that the repository can use for it alone, and bound to workflows of its main branch?"""
    opened, empty = [], []
    for group in repository.groups:
        doors = open_doors(group, repository)
        if doors:
            (opened if repository.runners_of(group) else empty).extend(doors)
    if opened:
        return "; ".join(opened), access_of(repository) + "; or move the runner to another group"
    if empty and repository.is_public:
        raise Unseen(f"{'; '.join(empty)}, and has no runner now. Runners that come and go are not seen: bind it, or take this "
                     "repository off it")
    return None


def takes(group, file, repository):
    is_open = not group.get("restricted_to_workflows")
    return is_open or file in [bound_file(one, repository) for one in group["selected_workflows"]]


def jobs_wait(repository):
    """Does a group take each file with jobs of the runner, and is a runner with their labels online?"""
    waits, empty = [], []
    for file, text in jobs_of_the_runner(repository).items():
        groups = [group for group in repository.groups if takes(group, file, repository)]
        runners = [*repository.runners, *(one for group in groups for one in repository.runners_of(group))]
        if not runners and groups:
            empty += [group["name"] for group in groups]
        elif not runners:
            waits.append(f"no group of runners that this repository can use takes {file}")
        for labels in [labels_of(value) for value in runs_on(text)] if runners else []:
            fitting = [one for one in runners if labels <= {label["name"].lower() for label in one["labels"]}]
            if not fitting:
                waits.append(f"no runner that takes {file} has the labels {', '.join(sorted(labels))}")
            elif not any(one["status"] == "online" for one in fitting):
                waits.append(", ".join(one["name"] for one in fitting) + " is offline")
    if waits:
        return "; ".join(dict.fromkeys(waits)), (f"{access_of(repository)}; in a public repository: Allow public repositories; "
                                                 "labels and state: Organization settings, Actions, Runners")
    if empty:
        raise Unseen(f"{', '.join(dict.fromkeys(empty))} has no runner now, and runners that come and go are not seen")
    return None


def calls(repository):
    """Are the files with the jobs of the runner called as they are on the default branch, and for this repository?"""
    found = []
    for name, text in texts_of(repository.checkout).items():
        for path, ref in re.findall(r"^\s*uses:[ \t]*[\"']?([^\s\"'@]+)@?([^\s\"']*)", text, re.M):
            file = path.rpartition("/")[2]
            if file not in CALLED or "OWNER/REPO" in path:  # workflow_files tells the latter
                continue
            is_right = path == f"{repository.name}/.github/workflows/{file}" and ref in (repository.main, f"refs/heads/{repository.main}")
            found += [] if is_right else [f"{name} calls {path}@{ref}"]
        for own in re.findall(r"^\s*REPOSITORY:[ \t]*(\S+)", text, re.M) if name in CALLED else []:
            found += [] if own in (repository.name, "OWNER/REPO") else [f"{name} lets in {own} alone (capitals count)"]
    if found:
        return "; ".join(found), f"uses: {repository.name}/.github/workflows/FILE@{repository.main}, and REPOSITORY: {repository.name}"
    return None


def rules_of(repository, branch):
    return repository.seen(f"/rules/branches/{urllib.parse.quote(branch, safe='')}", "Metadata (read)")


def main_is_protected(repository):
    """Does main require the verdict, and a review of the last commit, by code owners where there are some?"""
    given = [rule.get("parameters") or {} for rule in rules_of(repository, repository.main)]
    checks = {one["context"] for values in given for one in values.get("required_status_checks", [])}
    asks = {key for values in given for key, value in values.items() if value}
    lacks = {f"the required check \"{CHECKS_OF_MAIN[0]}\"": checks & set(CHECKS_OF_MAIN),
             "an approval (Required approvals is 0)": "required_approving_review_count" in asks,
             "a review by code owners": "require_code_owner_review" in asks,
             "a new review after a new commit (Dismiss stale approvals, or Require approval of the most recent push)":
                 asks & {"dismiss_stale_reviews_on_push", "require_last_push_approval"}}
    remedy = "Settings, Rules: an active ruleset for the default branch (classic branch protection is not looked at)"
    missing = [what for what, is_there in lacks.items() if not is_there]
    return ("no rule asks for " + ", nor for ".join(missing), remedy) if missing else None


def measured_branches(repository):
    """May only maintainers create and move the branches below pull-request/, at any depth?"""
    found = []
    for branch in ("pull-request/1", "pull-request/1/x"):
        lacks = {"creation", "update"} - {rule["type"] for rule in rules_of(repository, branch)}
        found += [f"nothing restricts {' and '.join(sorted(lacks))} of {branch}"] if lacks else []
    remedy = ("Settings, Rules: an active ruleset for pull-request/**/* (pull-request/** does not match pull-request/1/x) that "
              "restricts creations and updates, which maintainers may bypass")
    return ("; ".join(found), remedy) if found else None


def owners_on_github(repository):
    """Does GitHub know each owner? It ignores one that it does not know, and one without write access."""
    errors = repository.seen("/codeowners/errors", "Contents (read)", "GitHub finds no CODEOWNERS on the default branch")["errors"]
    found = [f"line {one['line']}: {one['kind']}" for one in errors]
    return ("; ".join(found), "open .github/CODEOWNERS on GitHub; a team must be visible and have the role Write") if found else None


OF_GITHUB = {"owners on GitHub": owners_on_github, "approval of forks": fork_approval, "runners of the repository": own_runners,
             "groups of runners": runner_groups, "runner for each job": jobs_wait, "calls of perf_gpu.yml": calls,
             "rules of main": main_is_protected, "rules of pull-request/**/*": measured_branches}
OF_CHECKOUT = {"workflow files": workflow_files, "code owners": code_owners}


def lines_of(name, question, subject):
    try:
        problem = question(subject)
    except Unseen as unseen:
        return [f"cannot see  {name}: {unseen}"], "unseen"
    except (KeyError, TypeError, AttributeError):
        return [f"cannot see  {name}: GitHub's answer is not of the expected form"], "unseen"
    if problem is None:
        return [f"ok          {name}"], "ok"
    return [f"bad         {name}: {problem[0]}", f"            remedy: {problem[1]}"], "bad"


def check(github, name, checkout):
    """The lines to print, and the exit status."""
    found = [lines_of(title, question, checkout) for title, question in OF_CHECKOUT.items()]
    try:
        repository = Repository(github, name, checkout)
        found += [lines_of(title, question, repository) for title, question in OF_GITHUB.items()]
    except Unseen as unseen:
        found.append(([f"cannot see  {name}: {unseen}"], "unseen"))
    verdicts = {verdict for _, verdict in found}
    lines = [on_one_line(line) for lines, _ in found for line in lines]
    return lines, 1 if "bad" in verdicts else 3 if "unseen" in verdicts else 0


def on_one_line(text):
    """Names of groups and files are written by others: they must not move the cursor or begin a line."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", metavar="OWNER/REPO")
    parser.add_argument("--checkout", type=pathlib.Path, default=pathlib.Path("."), metavar="DIR",
                        help="a checkout of the default branch (default: this folder)")
    arguments = parser.parse_args()
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", arguments.repository):
        parser.error(f"'{arguments.repository}' is not of the form OWNER/REPO")
    try:
        github = Github(os.environ)
    except ValueError as error:
        parser.error(str(error))
    lines, status = check(github, arguments.repository, arguments.checkout)
    print("\n".join(lines))
    return status


if __name__ == "__main__":
    sys.exit(main())
