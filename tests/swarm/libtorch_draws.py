"""One run with LibTorch on an emulated GPU as plain values, drawn from its seed alone."""
import dataclasses
import random
from typing import Callable

from draws import UNCHANGED, names_of
from machine_events import BOTH, NONE, Event

MODELS = ("h100", "h200", "a100", "l4", "t4")   # harness/emulator/model/device_model.h
MOST_EVENTS = 2


@dataclasses.dataclass
class EmulatedMachine:
    model: str = "h100"
    gpus: int = 1
    settings: list = dataclasses.field(default_factory=list)      # words of STEPGATE_EMULATED_GPU
    script: list = dataclasses.field(default_factory=list)        # lines of harness/emulator/model/device_script.h
    environment: dict = dataclasses.field(default_factory=dict)   # of the launcher
    words: list = dataclasses.field(default_factory=list)         # of the command line
    shell: dict = dataclasses.field(default_factory=dict)         # side -> what its processes do before they begin


@dataclasses.dataclass(frozen=True)
class PlantedFault:
    """A fault of tests/end_to_end/faulty_char_lm.cpp or its neighbour for ranks that counts can show."""
    name: str
    metrics: frozenset
    tier: str = "exact"


@dataclasses.dataclass(frozen=True)
class Program:
    """`events`: those that it can meet. Processes of several ranks would write one log, so these have none."""
    name: str
    case: str
    ranks: int
    share: float
    faults: tuple
    events: tuple


@dataclasses.dataclass
class LibtorchDraw:
    seed: int
    program: Program
    events: list
    fault: PlantedFault
    machine: EmulatedMachine
    training_seed: int
    steps: str
    form: str = "libtorch"

    def title(self):
        fault = self.fault.name if self.fault else "unchanged"
        return f"seed {self.seed}: {self.program.name} on {self.machine.model}, {fault}; " \
               f"machine: {names_of(self.events)}; steps {self.steps}"


def several(machine, random_source):
    machine.gpus = random_source.randrange(3, 9)


def slow_device(machine, random_source):
    machine.settings.append(f"scale={random_source.choice((0, 4, 40))}")


def little_moved(machine, random_source):
    """Ranks compare their weights with each other's, so these have to arrive (seed 800003)."""
    choice = random_source.choice((0, 1, 16))
    machine.settings.append(f"moved_mib={16 if machine.gpus > 1 else choice}")


def lower_clock(machine, random_source):
    machine.script += ["gpu 0 clock_mhz 900", f"gpu 0 after {random_source.randrange(1, 5000)} operations power_limit_w 200",
                       "gpu 0 after 100 operations event_reasons 4"]


def other_process(machine, random_source):
    machine.script.append(f"gpu 0 process 4242 {random_source.randrange(1, 900)}")


def lost_answers(machine, random_source):
    error = random_source.choice((3, 15, 999))
    machine.script.append(f"gpu 0 after {random_source.randrange(0, 4)} readings lost_answers {error}")


def fault_of_gpu(machine, random_source):
    machine.script.append(f"gpu 0 after {random_source.randrange(50, 4000)} operations xid {random_source.choice((31, 79, 94))}")


def out_of_memory(machine, _random_source):
    machine.settings.append("memory_mib=2")


def allocator(machine, random_source):
    machine.environment["PYTORCH_ALLOC_CONF"] = random_source.choice(
        ("expandable_segments:True", "backend:cudaMallocAsync", "max_split_size_mb:64"))
    machine.words += ["--pass-env", "PYTORCH_ALLOC_CONF"]


def lists_of_real_gpus(machine, random_source):
    machine.environment["CUDA_VISIBLE_DEVICES"] = random_source.choice(("", "3", "GPU-9"))


def dead_process(machine, random_source):
    machine.shell["head"] = random_source.choice(("kill -9 $$", "exit 3"))


def dead_rank(machine, random_source):
    machine.shell["head"] = f"export STEPGATE_TEST_FAULT={random_source.choice(('throw', 'crash'))}"


def hung_rank(machine, _random_source):
    machine.shell["head"] = "export STEPGATE_TEST_FAULT=hang"
    machine.words += ["--timeout", "10"]


def late_program(machine, random_source):
    machine.shell[random_source.choice(("base", "head"))] = f"sleep 0.{random_source.randrange(1, 9)}"


# Shares are own choices.
EVENTS = (
    Event("several_gpus", 0.15, NONE, "", several),
    Event("slow_device", 0.2, NONE, "", slow_device),
    Event("little_moved", 0.15, NONE, "", little_moved),
    Event("lower_clock", 0.1, NONE, "", lower_clock),
    Event("other_process", 0.1, NONE, "", other_process),
    Event("lost_answers", 0.1, NONE, "", lost_answers),
    # LibTorch aborts, and the last lines of its output are frames of the stack.
    Event("fault_of_gpu", 0.08, BOTH, "Xid|CUDA error|infrastructure|SIGABRT", fault_of_gpu),
    Event("out_of_memory", 0.04, BOTH, "out of memory|more memory", out_of_memory),
    Event("allocator", 0.2, NONE, "", allocator),
    Event("lists_of_real_gpus", 0.1, NONE, "", lists_of_real_gpus),
    Event("late_program", 0.05, NONE, "", late_program),
    Event("dead_process", 0.05, BOTH, "signal|status", dead_process),
)
EVENTS_OF_RANKS = (
    Event("dead_rank", 0.2, BOTH, "rank 1", dead_rank),
    # Or rank 0 says in which exchange it waited for the other (seed 800004).
    Event("hung_rank", 0.05, BOTH, "timed_out|rank 1|exchange with the other ranks failed", hung_rank),
)


def metrics(*names):
    return frozenset(names)


FAULTS = (
    PlantedFault("extra_operator", metrics("operators_per_step", "own_kernels_per_step")),
    PlantedFault("stray_item", metrics("host_syncs_per_step")),
    PlantedFault("contiguous_copy", metrics("own_kernels_per_step", "memcpys_per_step")),
    PlantedFault("per_token_loss", metrics("own_kernels_per_step")),
    PlantedFault("converted_each_step", metrics("own_kernels_per_step")),
    PlantedFault("batch_norm_added", metrics("own_kernels_per_step")),
    PlantedFault("deeper_model", metrics("own_kernels_per_step")),
    PlantedFault("loss_scaled", metrics("own_kernels_per_step")),
    PlantedFault("gradients_zeroed", metrics("own_kernels_per_step", "memsets_per_step")),
)


FAULTS_OF_RANKS = (
    PlantedFault("sync_each", metrics("operators_per_step")),
)
PROGRAMS = (
    Program("faulty_char_lm", "language/char_lm/tiny", 1, 0.85, FAULTS, EVENTS),
    Program("faulty_char_lm_parallel", "language/char_lm_parallel/tiny", 2, 0.15, FAULTS_OF_RANKS, EVENTS + EVENTS_OF_RANKS),
)


def draw_with_libtorch(seed, only_events=None):
    source = random.Random(f"swarm with LibTorch {seed}")
    program = source.choices(PROGRAMS, [one.share for one in PROGRAMS])[0]
    machine = EmulatedMachine(model=source.choice(MODELS), gpus=program.ranks)
    events = [event for event in program.events if source.random() < event.share]
    source.shuffle(events)
    events = events[:MOST_EVENTS]
    if only_events is not None:
        events = [event for event in program.events if event.name in only_events]
    for event in events:
        event.apply(machine, random.Random(f"{event.name} {seed}"))
    fault = None if source.random() < UNCHANGED else source.choice(program.faults)
    steps = f"counts={source.randrange(2, 7)},memory={source.randrange(4, 9)},numerics=3"
    return LibtorchDraw(seed=seed, program=program, events=events, fault=fault, machine=machine,
                        training_seed=source.randrange(1, 1 << 31), steps=steps)
