"""What a profile proves of a planted bottleneck, beside what the mended build wins. Pure: documents in, answers out."""
from bottleneck_rows import is_provable

METRIC = "step_time_ns"
MEASURED = {"pass", "improved", "regressed"}  # what the pairs decided; anything else has figures that may be untrue
SMALLEST, LARGEST = 0.05, 0.60  # effects that the rows are meant to have
HEAD = ["planted", "case", "kind", "its word", "proven", "the mended build wins", "with nothing left", "holds it",
        "no wider than half of it", "wrong kinds proven"]
# What a rebuilt program may win beside what the blocks of a running one show: rebuilt_bias of
# harness/core/study/profile.h, in which the interval of a kind has it already.
REBUILT_BIAS = 0.01
# The metric of the boundary that the experiment of a kind takes away as a whole.
BOUNDARY = {"input": "data_wait_ns", "copy": "h2d_ns", "optimizer": "optimizer_ns", "logging": "logging_ns"}


def step_time_of(outcome):
    return next((each for each in outcome["metrics"] if each["metric"] == METRIC), {})


def problem_of_pairs(outcome):
    """Why the pairs measured nothing, "" where their change of the step can be trusted."""
    metric = step_time_of(outcome)
    if outcome["status"] in ("failed", "skipped") or gain_of(outcome) is None:
        return f"the pairs gave no change of {METRIC}: {outcome['status']}"
    if metric.get("status") in MEASURED:
        return ""
    return f"the pairs decided nothing: {METRIC} is {metric.get('status')} ({metric.get('reason', 'no reason')})"


def gain_of(outcome):
    """(gain, [lower, upper]) of the mended build, which is the head of the comparison; None where it has no interval.

    A relative change of -0.2 is a step that is 20 % shorter."""
    metric = step_time_of(outcome)
    if metric.get("change") is None or "interval" not in metric:
        return None
    return -metric["change"], [-metric["interval"]["upper"], -metric["interval"]["lower"]]


def still_spent(row, outcome):
    """What the mended build still spends in the boundary that the experiment takes away, as a share of the planted
    step; 0 for a row whose proof is not of a whole boundary."""
    if "experiment" in row or "calls_of" in row:
        return 0.0
    left = next((each for each in outcome["metrics"] if each["metric"] == BOUNDARY.get(row["kind"])), {})
    return left.get("current", 0.0) / step_time_of(outcome).get("baseline", 1.0) if left else 0.0


def of_kind(page, kind):
    """Word and interval of the verdict about a kind; an interval only where the kind is proven."""
    found = next((each for each in page["bottlenecks"] if each["kind"] == kind), {})
    word = found.get("proof", "absent")
    return word, found.get("interval") if word == "proven" else None


def of_experiment(page, name):
    """Word and interval of what the mend of one experiment wins. T2/T of twice the threads is a gain of 1 - T2/T."""
    found = next((each for each in page["experiments"] if each["experiment"] == name), {})
    word, interval = found.get("proof", "absent"), found.get("interval")
    if name == "doubled-threads" and interval:
        interval = [1 - interval[1], 1 - interval[0]]
    if word != "proven" or not interval:
        return word, None
    return word, [max(0.0, interval[0] - REBUILT_BIAS), interval[1] + REBUILT_BIAS]


def is_place(cost, place):
    """A place is a line, "transformer.cpp:16", or a function with all its lines."""
    at = cost["at"]
    file, colon, line = place.rpartition(":")
    if colon and line.isdigit():
        return at.get("file", "").split("/")[-1] == file and at.get("line", 0) == int(line)
    return at.get("function") == place


def cost_of(page, place):
    """What the calls of one place cost, {} if that was not measured: of a function the most that is known of it or of
    one of its lines."""
    found = [each for each in page.get("call_costs", []) if is_place(each, place) and "effect" in each]
    return max(found, key=lambda each: each["effect"], default={})


def of_calls(page, places):
    """Word and interval of what leaving out the calls of these places wins: the sum of those that are proven."""
    costs = [cost_of(page, place) for place in places]
    proven = [cost["gain"] for cost in costs if cost.get("proof") == "proven"]
    if not proven:
        return costs[0].get("proof", "absent"), None
    return "proven", [sum(gain[0] for gain in proven), sum(gain[1] for gain in proven)]


def proof_of(row, page):
    if "calls_of" in row:
        return of_calls(page, row["calls_of"])
    return of_experiment(page, row["experiment"]) if "experiment" in row else of_kind(page, row["kind"])


def unmeasured(row, problem):
    return {"case": row["case"], "kind": row["kind"], "provable": is_provable(row), "word": "absent", "proven": None,
            "gain": None, "gain_interval": None, "whole_gain": None, "holds": False, "holds_as_built": False,
            "narrow": False, "wrong": [], "problem": problem}


def judged(row, page, outcome):
    if page.get("stopped"):
        return unmeasured(row, f"the profile stopped: {page['stopped']}")
    answer = unmeasured(row, "")
    known = {row["kind"], *row.get("also", {})}
    answer["wrong"] = [each["kind"] for each in page["bottlenecks"]
                       if each["proof"] == "proven" and each["kind"] not in known]
    answer["word"], answer["proven"] = proof_of(row, page)
    if problem := problem_of_pairs(outcome):
        return {**answer, "problem": problem}
    answer["gain"], answer["gain_interval"] = gain_of(outcome)
    answer["whole_gain"] = answer["gain"] + still_spent(row, outcome)
    if answer["proven"]:
        lower, upper = answer["proven"]
        answer["holds"] = lower <= answer["whole_gain"] <= upper
        answer["holds_as_built"] = lower <= answer["gain"] <= upper
        answer["narrow"] = upper - lower <= abs(answer["gain"]) / 2
    return answer


def percent(interval):
    return f"[{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"


def gain_text(answer):
    if answer["gain"] is None:
        return "not measured"
    away = "" if SMALLEST <= answer["gain"] <= LARGEST else ", outside of 5 to 60 %"
    return f"{100 * answer['gain']:.1f} % {percent(answer['gain_interval'])}{away}"


def whole_gain_text(answer):
    return "" if answer.get("whole_gain") is None else f"{100 * answer['whole_gain']:.1f} %"


def row_text(answer):
    """One line for a person."""
    shown = f"{answer['kind']} {answer['word']}" + (f" {percent(answer['proven'])}" if answer["proven"] else "")
    lines = [answer["problem"]] if answer["problem"] else []
    lines += [f"{', '.join(answer['wrong'])} is proven and is wrong"] if answer["wrong"] else []
    wins = f"the mended build wins {gain_text(answer)}"
    whole = whole_gain_text(answer)
    if whole and answer["whole_gain"] != answer["gain"]:
        wins += f", with nothing left {whole}"
    return "; ".join([*lines, shown, wins])


def status_of(answer):
    if answer["problem"] or answer["wrong"]:
        return "FAILED"
    if not answer["proven"]:
        return "unproven"
    return "ok" if answer["holds"] else "missed"


def summary(answers):
    """{what: how many}, of the answers of all rows."""
    every = list(answers.values())
    return {"bottlenecks": len(every), "right kind proven": sum(bool(each["proven"]) for each in every),
            "interval holds the gain": sum(each["holds"] for each in every),
            "of the mended build as it is": sum(each.get("holds_as_built", each["holds"]) for each in every),
            "interval no wider than half of it": sum(each["narrow"] for each in every),
            "wrong kinds proven": sum(len(each["wrong"]) for each in every),
            "not measured": sum(bool(each["problem"]) for each in every),
            "provable": sum(each["provable"] for each in every),
            "of these proven": sum(each["provable"] and bool(each["proven"]) for each in every)}


def failures_of(counts):
    """What a summary says that must not be, one sentence each."""
    problems = [f"{what} {counts[what]}" for what in ("wrong kinds proven", "not measured") if counts[what]]
    # A profile that proves nothing is never wrong. Half is far below what a sound one proves, and far above none.
    if 2 * counts["of these proven"] < counts["provable"]:
        problems.append(f"only {counts['of these proven']} of {counts['provable']} provable kinds are proven")
    return problems


def cells(name, answer):
    yes = {True: "yes", False: "no"}
    proven = f"{percent(answer['proven'])} %" if answer["proven"] else "nothing"
    wins = answer["problem"] or gain_text(answer)
    return [f"`{name}`", f"`{answer['case']}`", answer["kind"], answer["word"], proven, wins, whole_gain_text(answer),
            yes[answer["holds"]], yes[answer["narrow"]], ", ".join(answer["wrong"]) or "none"]


def with_table(text, answers):
    """`text` with the table of the answers in the place of the one with the same head, else at its end."""
    lines = text.splitlines()
    head = f"| {' | '.join(HEAD)} |"
    table = [head, "|" + " --- |" * len(HEAD)]
    table += ["| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells(name, answer)) + " |"
              for name, answer in answers.items()]
    begin = lines.index(head) if head in lines else len(lines)
    end = begin
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    return "\n".join(lines[:begin] + table + lines[end:]) + "\n"
