"""Perftest programs that behave as badly as a program can. Each is a shell script in place of the case's program."""

import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import xml.dom.minidom

from file_attack import reset
from invariants import broken
from mutator import HOSTILE
from workplace import CASE, PROGRAM

LEFT_BEHIND = "left_behind"  # a copy of sleep with this name; no process of this name may outlive its case
GATE = ("gate", CASE, "--build", "build", "--tier", "exact", "--exact-replicates", "1", "--quiet", "--junit", "junit.xml", "--markdown", "summary.md",
        "--github")
NEVER_ENDS_S = 2  # the limit of a program that only a limit ends
ENDS_S = 120  # of all others: a busy machine needs some seconds for 1 GiB of output


@dataclasses.dataclass
class HostileProgram:
    name: str
    body: str  # runs before the record is written; $record and $sleep are set
    status: int
    writes_record: bool = False
    words: tuple = ()  # what the output must say
    limit_s: int = ENDS_S


PROGRAMS = [
    HostileProgram("crash", "kill -SEGV $$", 3, words=("signal",)),
    HostileProgram("abort after the record", "", 3, True),
    HostileProgram("hang", "exec $sleep 300", 3, words=("2 s",), limit_s=NEVER_ENDS_S),
    HostileProgram("ignore SIGTERM", "trap '' TERM INT HUP QUIT; while :; do $sleep 1; done", 3, limit_s=NEVER_ENDS_S),
    HostileProgram("stopped", "kill -STOP $$", 3, limit_s=NEVER_ENDS_S),
    HostileProgram("background process", "$sleep 300 &", 0, True),
    HostileProgram("background process in a session of its own", "setsid $sleep 300 >/dev/null 2>&1 &", 0, True),
    HostileProgram("daemon", "(setsid sh -c \"$sleep 300 & exit\" &) ; sleep 0.1", 0, True),
    HostileProgram("daemon that keeps stdout open", "(setsid $sleep 300 &)", 0, True),
    HostileProgram("daemon and crash", "(setsid $sleep 300 &); sleep 0.1; kill -ABRT $$", 3),
    HostileProgram("1 GiB of output", "head -c 1073741824 /dev/zero | tr '\\0' 'y'", 0, True),
    HostileProgram("1 GiB of lines, then failure", "yes '::error::line' | head -c 1073741824; exit 1", 3),
    HostileProgram("escape sequences", "printf '\\033]0;title\\007\\033[2J\\033[31m\\n::error::x\\n##[error]y\\n' >&2; exit 1", 3),
    HostileProgram("prints its environment", "env; exit 1", 3),
    HostileProgram("no record", "exit 0", 3),
    HostileProgram("exit 77", "exit 77", 77),
    HostileProgram("empty record", ": >\"$record\"; exit 0", 3),
    HostileProgram("record is a folder", "mkdir \"$record\"; exit 0", 3),
    HostileProgram("record is a FIFO", "mkfifo \"$record\"; exit 0", 3),
    HostileProgram("record is a device", "ln -s /dev/zero \"$record\"; exit 0", 3),
    HostileProgram("record is huge", "truncate -s 5G \"$record\"; exit 0", 3),
    HostileProgram("record is a link", "ln -s \"$here/../outside.txt\" \"$record\"; exit 0", 3),
    HostileProgram("link in place of its output file", "for f in \"$(dirname \"$record\")\"/*.txt; do ln -sf \"$here/../outside.txt\" \"$f\"; done; echo text", 0, True),
    HostileProgram("links in place of the reports", "cd \"$(dirname \"$record\")\"; for f in verdict.json measurement.json junit.xml summary.md; do ln -s \"$here/../outside.txt\" $f; done", 0, True),
    HostileProgram("removes its folder", "rm -rf \"$(dirname \"$record\")\"; exit 0", 3),
    HostileProgram("fills the folder with files", "cd \"$(dirname \"$record\")\"; for i in $(seq 300); do : >$i.json; done", 0, True),
    HostileProgram("closes its streams", "exec 0<&- 1>&- 2>&-", 0, True),
    HostileProgram("signals the launcher's group", "kill -TERM 0; sleep 5", 3),
    HostileProgram("many children", "for i in $(seq 50); do (setsid $sleep 300 &) ; done", 0, True),
]
SECRETS = {"GITHUB_TOKEN": "ghs_secretsecretsecretsecretsecret00", "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
           "GITHUB_ENV": "/nowhere/env-file", "ACTIONS_RUNTIME_TOKEN": "eyJhbGciOi.secret.secret", "MY_PASSWORD": "hunter2hunter2"}


def run(projects, place):
    """Yields a text for each program that broke a rule."""
    for program in PROGRAMS:
        yield from (f"{program.name}: {problem}" for problem in tried(projects, place, program))
    yield from (f"hostile names: {problem}" for problem in hostile_names(projects, place))


def lay_out(projects, place, body):
    reset(projects, place, "green")
    sleep = place.folder / "build/bin" / LEFT_BEHIND
    shutil.copy(shutil.which("sleep"), sleep)
    place.write("outside.txt", "untouched")
    head, marker, tail = (PROGRAM % {"here": place.folder / "build"}).partition('if [ -n "$benchmark" ]')
    place.write("build/bin/train", f"{head}sleep='{sleep}'\n{body}\n{marker}{tail}").chmod(0o755)


def tried(projects, place, program):
    end = "\nkill -ABRT $$\n" if program.name == "abort after the record" else ""
    lay_out(projects, place, program.body)
    with (place.folder / "build/bin/train").open("a") as file:
        file.write(end)
    outcome = place.run(*GATE, "--timeout", str(program.limit_s), environment={**SECRETS, "GITHUB_STEP_SUMMARY": str(place.folder / "step.md")})
    yield from (f"{problem}: {outcome.text[-300:]!r}" for problem in broken(own_commands_removed(outcome)))
    if outcome.status != program.status:
        yield f"status {outcome.status}, expected {program.status}: {outcome.text[-400:]!r}"
    yield from (f"does not say {word!r}" for word in program.words if word not in outcome.text)
    yield from left_behind()
    yield from what_it_wrote(place)


def own_commands_removed(outcome):
    """stepgate's own annotations are workflow commands on purpose, and so are the two lines that guard its table."""
    guard = re.search(rb"^::stop-commands::(\w+)$", outcome.stdout, re.MULTILINE)
    own = (b"::error ", b"::warning ", b"::notice ", *((guard.group(0), b"::" + guard.group(1) + b"::") if guard else ()))
    lines = [line for line in outcome.stdout.split(b"\n") if not line.startswith(own)]
    return dataclasses.replace(outcome, stdout=b"\n".join(lines))


def what_it_wrote(place):
    if (place.folder / "outside.txt").read_text() != "untouched":
        yield "wrote through a planted link"
    stored = 0
    for file in place.out.rglob("*"):
        if file.is_symlink() or not file.is_file():
            continue
        stored += file.stat().st_blocks * 512
        text = file.read_bytes() if file.stat().st_size < 1 << 26 else b""
        yield from (f"{name} is in {file.relative_to(place.out)}" for name, value in SECRETS.items() if value.encode() in text)
    if stored > 32 << 20:
        yield f"stored {stored >> 20} MiB"


def left_behind():
    count = 0
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            stat = (folder / "stat").read_text()
            if f"({LEFT_BEHIND})" in stat and stat.rpartition(")")[2].split()[0] != "Z":
                os.kill(int(folder.name), signal.SIGKILL)
                count += 1
        except OSError:
            continue
    if count:
        yield f"{count} processes outlived their case"


def hostile_names(projects, place):
    """Texts of a record that is otherwise good: operators, boundaries, case parameters, reasons."""
    lay_out(projects, place, "")
    place.add_operator()
    file = place.folder / "build/records/exact.json"
    record = json.loads(file.read_text())
    names = [name for name in HOSTILE if name and "\ud800" not in name and len(name) < 1000]
    record["counts"]["operators"] = {"forward": {name: 2 for name in names}}
    record["params"].update({name: name for name in names})
    record["absent"].update({name: name for name in names})
    place.write("build/records/exact.json", record)
    outcome = place.run(*GATE, "--timeout", str(ENDS_S), environment={"GITHUB_STEP_SUMMARY": str(place.folder / "step.md")})
    yield from (f"{problem}: {outcome.text[-300:]!r}" for problem in broken(own_commands_removed(outcome)))
    if outcome.status == 0:
        yield "a red case became green"
    for name in ("junit.xml", f"out/{CASE}/exact/junit.xml"):
        report = place.folder / name
        if report.exists():
            xml.dom.minidom.parse(str(report))
    for report in place.folder.rglob("*.md"):
        if "<script" in report.read_text(errors="replace"):
            yield f"{report.name} holds a script"
