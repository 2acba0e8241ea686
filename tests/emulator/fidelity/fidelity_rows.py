"""Distinct calls of traces, their replay, and what is expected of it."""
import collections
import dataclasses
import hashlib
import json
import os
import re
import subprocess

import trace_calls
from trace_calls import Work

EXPECTED = "tests/emulator/fidelity/expected.json"
CONFIRMED = "harness/core/kernels/confirmed_operators.cpp"
UNEXPLAINED = "?"
STANDINGS = ("equal", "different", "lacks_numbers", "on_host")
LONGEST_S = 120


@dataclasses.dataclass
class Row:
    """One distinct call of a trace."""
    trace: str
    call: object
    times: int
    status: str = "not replayed"
    emulated: Work = dataclasses.field(default_factory=Work)

    def key(self):
        return f"{self.trace} {self.call.name} {argument_text(self.call.arguments)}"

    def is_equal(self):
        """Library calls are one kernel each by construction, and memsets beside them are the library's. Whether a copy
        waits is an argument, which a trace of sizes alone does not hold."""
        real, found = self.call.work, self.emulated
        own_memsets = real.library == 0 and found.library == 0
        waits_alike = real.syncs == found.syncs or (not self.call.is_whole and real.copies)
        return (self.status.startswith("ok") and real.own == found.own and waits_alike and
                real.copies == found.copies and (not own_memsets or real.memsets == found.memsets))

    def standing(self):
        """What the call says of the emulation. A trace does not tell where tensors are: a call that launched nothing
        had them on the host, or is one that never launches."""
        if self.is_equal():
            return "equal"
        if not self.call.is_whole and self.status.split(" ")[0] in ("unknown", "failed"):
            return "lacks_numbers"
        if self.call.launches == 0 and self.call.work.text() == "nothing":
            return "on_host"
        return "different"

    def found_text(self):
        return self.emulated.text() if self.status.startswith("ok") else self.status


def argument_text(lines):
    """"bfloat16[1,141,512] 1": short enough for a table."""
    words = []
    for line in lines:
        kind, *rest = line.split("\t")
        if kind == "tensor":
            words.append(f"{rest[0]}[{rest[1]}]" + (f"({rest[2]})" if rest[2] else ""))
        elif kind == "tensors":
            words.append(f"[{rest[0]}[{rest[1]}]]" if rest else "[]")
        else:
            words.append(rest[0] if rest and rest[0] else "-")
    return " ".join(words)


def distinct(trace, calls):
    """(rows, number of calls whose arguments the trace does not hold). Calls of one kind that did different things are
    a row with what most of them did."""
    groups = collections.defaultdict(list)
    unknown = 0
    for call in calls:
        if call.arguments is None:
            unknown += 1
        else:
            groups[call.name, call.arguments].append(call)
    rows = []
    for group in groups.values():
        usual = collections.Counter(call.work.text() for call in group).most_common(1)[0][0]
        rows.append(Row(trace, next(call for call in group if call.work.text() == usual), len(group)))
    return rows, unknown


def work_of(stretch):
    work = Work(own=sum(stretch["own_kernels"].values()), library=sum(stretch["library_kernels"].values()),
                memsets=stretch["memsets"]["count"],
                syncs=sum(count for name, count in stretch["calls"].items() if name in trace_calls.SYNCS))
    work.copies = {name: amount["count"] for name, amount in stretch["copies"].items()}
    return work


def statuses_of(text, ended=None):
    """Number -> status. `ended`: of the call that the process ended in, None where it came to its end; its status is
    what the machine said last."""
    found, said = {}, ""
    for line in text.splitlines():
        number, _, status = line.partition(" ")
        if number.isdigit():
            found[int(number)] = status
        else:
            said = line.strip() or said
    return found if ended is None else found | {ended: f"ended: {said}"}


def replay(build, model, rows, folder):
    """Fills the rows with what the emulated GPU did. A call that it does not model ends the process, and another one goes
    on behind it."""
    calls, next_call = folder / f"{model}.calls", 0
    calls.write_text("".join(trace_calls.lines_for(number, row.call) for number, row in enumerate(rows)))
    while next_call < len(rows):
        next_call = replay_from(build, model, (rows, next_call), calls)


def replay_from(build, model, part, calls):
    """From row part[1] of part[0] on. Returns the first row that is not done."""
    rows, first = part
    log = calls.with_suffix(f".{first}.log")
    environment = dict(os.environ, LD_AUDIT=str(build / "emulated_gpu/libstepgate_emulated_loader.so"),
                       STEPGATE_EMULATED_GPU=f"{model} sizes=held log={str(log).replace('%', '%25').replace(' ', '%20')}")
    done = subprocess.run([build / "bin/replay_calls", calls, str(first)], env=environment, text=True, timeout=LONGEST_S,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    statuses = statuses_of(done.stdout)
    last = max(statuses, default=first - 1)
    if done.returncode != 0:
        last += 1
        statuses = statuses_of(done.stdout, last)
    if last < first:
        raise RuntimeError(f"replay_calls made no call: {done.stdout[-2000:]}")
    stretches = {stretch["mark"]: stretch for stretch in map(json.loads, log.read_text().splitlines())}
    for number in range(first, last + 1):
        rows[number].status = statuses.get(number, "not replayed")
        if f"call {number}" in stretches:
            rows[number].emulated = work_of(stretches[f"call {number}"])
    return last + 1


def digest_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def compared(rows):
    return [row for row in rows if row.standing() in ("equal", "different")]


def totals_of(rows, unknown):
    """Of one trace. Kernels of compared calls count as often as the call came."""
    return {"calls": sum(row.times for row in rows) + unknown, "without_arguments": unknown, "distinct": len(rows),
            **{standing: sum(row.standing() == standing for row in rows) for standing in STANDINGS},
            "own_kernels": sum(row.times * row.call.work.own for row in compared(rows)),
            "own_kernels_emulated": sum(row.times * row.emulated.own for row in compared(rows)),
            "library_kernels": sum(row.times * row.call.work.library for row in compared(rows)),
            "library_calls_emulated": sum(row.times * row.emulated.library for row in compared(rows))}


def differences_of(rows, reasons):
    """What is stored about rows that differ; the reason is what was known of the same difference."""
    found = {}
    for row in rows:
        if row.standing() != "different":
            continue
        entry = {"real": row.call.work.text(), "emulated": row.found_text()}
        known = reasons.get(row.key(), {})
        same = all(known.get(name) == entry[name] for name in entry)
        found[row.key()] = entry | {"reason": known["reason"] if same else UNEXPLAINED}
    return found


def problems_of(expected, totals, differences):
    """What is not as expected, one line each."""
    lines = []
    for trace, found in totals.items():
        stored = expected["traces"].get(trace, {}).get("totals")
        if stored != found:
            lines.append(f"{trace}: totals are {found}, {stored} are stored")
    for key, entry in differences.items():
        if entry["reason"] == UNEXPLAINED:
            lines.append(f"{key}: real {entry['real']}, emulated {entry['emulated']}")
    stored = {key for key in expected["differences"] if key.split(" ")[0] in totals}
    lines += [f"{key}: is stored as different and is equal now" for key in sorted(stored - differences.keys())]
    return lines


def confirmed_by(rows):
    """Operators in calls that launched as many of LibTorch's own kernels on both GPUs."""
    return set().union(*(row.call.operators for row in rows if row.standing() == "equal" and row.call.work.own))


def no_longer_confirmed(root, rows):
    """What stepgate's table says and the traces do not, one line each."""
    stored = re.findall(r'"(aten::\w+)"', (root / CONFIRMED).read_text())
    return [f"{name}: {CONFIRMED} has it, and no call of it launches the same own kernels"
            for name in sorted(set(stored) - confirmed_by(rows))]


def operators_in(value):
    """Names under "operators" at any depth of a baseline."""
    if isinstance(value, list):
        return set().union(*map(operators_in, value))
    if not isinstance(value, dict):
        return set()
    found = set().union(*map(operators_in, value.values()))
    for by_boundary in value.get("operators", {}).values() if isinstance(value.get("operators"), dict) else ():
        if isinstance(by_boundary, dict):
            found |= set(by_boundary)
    return found


def uncovered(root, covered):
    """Operators that the GPU cases of this repository call and no trace holds."""
    called = set()
    for path in sorted((root / "baselines/h100").rglob("*.exact.json")):
        called |= operators_in(json.loads(path.read_text()))
    return sorted(name for name in called if name.startswith("aten::") and name not in covered)
