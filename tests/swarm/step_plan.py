"""What one step of a scripted training program does: the calls, bytes and times of each boundary. Plain values."""
import copy
import dataclasses

BOUNDARIES = ("data_wait", "h2d", "forward", "backward", "optimizer", "logging")
MIB = 1 << 20
US = 1000


@dataclasses.dataclass
class Work:
    """One boundary of a step. Each field that is a number of calls counts calls of one step."""
    host_ns: int = 0
    device_ns: int = 0
    operators: dict = dataclasses.field(default_factory=dict)
    kernels: int = 0
    memsets: int = 0
    host_syncs: int = 0
    device_syncs: int = 0
    d2h_copies: int = 0
    graph_launches: int = 0
    device_allocations: int = 0
    kept_bytes: int = 0        # one block, freed at the end of the step
    temporary_bytes: int = 0   # one block, freed at the end of the boundary
    waits: bool = False        # the host waits here for all that it gave the device


@dataclasses.dataclass
class Batch:
    samples: int = 64
    tokens: int = 6000         # those that are not padding
    padding: int = 400
    copies: int = 2
    bytes: int = 38 * MIB
    pageable: int = 0          # how many of the copies
    loader_operators: int = 0
    shapes: tuple = (1,)       # of the batches, in turn


@dataclasses.dataclass
class StepPlan:
    work: dict = dataclasses.field(default_factory=lambda: {boundary: Work() for boundary in BOUNDARIES})
    batch: Batch = dataclasses.field(default_factory=Batch)
    copy_overlaps: bool = True       # batches are copied on a stream of their own, one step ahead
    held_graphs: int = 0             # of each step, never released
    leaked_bytes: int = 0            # of each step, never freed
    wasted_bytes: int = 0            # of each step: the allocator asks for more than it hands out
    allocator_retries: int = 0       # of each step
    late_shape: bool = False         # a batch of a new shape among the counted steps
    first_step_factor: float = 4

    def at(self, boundary):
        return self.work[boundary]

    def copy(self):
        return copy.deepcopy(self)


def plain_plan():
    """About 3 ms of compute; the copy of 1.5 ms overlaps with the step before."""
    plan = StepPlan()
    plan.work = {
        "data_wait": Work(host_ns=400 * US),
        "h2d": Work(host_ns=20 * US, device_ns=1500 * US),
        "forward": Work(host_ns=100 * US, device_ns=1000 * US, operators={"aten::conv2d": 8}, kernels=8, kept_bytes=4 * MIB),
        "backward": Work(host_ns=150 * US, device_ns=1700 * US, operators={"aten::convolution_backward": 8}, kernels=16,
                         temporary_bytes=MIB),
        "optimizer": Work(host_ns=50 * US, device_ns=300 * US, operators={"aten::_foreach_add_": 2}, kernels=2),
        "logging": Work(host_ns=5 * US),
    }
    return plan
