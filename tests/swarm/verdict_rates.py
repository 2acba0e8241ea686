"""What a run says about its planted fault, or about its unchanged head, and whether the rates over all runs hold."""
import dataclasses
import enum
import math
import re



class Answer(enum.Enum):
    RED = "red"                    # the planted fault's metric
    MISSED = "missed"              # judged and not red, or not judged without a reason of the machine
    NOT_JUDGED = "not judged"      # the machine was made unfit, and the run says by what
    NO_EFFECT = "no effect"        # the fault does not show in the device's log
    RIGHT = "not red"              # unchanged
    WRONG_RED = "wrong red"        # unchanged


@dataclasses.dataclass(frozen=True)
class Judged:
    answer: Answer
    tier: str
    by: str = ""    # the event that made the machine unfit, or the metric that is red


# A rate is broken where chance explains what was seen with less than this. 10 000 runs ask a dozen such questions, so a
# night is red by chance once in some years.
CHANCE = 0.001
MOST_WRONG_REDS = 0.05
LEAST_RED = 0.95


def reds_of(run, tier=None):
    verdict = run.verdict()
    if verdict is None:
        return set()
    exact = {"exact", "bytes", "numeric"}
    return {metric["metric"] for outcome in verdict["outcomes"] for metric in outcome["metrics"]
            if metric["status"] == "regressed" and metric["gating"]
            and (tier is None or (metric["tier"] in exact) == (tier == "exact"))}


def judged_tiers(run):
    return ("exact", "timed") if run.drawn.form == "pairs_all" else ("exact",)


def excuse_of(run, tier):
    """The drawn event that made this half unfit and of which the run speaks; "" where there is none."""
    names = {event.name for event in run.drawn.events}
    for event in run.drawn.events:
        alone = event.only_with and not event.only_with & names
        if tier in event.unfit and not alone and re.search(event.said, run.said()):
            return event.name
    return ""


def answers_of(run):
    """One for a fault, one for each half of an unchanged head."""
    fault = run.drawn.fault
    if fault is None:
        return [unchanged_answer(run, tier) for tier in judged_tiers(run)]
    if not run.fault_stands_in_log():
        return [Judged(Answer.NO_EFFECT, fault.tier)]
    if fault.metrics & reds_of(run) and run.last.status == 1:
        return [Judged(Answer.RED, fault.tier, fault.name)]
    excuse = excuse_of(run, fault.tier)
    return [Judged(Answer.NOT_JUDGED if excuse else Answer.MISSED, fault.tier, excuse or fault.name)]


def was_judged(run, tier):
    """The exit status is that of the half that could not be."""
    return re.search(rf"^judged:.*\b1 {tier} of 1\b", run.said(), re.MULTILINE) is not None


def unchanged_answer(run, tier):
    reds = reds_of(run, tier)
    if reds:
        return Judged(Answer.WRONG_RED, tier, ", ".join(sorted(reds)))
    if run.last.status in (0, 1, 4) or was_judged(run, tier):
        return Judged(Answer.RIGHT, tier)
    excuse = excuse_of(run, tier)
    return Judged(Answer.NOT_JUDGED if excuse else Answer.MISSED, tier, excuse or f"status {run.last.status}")


def at_least(number, of, rate):
    """The probability of so many or more among `of` where each comes with this rate."""
    def logarithm_of(one):  # the binomial coefficient of 3 000 runs is no float
        ways = math.lgamma(of + 1) - math.lgamma(one + 1) - math.lgamma(of - one + 1)
        return ways + one * math.log(rate) + (of - one) * math.log1p(-rate)
    return min(1.0, math.fsum(math.exp(logarithm_of(one)) for one in range(number, of + 1)))


def broken_rates(judged):
    """A sentence for each rate that chance does not explain. In the exact half one wrong red is one too many."""
    for tier in ("exact", "timed"):
        of_tier = [one.answer for one in judged if one.tier == tier]
        red, missed = of_tier.count(Answer.RED), of_tier.count(Answer.MISSED)
        wrong, right = of_tier.count(Answer.WRONG_RED), of_tier.count(Answer.RIGHT)
        if red + missed and at_least(missed, red + missed, 1 - LEAST_RED) < CHANCE:
            yield f"{tier}: {missed} of {red + missed} planted faults are not red; 5 % would be allowed"
        most = 0 if tier == "exact" else MOST_WRONG_REDS
        if wrong and (most == 0 or at_least(wrong, wrong + right, most) < CHANCE):
            yield f"{tier}: {wrong} of {wrong + right} unchanged heads are red; {most:.0%} would be allowed"
