"""The tables of the emulated zoo on a page: the page's own words stay around them."""
import json

from emulated_zoo_run import emulated_summary
from fault_rows import Refused
from zoo_page import cells, mark

BEGIN, END = "<!-- emulated zoo -->\n", "<!-- end of emulated zoo -->\n"
HEAD = """
| fault | case | cause | line | the log | without the line | its mend | counterpart | seconds |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""
ONLY_HEAD = """
Faults that no CPU case can have:

| fault | why |
| --- | --- |
"""


def figures_text(row):
    return ", ".join(f"{name} {change if isinstance(change, str) else format(change, '+d')}"
                     for name, change in row["log"].items())


def result_row(row, answer):
    name, case = f"`{row['name']}`", row["case"].split("/", 1)[1]
    if not answer:
        return cells(name, case, "not run", "", "", "", "", "", "")
    cause = f"`{answer['cause'] or 'none'}`"
    if not answer["cause_right"]:
        cause = f"**{cause}, not `{row['cause']}`**"
    log = "several ranks" if "log" not in answer else figures_text(row) if answer["log"] else "**no**"
    line = mark(answer["line_right"]) if "line_right" in answer else "none"

    mended = ", ".join(f"`{metric}`" for metric in answer.get("mended_red", ()))
    mended = f"other red: {mended}" if mended else answer.get("mended", "")

    def green(status):
        return "green" if status == "pass" else f"**{status}**" if status == "regressed" else status
    return cells(name, case, cause if answer["caught"] else "**nothing**", line, log, green(answer.get("reverted", "")),
                 mended, green(answer.get("counterpart", "")), answer["seconds"])


def tables(faults, results):
    answers = results["faults"]
    run = {row["name"]: answers[row["name"]] for row in faults if row["name"] in answers}
    text = f"\n{len(faults)} faults, {len(run)} of them run.\n\n| | |\n| --- | --- |\n"
    text += "".join(cells(what, number) for what, number in emulated_summary(run).items())
    text += HEAD + "".join(result_row(row, run.get(row["name"])) for row in faults)
    text += ONLY_HEAD + "".join(cells(f"`{row['name']}`", row["only_here"]) for row in faults if "only_here" in row)
    return text + "\n"


def write_emulated_page(path, faults, results):
    if not results.is_file():
        raise Refused(f"{results} is missing; ci/emulated_zoo --results {results} runs the faults and writes it")
    text = path.read_text()
    if BEGIN not in text or END not in text:
        raise Refused(f"{path} has no lines {BEGIN.strip()} and {END.strip()}")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    path.write_text(before + BEGIN + tables(faults, json.loads(results.read_text())) + END + after)
