"""The faults that are planted into the head build. Each is a row: the metrics of which one must be red, and the plant."""
import dataclasses
from typing import Callable

from step_plan import MIB, US


@dataclasses.dataclass(frozen=True)
class Fault:
    """One of `metrics` must be red. `log_figure`: what shows the effect in the device's log (device_log.py)."""
    name: str
    tier: str
    metrics: frozenset
    log_figure: str
    plant: Callable


def add(boundary, field, amount=1):
    """A fault that raises one number of one boundary."""
    def plant(plan, _random):
        work = plan.at(boundary)
        setattr(work, field, getattr(work, field) + amount)
    return plant


def operator(plan, random):
    work = plan.at(random.choice(("forward", "backward", "optimizer")))
    work.operators["aten::contiguous"] = work.operators.get("aten::contiguous", 0) + 1


def kernel(plan, random):
    plan.at(random.choice(("forward", "backward", "optimizer"))).kernels += 1


def host_sync(plan, _random):
    work = plan.at("logging")
    work.operators["aten::_local_scalar_dense"] = work.operators.get("aten::_local_scalar_dense", 0) + 1
    work.host_syncs += 1
    work.d2h_copies += 1
    work.waits = True


def pageable(plan, _random):
    plan.batch.copies += 1
    plan.batch.pageable += 1


def split(plan, _random):
    plan.batch.copies += 62


def more_bytes(plan, _random):
    plan.batch.bytes += 512


def padding(plan, _random):
    plan.batch.padding += 8


def held_graph(plan, _random):
    plan.held_graphs = 1


def new_shape(plan, _random):
    plan.late_shape = True


def retry(plan, _random):
    plan.allocator_retries = 1


def fragmentation(plan, _random):
    plan.wasted_bytes = 2 * MIB


def leak(plan, random):
    plan.leaked_bytes = random.randrange(1, 64) * 512


def loader(plan, _random):
    plan.batch.loader_operators += 3


def slow_step(plan, random):
    """Of the whole step, so that no other boundary hides it."""
    times = random.uniform(1.12, 1.6)
    for work in plan.work.values():
        work.host_ns, work.device_ns = int(work.host_ns * times), int(work.device_ns * times)


def slow_forward(plan, random):
    total = sum(work.device_ns + work.host_ns for work in plan.work.values())
    plan.at("forward").device_ns += int(total * random.uniform(0.2, 0.6))


def slow_loader(plan, random):
    """Slower than the whole step, so that prefetched batches hide none of it."""
    total = sum(work.device_ns + work.host_ns for work in plan.work.values())
    plan.at("data_wait").host_ns += int(total * random.uniform(0.3, 1)) + 100 * US


def slow_first_step(plan, random):
    plan.first_step_factor *= random.uniform(1.5, 3)


FAULTS = (
    Fault("operator", "exact", frozenset({"operators_per_step"}), "operators", operator),
    Fault("kernel", "exact", frozenset({"kernels_per_step"}), "kernels", kernel),
    Fault("host_sync", "exact", frozenset({"host_syncs_per_step"}), "host_syncs", host_sync),
    Fault("device_sync", "exact", frozenset({"device_syncs_per_step"}), "device_syncs", add("forward", "device_syncs")),
    Fault("d2h_copy", "exact", frozenset({"d2h_copies_per_step"}), "d2h_copies", add("backward", "d2h_copies")),
    Fault("memset", "exact", frozenset({"memsets_per_step"}), "memsets", add("backward", "memsets")),
    Fault("graph_again", "exact", frozenset({"graph_launches_per_step"}), "graph_launches", add("forward", "graph_launches")),
    Fault("device_allocation", "exact", frozenset({"device_allocations_per_step"}), "device_allocations",
          add("forward", "device_allocations")),
    Fault("pageable", "exact", frozenset({"pageable_copies_per_step"}), "pageable_copies", pageable),
    Fault("split", "exact", frozenset({"h2d_copies_per_step"}), "h2d_copies", split),
    Fault("more_bytes", "exact", frozenset({"h2d_bytes_per_step"}), "h2d_bytes", more_bytes),
    Fault("padding", "exact", frozenset({"padding_tokens_per_step"}), "padding_tokens", padding),
    Fault("held_graph", "exact", frozenset({"held_graphs_per_step"}), "held_graphs", held_graph),
    Fault("new_shape", "exact", frozenset({"cold_shapes_after_warmup"}), "cold_shapes", new_shape),
    Fault("allocator_retry", "exact", frozenset({"allocator_retries_per_step"}), "allocator_retries", retry),
    Fault("kept_bytes", "exact", frozenset({"peak_allocated_bytes"}), "peak_allocated", add("forward", "kept_bytes", 512)),
    Fault("fragmentation", "exact", frozenset({"peak_reserved_bytes"}), "peak_reserved", fragmentation),
    Fault("leak", "exact", frozenset({"leak_bytes_per_step"}), "leak", leak),
    Fault("loader", "exact", frozenset({"loader_operators_per_batch"}), "loader_operators", loader),
    Fault("slow_step", "timed", frozenset({"step_time_ns", "step_time_mean_ns"}), "step_ns", slow_step),
    Fault("slow_forward", "timed", frozenset({"step_time_ns", "step_time_mean_ns"}), "step_ns", slow_forward),
    Fault("slow_loader", "timed", frozenset({"loader_samples_per_s"}), "loader_ns", slow_loader),
    Fault("slow_first_step", "timed", frozenset({"first_step_ns"}), "first_step_ns", slow_first_step),
)
