"""docs/zoo.md: every fault, what the gate said about it, and which other tools would have seen it."""
import json

from fault_rows import PEERS, Refused
from zoo_run import summary

HEAD = """# The zoo

Changes that teams land by accident, as patches of this repository's workloads. Each has a counterpart that touches the
same place without effect and must stay green. `ci/zoo` builds them, gates them against the unpatched build and writes
this page ([how](design/causes.md#the-zoo)). A fault that is not found stays in the table.

"""

TABLE_HEAD = """
*Found by*: the tier that is red. *Cause* and *line*: whether the first cause has the right code, and names the line of
the patch; `none` where a fault has no line of its own. *Seconds*: of the gate, without the build.

| fault | class | workload | found by | cause | line | counterpart | seconds |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""

PEERS_HEAD = """
## Other tools on the same faults

These columns are not measured. They follow from what a tool compares and from how much a fault costs.

- *Kernel benchmark*: a micro-benchmark of the kernels that the workload calls.
- *compare.py*: Google Benchmark's comparison of step times, five repetitions of each build, on a shared machine.
- *Golden losses*: a file of expected losses, rtol 1e-4.

| fault | kernel benchmark | compare.py | golden losses |
| --- | --- | --- | --- |
"""


def cells(*texts):
    return "| " + " | ".join(str(text).replace("|", "\\|") for text in texts) + " |\n"


def mark(right):
    return "yes" if right else "**no**"


def result_row(row, answer):
    name, workload = f"`{row['name']}`", row["case"].split("/")[1]
    if not answer:
        return cells(name, row["class"], workload, "not run", "", "", "", "")
    found = answer["tier"] if answer["caught"] else "**nothing**"
    cause = f"`{answer['cause'] or 'none'}`"
    if not answer["cause_right"]:
        cause = f"**{cause}, not `{row['cause']}`**"
    line = mark(answer["line_right"]) if "line_right" in answer else "none"
    green = "green" if answer["counterpart"] == "pass" else f"**{answer['counterpart']}**"
    return cells(name, row["class"], workload, found, cause, line, green, answer["seconds"])


def unchanged_rows(unchanged):
    """`unchanged`: {"exact": {status: runs}} of builds whose patches have no effect."""
    text = ""
    for tier, counts in sorted(unchanged.items()):
        if runs := sum(counts.values()):
            others = "".join(f", {count} {status}" for status, count in sorted(counts.items())
                             if status not in ("pass", "regressed"))
            text += cells(f"unchanged, {tier}", f"{counts.get('regressed', 0)} red of {runs}{others}")
    return text


def page(faults, results):
    answers = results["faults"]
    run = {row["name"]: answers[row["name"]] for row in faults if row["name"] in answers}
    text = HEAD + f"{len(faults)} faults, {len(run)} of them run.\n\n| | |\n| --- | --- |\n"
    text += "".join(cells(what, number) for what, number in summary(run).items())
    text += unchanged_rows(results.get("unchanged", {}))
    text += TABLE_HEAD + "".join(result_row(row, run.get(row["name"])) for row in faults)
    text += PEERS_HEAD
    for row in faults:
        text += cells(f"`{row['name']}`", *(row[peer] for peer in PEERS))
    seen = (sum(row[peer].startswith("yes") for row in faults) for peer in PEERS)
    return text + cells("**seen**", *(f"{number} of {len(faults)}" for number in seen))


def write_page(path, faults, results):
    if not results.is_file():
        raise Refused(f"{results} is missing; ci/zoo --results {results} runs the faults and writes it")
    path.write_text(page(faults, json.loads(results.read_text())))
