"""What the files of a checkout say about a self-hosted runner on GitHub: its part of check_runner.py, which needs no network."""

import re

# Events that somebody without write access can cause, for a workflow file of the default branch or of a fork.
OUTSIDE_EVENT = re.compile(r"\b(pull_request\w*|issue_comment|issues|commit_comment|discussion\w*|fork|watch|gollum|workflow_run"
                           r"|check_run|check_suite|status)\b")
# A runner that GitHub hosts. Labels of own ones are free, and "self-hosted" need not be among them.
HOSTED = re.compile(r"[\"']?(?:ubuntu|windows|macos)-[\w.-]+[\"']?$")
OWNED = ("/.github/", "/ci/", "/baselines/")
# The step of the templates that decides, in whichever way its lines are indented. The name of the default branch is free.
DECIDES = re.compile(re.escape(" ".join("""run: |
    LC_ALL=C
    place="$GITHUB_REPOSITORY $GITHUB_EVENT_NAME $GITHUB_REF"
    pushed='(push|workflow_dispatch) refs/heads/(main|pull-request/[1-9][0-9]*)'
    queued='merge_group refs/heads/gh-readonly-queue/main/[^/ ]+'
    if [[ $place =~ ^"$REPOSITORY "($pushed|$queued)$ ]]; then
      echo "reviewed=yes" >> "$GITHUB_OUTPUT"
    else""".split())).replace("main", r"[\w-]+"))
# What a job of the runner asks: that step, or a job that asked it.
ASKS = re.compile(r"^    if: \$\{\{ (?:!cancelled\(\) && )?needs\.([\w-]+)\.(outputs\.reviewed == 'yes'|result == 'success') \}\}\s*$", re.M)


def texts_of(checkout):
    """The workflow files by name, without comments. What is no file, such as a link to a device, is none to GitHub either."""
    files = [file for file in sorted((checkout / ".github" / "workflows").glob("*.y*ml")) if file.is_file()]
    return {file.name: re.sub(r"(^|\s)#.*", "", file.read_text(encoding="utf-8", errors="replace")) for file in files}


def events_of(text):
    """What stands under `on:`, to the next key of the same depth."""
    found = re.search(r"^[\"']?on[\"']?:(.*(?:\n(?:[ \t#-].*)?)*)", text, re.M)
    return found.group(1) if found else ""


def runs_on(text):
    """Each `runs-on` that is no runner of GitHub's. Groups and lists count as such, and an expression where the file names a
    self-hosted one: most are matrices of GitHub's runners."""
    values = [value.strip() for value in re.findall(r"^\s*runs-on:[ \t]*(.*)$", text, re.M)]
    return [value or "of a group" for value in values
            if ("self-hosted" in text if value.startswith("${{") else not HOSTED.fullmatch(value))]


def labels_of(value):
    """The labels of a `runs-on`, as GitHub compares them; none where it is a group or an expression."""
    is_open = value.startswith("${{") or value == "of a group"
    return set() if is_open else {label.strip(" \"'").lower() for label in value.strip("[]").split(",")}


def lets_in_reviewed_only(text):
    """Does each job of the runner ask the step of the templates?"""
    parts = re.split(r"^  ([\w-]+):[ \t]*$", text.partition("\njobs:")[2], flags=re.M)
    jobs = {name: part for name, part in zip(parts[1::2], parts[2::2]) if runs_on(part)}
    asked = [ASKS.findall(part) for part in jobs.values()]
    return (bool(DECIDES.search(" ".join(text.split()))) and text.count("reviewed=yes") == 1
            and re.findall(r"\breviewed:(.*)", text) == [" ${{ steps.reviewed.outputs.reviewed }}"]
            and sum(len(runs_on(part)) for part in jobs.values()) == len(runs_on(text))
            and all(len(one) == 1 and (one[0][0] in jobs) == one[0][1].startswith("result") for one in asked))


def workflow_files(checkout):
    """Does no event from outside start a job of a runner of its own, and is the repository set?"""
    found = []
    texts = texts_of(checkout)
    if not texts:
        return f"there are none in {checkout}/.github/workflows", "run this in a checkout of the default branch"
    for name, text in texts.items():
        events, runners = events_of(text), runs_on(text)
        event = OUTSIDE_EVENT.search(events)
        if runners and event:
            found.append(f"{name} has a job for the runner {runners[0]} and the event {event.group(1)}")
        elif runners and re.search(r"\bworkflow_call\b", events) and not lets_in_reviewed_only(text):
            found.append(f"{name} has a job for the runner {runners[0]}, and a workflow file of a fork can call it: not each such job asks "
                         "the step \"reviewed\", as it stands in the template")
        if "OWNER/REPO" in text:
            found.append(f"{name} still names OWNER/REPO")
    return ("; ".join(found), "see the templates in ci/workflows/github") if found else None


def code_owners(checkout):
    """Do the files that decide a verdict have owners? The last line that matches a file counts, and a line without owners takes them
    away."""
    file = checkout / ".github" / "CODEOWNERS"
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines() if file.is_file() else []
    owned, found = set(), []
    for line in lines:
        pattern, *owners = line.partition("#")[0].split() or [""]
        whole = {place for place in OWNED if pattern in ("*", "**", place, place[:-1], place[1:], f"{place}**")}
        if owners:
            owned |= whole
        elif pattern:
            owned -= whole | {place for place in OWNED if f"/{pattern.lstrip('/')}".startswith(place)}
        found += [f"{one} is the name of the example" for one in owners if one.startswith("@your-org")]
    lacks = [place for place in OWNED if place not in owned]
    found += [f"{', '.join(lacks)} have none in .github/CODEOWNERS"] if lacks else []
    return ("; ".join(dict.fromkeys(found)), "docs/pull_requests.md has the lines; name a team of yours") if found else None
