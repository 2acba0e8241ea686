"""What a scripted training program may be like. Each feature is a row: how often it is drawn, and what it does to the plan."""
import dataclasses
from typing import Callable

from step_plan import MIB


@dataclasses.dataclass(frozen=True)
class Feature:
    """`apply(plan, random)` changes the plan of both builds alike. `share`: how many of the programs have it."""
    name: str
    share: float
    apply: Callable


def scale(work, times):
    work.operators = {name: int(number * times) for name, number in work.operators.items()}
    work.kernels, work.host_ns, work.device_ns = int(work.kernels * times), int(work.host_ns * times), int(work.device_ns * times)


def size(plan, random):
    times = random.choice((1, 2, 5, 12))
    for boundary in ("forward", "backward", "optimizer"):
        scale(plan.at(boundary), times)
    plan.at("forward").kept_bytes = random.randrange(1, 64) * 512 * 1024
    plan.at("backward").temporary_bytes = random.randrange(0, 32) * 512
    plan.batch.samples = random.choice((1, 8, 64, 500))
    plan.batch.bytes = plan.batch.samples * random.randrange(1, 4000) * 512


def shapes(plan, random):
    plan.batch.shapes = tuple(range(1, random.randrange(2, 5) + 1))


def one_stream(plan, _random):
    plan.copy_overlaps = False


def graphs(plan, random):
    for boundary in ("forward", "backward"):
        work = plan.at(boundary)
        work.kernels, work.graph_launches, work.operators = 0, random.randrange(1, 3), {}
        work.host_ns = 15_000


def autocast(plan, random):
    casts = random.randrange(1, 20)
    work = plan.at("forward")
    work.operators["aten::_to_copy"] = casts
    work.kernels += casts
    work.device_ns = int(work.device_ns * 0.7)
    plan.at("optimizer").memsets += 1


def accumulation(plan, random):
    steps = random.randrange(2, 5)
    for boundary in ("data_wait", "h2d", "forward", "backward"):
        scale(plan.at(boundary), steps)
    plan.batch.copies *= steps
    plan.batch.bytes *= steps
    plan.batch.samples *= steps


def checkpoints(plan, _random):
    forward, backward = plan.at("forward"), plan.at("backward")
    for name, number in forward.operators.items():
        backward.operators[name] = backward.operators.get(name, 0) + number
    backward.kernels += forward.kernels
    backward.device_ns += forward.device_ns
    backward.temporary_bytes += forward.kept_bytes
    forward.kept_bytes = max(MIB, forward.kept_bytes // 4)


def logs_each_step(plan, _random):
    work = plan.at("logging")
    work.operators["aten::_local_scalar_dense"] = 1
    work.host_syncs = work.d2h_copies = 1
    work.waits = True


def pageable_batches(plan, _random):
    plan.batch.pageable = plan.batch.copies
    plan.copy_overlaps = False


# In the order in which they are applied. The shares are own choices: each pair of features meets often in 10 000 runs.
FEATURES = (
    Feature("size", 0.8, size),
    Feature("shapes", 0.2, shapes),
    Feature("autocast", 0.3, autocast),
    Feature("checkpoints", 0.2, checkpoints),
    Feature("accumulation", 0.2, accumulation),
    Feature("graphs", 0.2, graphs),
    Feature("one_stream", 0.2, one_stream),
    Feature("pageable_batches", 0.1, pageable_batches),
    Feature("logs_each_step", 0.2, logs_each_step),
)
