"""The run record of the exact half, from the plan alone. What a device did with the plan says its log."""
import copy

from step_plan import BOUNDARIES, MIB

SEGMENT = 2 * MIB
# metric of the record -> field of the plan's boundaries
CALLS = {"kernels_per_step": "kernels", "memsets_per_step": "memsets", "host_syncs_per_step": "host_syncs",
         "device_syncs_per_step": "device_syncs", "d2h_copies_per_step": "d2h_copies",
         "graph_launches_per_step": "graph_launches", "device_allocations_per_step": "device_allocations"}
# metric -> boundary and field of the batch
BATCH = {"h2d_copies_per_step": ("h2d", "copies"), "h2d_bytes_per_step": ("h2d", "bytes"),
         "pageable_copies_per_step": ("h2d", "pageable"), "padding_tokens_per_step": ("data_wait", "padding"),
         "loader_operators_per_batch": ("data_wait", "loader_operators")}
LATE = 5  # the counted step that meets a new shape, if any does


def exact_record(template, plan):
    """`template`: a record of scripted_gpu, whose figures are replaced. Its fields are those of today's schema."""
    record = copy.deepcopy(template)
    fill_counts(record["counts"], plan, record["steps"]["counts"])
    fill_memory(record["memory"], plan, record["steps"]["memory"])
    return record


def fill_counts(counts, plan, steps):
    each, where = counts["per_step"], counts["by_boundary"]

    def put(metric, by_boundary):
        each[metric] = [sum(by_boundary.values())] * steps
        if metric in where:
            where[metric] = {boundary: by_boundary.get(boundary, 0) * steps for boundary in where[metric]}

    for metric, field in CALLS.items():
        put(metric, {boundary: getattr(plan.at(boundary), field) for boundary in BOUNDARIES})
    for metric, (boundary, field) in BATCH.items():
        put(metric, {boundary: getattr(plan.batch, field)})
    put("operators_per_step", {boundary: sum(plan.at(boundary).operators.values()) for boundary in BOUNDARIES})
    put("held_graphs_per_step", {"forward": plan.held_graphs})
    fill_batches(each, where, plan, steps)
    put("allocations_per_step", {boundary: sum(1 for amount in blocks(plan, boundary) if amount) for boundary in BOUNDARIES})
    put("allocated_bytes_per_step", {boundary: sum(blocks(plan, boundary)) for boundary in BOUNDARIES})
    counts["operators"] = {boundary: {name: number * steps for name, number in plan.at(boundary).operators.items() if number}
                           for boundary in BOUNDARIES}
    launched = {boundary: {"cudaLaunchKernel": plan.at(boundary).kernels * steps}
                for boundary in BOUNDARIES if plan.at(boundary).kernels}
    counts["device_calls"] = {"kernels_per_step": launched} if launched else {}


def blocks(plan, boundary):
    work = plan.at(boundary)
    return (work.kept_bytes, work.temporary_bytes, plan.leaked_bytes if boundary == "forward" else 0)


def fill_batches(each, where, plan, steps):
    batch, seen = plan.batch, len(plan.batch.shapes)
    each["samples_per_step"] = [batch.samples] * steps
    each["effective_tokens_per_step"] = [batch.tokens] * steps
    each["padded_tokens_per_step"] = [batch.tokens + batch.padding] * steps
    each["cold_shapes_after_warmup"] = [int(plan.late_shape and step == LATE) for step in range(steps)]
    each["shapes_seen"] = [seen + int(plan.late_shape and step >= LATE) for step in range(steps)]
    where["cold_shapes_after_warmup"] = {"data_wait": sum(each["cold_shapes_after_warmup"])}


def peak_of_step(plan):
    kept = most = 0
    for boundary in BOUNDARIES:
        kept += plan.at(boundary).kept_bytes
        most = max(most, kept + plan.at(boundary).temporary_bytes)
    return most


def fill_memory(memory, plan, steps):
    leaked = [plan.leaked_bytes * (step + 1) for step in range(steps)]
    memory["peak_bytes"] = [peak_of_step(plan) + amount for amount in leaked]
    segments = [-(-peak // SEGMENT) * SEGMENT for peak in memory["peak_bytes"]]
    memory["reserved_bytes"] = [held + plan.wasted_bytes * (step + 1) for step, held in enumerate(segments)]
    memory["peak_allocated_bytes"] = max(memory["peak_bytes"])
    memory["peak_reserved_bytes"] = max(memory["reserved_bytes"])
    memory["allocator_retries_per_step"] = [plan.allocator_retries] * steps
    memory["resident_bytes"] = leaked
    held = 0
    for boundary in BOUNDARIES:
        work = plan.at(boundary)
        held += work.kept_bytes
        memory["peak_by_boundary"][boundary] = held + work.temporary_bytes
        memory["by_boundary"][boundary] = {"peak_allocated_bytes": held + work.temporary_bytes, "allocated_bytes": held,
                                           "requested_bytes": held, "active_bytes": held,
                                           "reserved_bytes": memory["reserved_bytes"][-1]}
    fill_ledger(memory, plan)


def fill_ledger(memory, plan):
    kept, temporary = plan.at("forward").kept_bytes, plan.at("backward").temporary_bytes
    memory["ledger"].update(peak_bytes=kept + temporary, bytes={"activations": kept, "temporaries": temporary})
    memory["timeline"].update(bytes=[kept, temporary, -temporary, -kept])
