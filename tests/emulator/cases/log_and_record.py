"""Compares the machine's own log with the run record, step by step: two accounts of the same work.

The log counts what the machine planned (harness/emulator/machine/call_log.h), the record what CUPTI's callbacks and
LibTorch's allocator told. The log's stretch "counts 3" is the counted step 3, "memory 3" the step 3 of the memory pass.
"""
import dataclasses

MEMORY_OF_SEGMENTS = ("device", "mapped")


@dataclasses.dataclass
class Comparison:
    """`figures`: pairs that were compared. `differences`: one line each. `left_out`: figure -> why."""
    figures: int = 0
    differences: list = dataclasses.field(default_factory=list)
    left_out: dict = dataclasses.field(default_factory=dict)

    def compare(self, what, logged, recorded):
        self.figures += 1
        if logged != recorded:
            self.differences.append(f"{what}: log {logged}, record {recorded}")


def total(amounts):
    return sum(amount["count"] for amount in amounts.values())


def kernels(stretch):
    return sum(stretch["own_kernels"].values()) + sum(stretch["library_kernels"].values())


def own_kernels(stretch):
    return sum(stretch["own_kernels"].values())


def copies(stretch):
    return total(stretch["copies"])


def memsets(stretch):
    return stretch["memsets"]["count"]


def syncs(stretch):
    """A copy to pageable memory waits though its name says Async; neither the call nor a callback tells of that."""
    return sum(count for name, count in stretch["waits"].items() if not name.endswith("Async copy"))


def allocations(stretch):
    return total(stretch["allocations"])


def graph_launches(stretch):
    return stretch["graph_launches"]


@dataclasses.dataclass(frozen=True)
class Figure:
    """`nodes`: the metric of the graph's nodes: the log counts what a launch plans, the record one call.
    `outside_graphs`: nothing says whose the nodes are, so steps with graphs are left out.
    """
    metric: str
    of_stretch: object
    nodes: str = ""
    outside_graphs: bool = False


FIGURES = (Figure("kernels_per_step", kernels, "graph_kernel_nodes"),
           Figure("own_kernels_per_step", own_kernels, outside_graphs=True),
           Figure("memcpys_per_step", copies, "graph_memcpy_nodes"),
           Figure("memsets_per_step", memsets, "graph_memset_nodes"),
           Figure("device_syncs_per_step", syncs),
           Figure("device_allocations_per_step", allocations),
           Figure("graph_launches_per_step", graph_launches))


def value_at(per_step, metric, step):
    values = per_step.get(metric)
    return values[step] if values else 0


def recorded(per_step, figure, step):
    launches = value_at(per_step, "graph_launches_per_step", step)
    nodes = launches * value_at(per_step, figure.nodes, step) if figure.nodes else 0
    return per_step[figure.metric][step] + nodes


def compare_batch(comparison, stretch, per_step, step):
    """Bytes of the batch: only where nothing but the batch was copied to the device."""
    to_device = [amount for name, amount in stretch["copies"].items() if name.startswith("host_to_device")]
    logged = sum(amount["count"] for amount in to_device)
    if logged == value_at(per_step, "h2d_copies_per_step", step):
        comparison.compare(f"counts {step} h2d_bytes_per_step", sum(amount["bytes"] for amount in to_device),
                           value_at(per_step, "h2d_bytes_per_step", step))
    else:
        comparison.left_out[f"counts {step} h2d_bytes_per_step"] = "the step copies more than its batch to the device"


def compare_counts(comparison, by_mark, per_step):
    steps = max((len(values) for values in per_step.values()), default=0)
    for step in range(steps):
        stretch = by_mark.get(f"counts {step}")
        if stretch is None:
            comparison.differences.append(f"counts {step}: the log has no such mark")
            continue
        for figure in FIGURES:
            if figure.metric not in per_step:
                comparison.differences.append(f"counts {step} {figure.metric}: absent in the record")
                continue
            if figure.outside_graphs and value_at(per_step, "graph_launches_per_step", step):
                comparison.left_out[f"counts {step} {figure.metric}"] = "the step replays a graph"
                continue
            comparison.compare(f"counts {step} {figure.metric}", figure.of_stretch(stretch),
                               recorded(per_step, figure, step))
        compare_batch(comparison, stretch, per_step, step)


def segment_bytes(stretch):
    taken = sum(stretch["allocations"].get(kind, {"bytes": 0})["bytes"] for kind in MEMORY_OF_SEGMENTS)
    return taken - sum(stretch["frees"].get(kind, {"bytes": 0})["bytes"] for kind in MEMORY_OF_SEGMENTS)


def pinned(stretch):
    return stretch["allocations"].get("pinned", {"count": 0})["count"]


def reserved_by_mark(stretches):
    """What the program holds of the device's memory at each mark."""
    held, at = 0, {}
    for stretch in stretches:
        held += segment_bytes(stretch)
        at[stretch["mark"]] = held
    return at


def compare_memory(comparison, stretches, memory):
    reserved = reserved_by_mark(stretches)
    by_mark = {stretch["mark"]: stretch for stretch in stretches}
    pooled = any("pooled" in stretch["allocations"] for stretch in stretches)
    for step, value in enumerate(memory.get("reserved_bytes", [])):
        if pooled:
            comparison.left_out[f"memory {step} reserved_bytes"] = "the log has blocks of a pool, not what the pool takes"
        else:
            comparison.compare(f"memory {step} reserved_bytes", reserved.get(f"memory {step}"), value)
    for step, value in enumerate(memory.get("pinned_allocations_per_step", [])):
        stretch = by_mark.get(f"memory {step}")
        comparison.compare(f"memory {step} pinned_allocations_per_step", stretch and pinned(stretch), value)


def compare(stretches, record):
    comparison = Comparison()
    by_mark = {stretch["mark"]: stretch for stretch in stretches}
    compare_counts(comparison, by_mark, record.get("counts", {}).get("per_step", {}))
    compare_memory(comparison, stretches, record.get("memory", {}))
    if comparison.figures == 0:
        comparison.differences.append("nothing was compared: log or record has no steps")
    return comparison
