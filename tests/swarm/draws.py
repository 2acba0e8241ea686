"""One run of the swarm as plain values, drawn from its seed alone."""
import dataclasses
import math
import random

from machine_events import EVENTS, Machine
from planted_faults import FAULTS
from program_features import FEATURES
from step_plan import StepPlan, plain_plan

# How a run measures. Shares are own choices: the timed half takes four times as long.
FORMS = (("pairs_exact", 0.45), ("stored_exact", 0.3), ("pairs_all", 0.25))
# Every third build is unchanged: 3 300 of 10 000 show a rate of wrong reds of 5 % to within 0.8 % (95 %, binomial).
UNCHANGED = 1 / 3
MOST_EVENTS = 3
SIDES = ("base", "head", "twin")   # a twin is a copy of the base: the control that a red asks for


@dataclasses.dataclass
class Draw:
    seed: int
    form: str
    events: list        # of machine_events
    features: list      # of program_features
    fault: object       # of planted_faults, None where the head is unchanged
    machine: Machine
    plans: dict         # side -> StepPlan
    replicates: int     # of the exact half
    process_sd: float   # of the log of a process's times
    window_sd: float    # of the log of a window's times

    def title(self):
        fault = self.fault.name if self.fault else "unchanged"
        return f"seed {self.seed}: {self.form}, {fault}; machine: {names_of(self.events)}; program: {names_of(self.features)}"


def names_of(rows):
    return ", ".join(row.name for row in rows) or "plain"


def draw(seed, only_events=None):
    """`only_events`: names to take in place of drawn ones, for a look at one of them."""
    source = random.Random(f"swarm {seed}")
    form = source.choices([name for name, _ in FORMS], [share for _, share in FORMS])[0]
    events = [event for event in EVENTS if source.random() < event.share]
    source.shuffle(events)
    events = events[:MOST_EVENTS]
    if only_events is not None:
        events = [event for event in EVENTS if event.name in only_events]
    machine = Machine()
    for event in events:
        event.apply(machine, random.Random(f"{event.name} {seed}"))
    features = [feature for feature in FEATURES if source.random() < feature.share]
    base = plain_plan()
    for feature in features:
        feature.apply(base, source)
    fault = None if source.random() < UNCHANGED else fault_for(form, source)
    return Draw(seed=seed, form=form, events=events, features=features, fault=fault, machine=machine,
                plans={"base": base, "head": head_of(base, fault, source), "twin": base},
                replicates=source.choice((1, 1, 1, 2)), process_sd=source.choice((0.001, 0.003, 0.006)),
                window_sd=source.choice((0.001, 0.004)))


def fault_for(form, source):
    """Half of the faults are for times where times are measured."""
    tier = source.choice(("exact", "timed")) if form == "pairs_all" else "exact"
    return source.choice([fault for fault in FAULTS if fault.tier == tier])


def head_of(base, fault, source) -> StepPlan:
    head = base.copy()
    if fault is not None:
        fault.plant(head, source)
    return head


def factor_of(drawn, side, name, number):
    """A function that draws the factor on the times of one window of a process: the process's own level, the machine's
    drift up to it, and the window's noise."""
    source = random.Random(f"{drawn.seed} {side} {name}")
    level = source.gauss(0, drawn.process_sd) + drawn.machine.drift * number
    return lambda: math.exp(level + source.gauss(0, drawn.window_sd))
