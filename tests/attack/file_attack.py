"""Mutates every kind of file that stepgate reads, and runs the commands that read it."""

import collections
import json
import random as random_numbers
import shutil
import signal
import time

import mutator
import study_targets
from forms import JournalForm
from invariants import broken, hostile_bytes
from schema import is_valid
from target import Target
from workplace import BENCHMARK_CASE, CASE

EXACT = f"out/{CASE}/exact"
CHECK = ("check", f"{EXACT}/measurement.json", "--build", "build", "--out", "checked")
REPORT = ("report", CASE, "--build", "build")
JUDGED = ("report", "--expect-all", "--judged", "judged.txt", "--build", "build")
BEGIN = ("report", "--begin", "--build", "build")
LEDGER = ("report", "--ledger", CASE, "--build", "build")
TIMELINE = ("report", "--ledger", CASE, "--timeline", "timeline.json", "--build", "build")
LINT = ("baseline", "lint", "--build", "build")
SHOW = ("baseline", "show", CASE, "--build", "build")
DIFF = ("baseline", "diff", "--build", "build")
ACCEPT = ("baseline", "accept", CASE, "--build", "build", "--reason", "attack", "--local")
APPEND = ("baseline", "accept", CASE, "--build", "build", "--reason", "attack", "--local", "--append", "sessions/one.json")
GATE = ("gate", CASE, "--build", "build", "--tier", "exact", "--exact-replicates", "1", "--quiet")
GATE_TWICE = ("gate", CASE, "--build", "build", "--tier", "exact", "--exact-replicates", "2", "--quiet")
GATE_LIMITS = (*GATE, "--base-build", "base")
GATE_TIMES = ("gate", CASE, "--build", "build", "--tier", "timed", "--replicates", "1", "--quiet")
GATE_BENCHMARK = ("gate", BENCHMARK_CASE, "--build", "build", "--tier", "timed", "--replicates", "1", "--quiet")
LIST = ("list", "--build", "build")
COMPARE = ("compare", "before", EXACT)
AB = ("ab", CASE, "--build", "build", "--base-build", "base", "--tier", "timed", "--pairs", "4", "--interleave", "processes",
      "--order-seed", "5", "--quiet")
SWEEP = ("sweep", CASE, "--build", "build", "--vary", "batch_size=8,16", "--replicates", "1", "--quiet")
# One process of the case after the other, and no experiments: tenths of a second.
PROFILE = ("profile", CASE, "--build", "build", "--param", "batch_size=8", "--prove", "off", "--schedule", "none", "--replicates", "2", "--quiet")
PROFILED = ("report", "--profile", CASE, "--build", "build")
CHECKLIST = (*PROFILED, "--checklist")
PROFILED_JSON = (*PROFILED, "--json")
TRACE = ("profile", "--trace", "traces/two_steps.json")
TRACE_JSON = (*TRACE, "--json")
IMPORTS = {tool: ("history", "import", f"imports/{tool}.json", "--commit", "4be1c0f", "--to", f"history-{tool}")
           for tool in ("google-benchmark", "nvbench", "pyperf")}
RECOVER = ("recover",)
MERGE = ("merge", "plan")
HISTORY_ADD = ("history", "add", f"{EXACT}/measurement.json", "--to", "history")
HISTORY_SHOW = ("history", "show", "--history", "history")
HISTORY_CHECK = ("history", "check", "--history", "history")
HISTORY_ACK = ("history", "ack", f"{CASE}:operators_per_step@box", f"{6:012x}", "--reason", "a layer more", "--history", "history")


# Touching these keys changes what is compared, so that another verdict is right.
COUNTS = ("counts", "exact", "metrics")
GROWTH = ("growth", "bytes")
LIMITS = ("exact_tolerance", "waivers")
GREEN_TARGETS = [
    Target("manifest", "build/stepgate-manifest.json", [LIST, GATE, LINT], "manifest", verdicts=(GATE,)),
    Target("policy", "policies/toys/policy.json", [CHECK, LINT], "policy", verdicts=(CHECK,)),
    Target("baseline", f"baselines/portable/{CASE}.json", [CHECK, LINT, SHOW], "baseline", verdicts=(CHECK, LINT)),
    Target("baseline with growth", f"baselines/portable/{CASE}.json", [CHECK, LINT, SHOW], "baseline", project="growth", verdicts=(CHECK, LINT)),
    Target("baseline with calls", f"baselines/portable/{CASE}.json", [CHECK, LINT, SHOW], "baseline", project="calls", verdicts=(CHECK,)),
    Target("measurement with calls", f"{EXACT}/measurement.json", [CHECK], project="calls", verdicts=(CHECK,)),
    Target("pending baseline", f"out/pending/portable/{CASE}.json", [DIFF, ACCEPT], "baseline", project="pending", verdicts=(ACCEPT,)),
    Target("measurement", f"{EXACT}/measurement.json", [CHECK, LEDGER, TIMELINE, COMPARE], "measurement", verdicts=(CHECK,)),
    Target("measurement for a history", f"{EXACT}/measurement.json", [HISTORY_ADD, HISTORY_SHOW], reads_back=(HISTORY_SHOW,)),
    Target("session of a history", "history/box/2026/05.json", [HISTORY_SHOW, HISTORY_CHECK], project="history"),
    Target("newest session of a history", "history/box/2026/11.json", [HISTORY_CHECK], project="history"),
    Target("acknowledged change", "history/acknowledged/one.json", [HISTORY_SHOW, HISTORY_CHECK], project="history"),
    Target("renames of a history", "history/renames.json", [HISTORY_SHOW], project="history"),
    Target("session", "sessions/one.json", [APPEND], "baseline", project="session", verdicts=(APPEND,)),
    Target("verdict", f"{EXACT}/verdict.json", [REPORT, GATE], "verdict", verdicts=(REPORT,), unread=("unit", "tier", "direction", "/outcomes_by_status", "/status")),
    Target("verdict of a suite", f"{EXACT}/verdict.json", [JUDGED], verdicts=(JUDGED,), untouched=77, whole=True, written=("judged.txt",)),
    Target("verdict of times", f"out/{CASE}/timed/verdict.json", [REPORT, JUDGED], project="session", written=("judged.txt",)),
    Target("verdict of a killed run", f"{EXACT}/verdict.json", [REPORT, GATE], project="killed", verdicts=(REPORT,), untouched=3, whole=True),
    Target("previous verdict", f"{EXACT}/previous-verdict.json", [REPORT, GATE], project="killed", verdicts=(REPORT,), untouched=3, whole=True),
    Target("number of the suite", "out/suite.txt", [REPORT, GATE], project="begun", verdicts=(REPORT,), whole=True),
    Target("exact record", "build/records/exact.json", [GATE], "run_record", verdicts=(GATE,)),
    Target("timed record", "build/records/timed.json", [GATE_TIMES]),
    Target("record of requests", "build/records/timed.json", [GATE_TIMES], project="answers"),
    Target("reference record", "build/records/reference.json", [GATE_TIMES]),
    Target("Google Benchmark output", "build/records/benchmark.json", [GATE_BENCHMARK]),
    Target("profile record", "build/records/profile.json", [PROFILE, PROFILED], reads_back=(PROFILED,)),
    Target("profile", f"out/profile/{CASE}/profile.json", [PROFILED, CHECKLIST, PROFILED_JSON], project="profiled"),
    *(Target(f"results of {tool}", f"imports/{tool}.json", [words, ("history", "show", "--history", f"history-{tool}")],
             reads_back=(("history", "show", "--history", f"history-{tool}"),)) for tool, words in IMPORTS.items()),
    Target("trace", "traces/two_steps.json", [TRACE, TRACE_JSON]),
    Target("list of cases", "build/records/cases.json", [SWEEP], limit_s=40),  # a program may take 30 s to list its cases
    Target("plan of pairs", f"out/{CASE}/ab/ab.json", [AB], project="pairs"),
    Target("pair", f"out/{CASE}/ab/pairs/001/base/measurement.json", [AB], "measurement", project="pairs"),
    Target("policy of a base", "base/policies/toys/policy.json", [GATE_LIMITS], project="red limits"),
    Target("baseline of a base", f"base/baselines/portable/{CASE}.json", [GATE_LIMITS], project="red limits"),
    Target("journal", "state/guard.journal", [RECOVER], project="journal", form=JournalForm),
    *study_targets.STUDY_TARGETS,
]
RED_TARGETS = [
    Target("red baseline", f"baselines/portable/{CASE}.json", [CHECK], project="red", verdicts=(CHECK,), deciding=COUNTS),
    Target("red growth", f"baselines/portable/{CASE}.json", [CHECK], project="red growth", verdicts=(CHECK,), deciding=GROWTH),
    Target("red calls", f"baselines/portable/{CASE}.json", [CHECK], project="red calls", verdicts=(CHECK,), deciding=COUNTS),
    Target("red measurement", f"{EXACT}/measurement.json", [CHECK], project="red", verdicts=(CHECK,), deciding=COUNTS),
    Target("red hazards", f"{EXACT}/measurement.json", [CHECK], "measurement", project="red hazards", verdicts=(CHECK,), deciding=("hazards",)),
    Target("red policy", "policies/toys/policy.json", [CHECK], project="red", verdicts=(CHECK,), deciding=LIMITS),
    Target("red limits", "policies/toys/policy.json", [GATE_LIMITS], project="red limits", verdicts=(GATE_LIMITS,), deciding=LIMITS),
    Target("red record", "build/records/exact.json", [GATE], project="red", verdicts=(GATE,), deciding=COUNTS),
    Target("red manifest", "build/stepgate-manifest.json", [GATE], project="red", verdicts=(GATE,)),
    Target("plan for nodes", "plan/plan.json", [MERGE], "shard_plan", project="red plan", verdicts=(MERGE,), sealed=True),
    Target("policy of a plan", "plan/policies/toys/policy.json", [MERGE], project="red plan", verdicts=(MERGE,), sealed=True),
    Target("manifest of a plan", "plan/head-manifest.json", [MERGE], project="red plan", verdicts=(MERGE,), sealed=True),
    Target("result of a node", f"plan/exact/{CASE}/000.0.json", [MERGE], project="red plan", verdicts=(MERGE,), deciding=COUNTS),
]


def prepare(projects, place):
    """Fills `projects` with one prepared project per kind. Each is made at `place`, because manifests hold whole paths."""
    def keep(name):
        shutil.copytree(place.folder, projects / name, symlinks=True)

    place.lay_out()
    expect(place.gate, 5)
    keep("pending")
    expect(place.accept, 0)
    expect(place.gate, 0)
    shutil.copytree(place.out, place.folder / "before")
    keep("green")
    prepare_session(place)
    keep("session")
    reset(projects, place, "green")
    prepare_history(place)
    keep("history")
    (place.folder / "history/acknowledged/one.json").unlink()
    expect(lambda: place.run(*HISTORY_CHECK), 1)
    keep("alert")
    reset(projects, place, "green")
    expect(lambda: place.run(*BEGIN), 0)
    expect(place.gate, 0)
    keep("begun")
    prepare_killed(place)
    keep("killed")
    reset(projects, place, "green")
    place.add_operator()
    expect(place.gate, 1)
    keep("red")
    prepare_plan(place)
    keep("red plan")
    reset(projects, place, "green")
    place.loosen()
    expect(lambda: place.run(*GATE_LIMITS), 1)
    keep("red limits")
    prepare_growth(projects, place, keep)
    for kind in ("", "red "):
        reset(projects, place, kind.strip() or "green")
        place.call()
        keep(f"{kind}calls")
    reset(projects, place, "green")
    place.race()
    expect(lambda: place.run(*CHECK), 1)
    shutil.rmtree(place.folder / "checked")
    keep("red hazards")
    reset(projects, place, "green")
    expect(lambda: place.run(*PROFILE), 0)
    keep("profiled")
    reset(projects, place, "green")
    place.answer()
    keep("answers")
    reset(projects, place, "green")
    place.edit()
    keep("edited")
    reset(projects, place, "red")
    expect(lambda: place.run(*AB), 4)
    shutil.rmtree(place.out / CASE / "ab/pairs/003")
    keep("pairs")
    place.write("state/guard.journal", JournalForm.text_of(journal(place.folder)))
    keep("journal")
    reset(projects, place, "green")
    study_targets.prepare(place, expect, keep)


def prepare_session(place):
    """A runner baseline of one session, and a second session to append."""
    expect(lambda: place.gate("timed"), 5)
    expect(place.accept, 0)
    time.sleep(1.1)  # sessions are told apart by their second
    expect(lambda: place.gate("timed"), 4)
    (place.folder / "sessions").mkdir()
    (place.out / f"pending/local/{CASE}.json").rename(place.folder / "sessions/one.json")


def prepare_history(place):
    """Twelve sessions, a counter that rises in the seventh, and somebody who accepts that."""
    values = {"key": "k", "values": {"operators_per_step": [100, 2, 0]}}
    for number in range(12):
        values["values"]["operators_per_step"][0] = 100 + (number >= 6)
        document = {"schema": {"name": "stepgate.history_session", "major": 1, "minor": 2}, "class": "box",
                    "utc": f"2026-10-{number + 1:02}T03:00:00Z", "commit": f"{number:012x}", "commit_number": number + 1,
                    "first_parent_number": number + 1, "parents": [f"{number - 1:012x}"] if number else [], "sequence": number,
                    "run": f"{number:016x}", "keys": {"k": {"torch": "2.11"}}, "cases": {CASE: {"exact": values}}}
        place.write(f"history/box/2026/{number:02}.json", json.dumps(document))
    place.write("history/acknowledged/one.json", json.dumps(
        {"schema": {"name": "stepgate.history_acknowledgement", "major": 1, "minor": 1}, "commit": f"{6:012x}",
         "series": f"{CASE}:operators_per_step@box", "reason": "a layer more", "utc": "2026-10-08T03:00:00Z", "change": 0.01}))
    place.write("history/renames.json", json.dumps(
        {"schema": {"name": "stepgate.history_renames", "major": 1, "minor": 0},
         "renames": [{"from": "old/case", "to": CASE, "commit": f"{1:012x}"}]}))
    expect(lambda: place.run(*HISTORY_CHECK), 0)


def prepare_growth(projects, place, keep):
    """A baseline of two processes that holds what each of them grew by, and a head that grows four times as fast."""
    reset(projects, place, "green")
    place.baseline.unlink()
    place.grow(30_000)
    expect(lambda: place.run(*GATE_TWICE), 5)
    expect(place.accept, 0)
    if "growth" not in json.loads(place.baseline.read_text()):
        raise SystemExit("attack: the baseline holds no growth")
    expect(lambda: place.run(*GATE_TWICE), 0)
    keep("growth")
    place.grow(120_000)
    expect(lambda: place.run(*GATE_TWICE), 1)
    keep("red growth")


def prepare_plan(place):
    """A plan for one node, which has measured the red head."""
    expect(lambda: place.run("plan", "ab", CASE, "--build", "build", "--base-build", "base", "--tier", "exact", "--exact-replicates", "1",
                             "--shards", "1", "--out", "plan"), 0)
    expect(lambda: place.run("shard", "run", "plan", "1"), 0)
    expect(lambda: place.run(*MERGE), 1)


def prepare_killed(place):
    """A gate that passed, and one of the same program that was killed while it measured."""
    program = place.folder / "build/bin/train"
    whole = program.read_text()
    program.write_text(whole.replace("replicate=0\n", "kill -KILL $PPID\n", 1))
    expect(place.gate, -signal.SIGKILL)
    program.write_text(whole)


def journal(folder):
    """A dead run that changed one file below `folder` and paused one process."""
    run = {"boot_id": "another", "pid": 4000000, "start_ticks": 1, "utc": "20261122T100000Z", "command": "stepgate gate",
           "boot_time_s": 0}
    change = {"knob": "turbo", "kind": "file", "target": str(folder / "no_turbo"), "original": "0", "wanted": "1",
              "restore_rank": 10, "number": 0}
    paused = {"knob": "interrupts", "kind": "paused_process", "target": "4000001 1", "original": "running",
              "wanted": "stopped", "restore_rank": 20, "number": 1}
    return [{"run": run}, {"change": change}, {"change": paused}, {"applied": {"number": 0, "after": "1"}}]


def expect(action, status):
    """The untouched project must behave as the attack assumes."""
    outcome = action()
    if outcome.status != status:
        raise SystemExit(f"attack: {' '.join(outcome.words)} ended with {outcome.status}, expected {status}:\n{outcome.text}")


def reset(projects, place, project):
    """The place itself stays: it may be a mount point."""
    for entry in place.folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    shutil.copytree(projects / project, place.folder, symlinks=True, dirs_exist_ok=True)


class FileAttack:
    """Draws targets and mutations from one seed. Each mutation has a number, and depends on nothing but the two: so parts of an attack
    try together what the whole does, and one can be tried again alone."""

    def __init__(self, projects, place, seed):
        self.projects = projects
        self.place = place
        self.seed = seed
        self.counts = collections.Counter()

    def check_untouched(self):
        """Without a mutation every verdict is what its project says, else the attack would find nothing."""
        for target in GREEN_TARGETS + RED_TARGETS:
            for words in target.verdicts:
                reset(self.projects, self.place, target.project)
                expect(lambda: self.place.run(*words), 1 if target.is_red else target.untouched)

    def run(self, numbers):
        """Yields a text for each mutation of these numbers that broke an invariant."""
        targets = GREEN_TARGETS * 2 + RED_TARGETS
        for number in numbers:
            yield from self.one(number, targets[number % len(targets)])

    def one(self, number, target):
        text = target.at(self.projects / target.project).read_bytes()
        mutation = mutator.mutate(text, target.form, random_numbers.Random(f"{self.seed} {number}"))
        yield from (f"mutation {number}: {problem}" for problem in self.tried(target, mutation))

    def tried(self, target, mutation):
        reset(self.projects, self.place, target.project)
        mutator.put(mutation, target.at(self.place.folder))
        before = None
        for words in target.commands:
            outcome = self.place.run(*words, limit_s=target.limit_s)
            self.counts[target.name] += 1
            problems = broken(outcome) + hostile_files(self.place, target) + wrong_verdict(target, mutation, words, outcome)
            if words in target.reads_back and before == 0 and outcome.status != 0:
                problems.append("cannot be read, and the command before stored it")
            before = outcome.status
            for problem in problems:
                yield f"{target.name}, {mutation.name}; {' '.join(words)}: {problem}\n    {outcome.text[:300]!r}"


def hostile_files(place, target):
    """What is wrong with the files that the command wrote for others."""
    files = [place.folder / name for name in target.written if (place.folder / name).is_file()]
    return [problem for file in files for problem in hostile_bytes(file.name, file.read_bytes())]


def wrong_verdict(target, mutation, words, outcome):
    """A sentence where status 0 is not the right verdict."""
    if outcome.status != 0 or words not in target.verdicts:
        return []
    if target.whole and mutation.of_value:
        return ["a result counts that does not"]
    if target.is_red and (target.sealed or not decides(target, mutation)):
        return ["a red case became green"]
    read = mutation.of_value and not is_unread(target, mutation)
    if target.schema and read and not is_valid(mutation.document, target.schema):
        return ["a document that does not follow its schema passed"]
    return []


def is_unread(target, mutation):
    return any(step in target.unread for step in (*mutation.keys, *("/" + str(key) for key in mutation.keys[:1])))


def decides(target, mutation):
    return not mutation.keys or any(step in target.deciding for step in mutation.keys)
