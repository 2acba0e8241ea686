"""The table of all cases on the emulated GPU, for the console and for a page."""
import log_and_record as log

HEAD = ("case", "model", "seconds", "own kernels", "library calls", "memsets", "copies", "syncs", "peak allocated",
        "peak reserved", "log and record", "second run", "as on the real GPU")
ABSENT = "-"


def in_mib(count):
    return f"{count / 2**20:.1f} MiB" if count is not None else ABSENT


def last_step(run):
    """The log's stretch of the last counted step; {} where there is none."""
    steps = [stretch for stretch in run.stretches if stretch["mark"].startswith("counts ") and
             not stretch["mark"].startswith("counts begin")]
    return steps[-1] if steps else {}


def recorded_counts(run):
    """Of several ranks, whose log was not written: kernels are not told apart."""
    per_step = run.record.get("counts", {}).get("per_step", {})
    last = {name: values[-1] for name, values in per_step.items() if values}
    metrics = ("kernels_per_step", "memsets_per_step", "memcpys_per_step", "device_syncs_per_step")
    kernels, memsets, copies, syncs = (last.get(metric, ABSENT) for metric in metrics)
    return (f"{kernels} with library calls" if kernels != ABSENT else ABSENT, ABSENT, memsets, copies, syncs)


def counts(run):
    step = last_step(run)
    if not step:
        return recorded_counts(run)
    return (sum(step["own_kernels"].values()), sum(step["library_kernels"].values()), log.memsets(step),
            log.copies(step), log.syncs(step))


def log_cell(comparison):
    if comparison is None:
        return "several ranks: no log"
    if comparison.differences:
        return f"**{len(comparison.differences)} of {comparison.figures} differ**"
    return f"{comparison.figures} equal"


def differing_text(repeats):
    """Of the repeated runs of one case: how many integers differ of how many."""
    if not repeats:
        return "not made"
    integers, different = (sum(amounts) for amounts in
                           zip(*((repeat["integers"], len(repeat["different"])) for repeat in repeats)))
    return f"**{different} of {integers} differ**" if different else f"{integers} equal"


def repeat_cell(answer):
    return differing_text(answer["repeats"])


def conditions_table(answers):
    """Cases and the conditions that they were repeated under; [] where no case was."""
    names = list(dict.fromkeys(repeat["condition"] for answer in answers for repeat in answer["repeats"]))
    if not names:
        return []
    lines = [row_text(("case", "model", *names))]
    for answer in answers:
        made = ([repeat for repeat in answer["repeats"] if repeat["condition"] == name] for name in names)
        lines.append(row_text((f"`{answer['case']}`", answer["model"], *map(differing_text, made))))
    return lines


def real_cell(answer):
    """A difference is a fact about the emulation, no failure."""
    if answer.get("real") is None:
        return ABSENT
    equal, lines = answer["real"]
    return f"{equal} of {equal + len(lines)} metrics equal"


def cells(answer):
    """`answer`: of one case on one model (ci/emulated_gpu)."""
    run = answer["run"]
    begin = (f"`{answer['case']}`", answer["model"], f"{run.seconds:.1f}")
    if run.failure:
        return begin + (f"**{run.failure}**",) + ("",) * (len(HEAD) - len(begin) - 1)
    memory = run.record.get("memory", {})
    return begin + counts(run) + (in_mib(memory.get("peak_allocated_bytes")), in_mib(memory.get("peak_reserved_bytes")),
                                  log_cell(answer["comparison"]), repeat_cell(answer), real_cell(answer))


def row_text(values):
    return "| " + " | ".join(" ".join(str(value).split()).replace("|", "\\|") for value in values) + " |"


def with_table(text, answers):
    """`text` with the table in the place of the one with the same head, else at its end."""
    lines = text.splitlines()
    head = row_text(HEAD)
    table = [head, "|" + " --- |" * len(HEAD)] + [row_text(cells(answer)) for answer in answers]
    begin = lines.index(head) if head in lines else len(lines)
    if begin == len(lines) and lines and lines[-1]:
        table.insert(0, "")
    end = begin
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    return "\n".join(lines[:begin] + table + lines[end:]) + "\n"
