#!/usr/bin/env python3
"""Looks at the settings that keep unreviewed code off a self-hosted runner on GitHub. It changes nothing.

    GITHUB_TOKEN=... check_runner.py OWNER/REPO [--checkout DIR]

One line for each question of docs/public_repository.md: ok, bad with a remedy, or "cannot see" with the permission that is missing.
Run it as an administrator, in a checkout of the default branch. The token reads: of the repository Administration, of the
organization Self-hosted runners.

Exit status: 0 all is ok, 1 something is bad, 3 something could not be seen and nothing is bad.
"""

import argparse
import json
import os
import pathlib
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

CHECKS_OF_MAIN = ("perf verdict", "verdict of the nodes")
# Events that somebody without write access can cause, for a workflow file of the default branch or of a fork.
OUTSIDE_EVENT = re.compile(r"\b(pull_request\w*|issue_comment|issues|discussion\w*|fork|watch|workflow_run)\b")
# A runner that GitHub hosts. Labels of own ones are free, and "self-hosted" need not be among them.
HOSTED = re.compile(r"[\"']?(?:ubuntu|windows|macos)-[\w.-]+[\"']?$")
OWNED = ("/.github/", "/ci/", "/baselines/")
MOST_PAGES = 20


class Unseen(Exception):
    """What could not be read, and which permission is missing."""


class Github:
    """The calls to GitHub that this script needs."""

    def __init__(self, environment):
        self.root = environment.get("GITHUB_API_URL", "https://api.github.com")
        self.token = environment.get("GITHUB_TOKEN", "")

    def read(self, path):
        request = urllib.request.Request(self.root + path, headers={
            "Authorization": f"Bearer {self.token}", "Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def seen(self, path, permission):
        try:
            return self.read(path)
        except urllib.error.HTTPError as error:
            raise Unseen(f"GitHub answers {error.code} for {path}: the token needs {permission}") from None
        except (OSError, ValueError) as error:
            raise Unseen(f"{path} could not be read ({error})") from None


class Repository:
    def __init__(self, github, name):
        self.github, self.name = github, name
        self.owner, self.short_name = name.split("/")
        about = github.seen(f"/repos/{name}", "to read the repository")
        try:
            self.is_public, self.main = not about["private"], about["default_branch"]
            self.has_organization = about["owner"]["type"] == "Organization"
        except (KeyError, TypeError) as error:
            raise Unseen(f"GitHub's answer on the repository lacks {error}") from None

    def seen(self, path, permission):
        return self.github.seen(f"/repos/{self.name}{path}", permission)


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
    names = [one["name"] for one in repository.seen("/actions/runners?per_page=100", "Administration (read)")["runners"]]
    if not names or not repository.is_public:
        return None
    remedy = ("remove them; register them in a group of the organization" if repository.has_organization else
              "remove them: only an organization has groups, so a public repository of a person can have no safe runner")
    return "any workflow file of a pull request can name " + ", ".join(names), remedy


def is_bound(workflow, repository):
    file, _, ref = workflow.partition("@")
    at_main = ref in (repository.main, f"refs/heads/{repository.main}") or re.fullmatch(r"[0-9a-f]{40}", ref)
    return file.lower().startswith(f"{repository.name.lower()}/.github/workflows/") and bool(at_main)


def groups_of(repository, page, permission):
    """The groups of runners that the repository can use."""
    query = urllib.parse.urlencode({"per_page": 100, "visible_to_repository": repository.short_name, "page": page})
    return repository.github.seen(f"/orgs/{repository.owner}/actions/runner-groups?{query}", permission)["runner_groups"]


def open_doors(group, repository):
    """What else than workflows of the main branch a group of runners takes."""
    workflows = group.get("selected_workflows") or []
    if not group.get("restricted_to_workflows") or not workflows:
        return [f"{group['name']} takes jobs of every workflow file"]
    return [f"{group['name']} takes {one}" for one in workflows if not is_bound(one, repository)]


def runner_groups(repository):
    """Is each group of runners that the repository can use bound to workflows of its main branch?"""
    if not repository.has_organization:
        return None
    permission = "the organization's Self-hosted runners (read)"
    open_groups, empty = [], []
    for page in range(1, MOST_PAGES + 1):
        groups = groups_of(repository, page, permission)
        for group in groups:
            doors = open_doors(group, repository)
            path = f"/orgs/{repository.owner}/actions/runner-groups/{group['id']}/runners?per_page=1"
            if not doors or repository.github.seen(path, permission)["total_count"]:
                open_groups += doors
            elif repository.is_public and group.get("allows_public_repositories"):
                empty.append(group["name"])
        if len(groups) < 100:
            break
    if not open_groups and empty:
        raise Unseen(f"{', '.join(empty)} takes jobs of every workflow file and has no runner now; runners that come and go are not seen: "
                     "bind it, or take this repository off it")
    if not open_groups:
        return None
    files = ", ".join(f"{repository.name}/.github/workflows/{one}@refs/heads/{repository.main}" for one in ("perf_gpu.yml", "history.yml"))
    return "; ".join(open_groups), f"Organization settings, Actions, Runner groups, Workflow access, Selected workflows: {files}"


def rules_of(repository, branch):
    return repository.seen(f"/rules/branches/{urllib.parse.quote(branch, safe='')}", "Metadata (read)")


def main_is_protected(repository):
    """Does main require the verdict, and a review by code owners?"""
    checks, owners = set(), False
    for rule in rules_of(repository, repository.main):
        values = rule.get("parameters") or {}
        checks |= {one["context"] for one in values.get("required_status_checks", [])}
        owners = owners or bool(values.get("require_code_owner_review"))
    lacks = [] if checks & set(CHECKS_OF_MAIN) else [f"the required check \"{CHECKS_OF_MAIN[0]}\""]
    lacks += [] if owners else ["a review by code owners"]
    remedy = "Settings, Rules: a ruleset for the default branch (classic branch protection is not looked at)"
    return ("no rule asks for " + " or ".join(lacks), remedy) if lacks else None


def measured_branches(repository):
    """May only maintainers create and move the branches pull-request/**?"""
    types = {rule["type"] for rule in rules_of(repository, "pull-request/1")}
    lacks = {"creation", "update"} - types
    remedy = "Settings, Rules: a ruleset for pull-request/** that restricts creations and updates, which maintainers may bypass"
    return (f"nothing restricts their {' and '.join(sorted(lacks))}", remedy) if lacks else None


def events_of(text):
    """What stands under `on:`, to the next key of the same depth."""
    found = re.search(r"^[\"']?on[\"']?:(.*(?:\n(?:[ \t#-].*)?)*)", text, re.M)
    return found.group(1) if found else ""


def own_runner_of(text):
    """The first `runs-on` that is no runner of GitHub's, or "". Groups and lists count as such, and an expression where the file names
    a self-hosted one: most are matrices of GitHub's runners."""
    for value in re.findall(r"^\s*runs-on:[ \t]*(.*)$", text, re.M):
        value = value.strip()
        is_open = "self-hosted" in text if value.startswith("${{") else not HOSTED.fullmatch(value)
        if is_open:
            return value or "of a group"
    return ""


def workflow_files(checkout):
    """Does no event from outside start a job of a runner of its own, and is the repository set?"""
    found = []
    files = sorted((checkout / ".github" / "workflows").glob("*.y*ml"))
    if not files:
        return f"there are none in {checkout}/.github/workflows", "run this in a checkout of the default branch"
    for file in files:
        text = re.sub(r"(^|\s)#.*", "", file.read_text(encoding="utf-8", errors="replace"))
        events, runner = events_of(text), own_runner_of(text)
        event = OUTSIDE_EVENT.search(events)
        if runner and event:
            found.append(f"{file.name} has a job for the runner {runner} and the event {event.group(1)}")
        elif runner and re.search(r"\bworkflow_call\b", events) and "github.event_name" not in text:
            found.append(f"{file.name} has a job for the runner {runner}, and a workflow file of a fork can call it: no line asks for "
                         "github.event_name")
        if "OWNER/REPO/" in text:
            found.append(f"{file.name} still names OWNER/REPO")
    return ("; ".join(found), "see the templates in ci/workflows/github") if found else None


def code_owners(checkout):
    """Do the files that decide a verdict have owners?"""
    file = checkout / ".github" / "CODEOWNERS"
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines() if file.is_file() else []
    owned = {line.split()[0] for line in lines if len(line.split()) > 1 and not line.startswith("#")}
    lacks = [place for place in OWNED if place not in owned and "*" not in owned]
    return (f"{', '.join(lacks)} have none in .github/CODEOWNERS", "docs/pull_requests.md has the lines") if lacks else None


OF_GITHUB = {"approval of forks": fork_approval, "runners of the repository": own_runners, "groups of runners": runner_groups,
             "rules of main": main_is_protected, "rules of pull-request/**": measured_branches}
OF_CHECKOUT = {"workflow files": workflow_files, "code owners": code_owners}


def lines_of(name, question, subject):
    try:
        problem = question(subject)
    except Unseen as unseen:
        return [f"cannot see  {name}: {unseen}"], "unseen"
    except (KeyError, TypeError, AttributeError) as error:
        return [f"cannot see  {name}: GitHub's answer lacks {error!s:.80}"], "unseen"
    if problem is None:
        return [f"ok          {name}"], "ok"
    return [f"bad         {name}: {problem[0]}", f"            remedy: {problem[1]}"], "bad"


def check(github, name, checkout):
    """The lines to print, and the exit status."""
    found = [lines_of(title, question, checkout) for title, question in OF_CHECKOUT.items()]
    try:
        repository = Repository(github, name)
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
    parser.add_argument("--checkout", type=pathlib.Path, default=pathlib.Path("."), help="of the default branch")
    arguments = parser.parse_args()
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", arguments.repository):
        parser.error(f"'{arguments.repository}' is not of the form OWNER/REPO")
    lines, status = check(Github(os.environ), arguments.repository, arguments.checkout)
    print("\n".join(lines))
    return status


if __name__ == "__main__":
    sys.exit(main())
