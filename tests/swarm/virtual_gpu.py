"""A host, two streams and an allocator in virtual time. It executes a plan step by step and keeps a log of each call."""
import dataclasses

from step_plan import BOUNDARIES, MIB

SEGMENT = 2 * MIB
# Calls of a boundary that are counted and take no time of their own.
COUNTED = ("kernels", "memsets", "host_syncs", "device_syncs", "d2h_copies", "graph_launches", "device_allocations")


@dataclasses.dataclass(frozen=True)
class Call:
    """One line of the log. `amount`: a number of calls, of bytes or of nanoseconds, as `what` says."""
    stage: str
    step: int
    boundary: str
    what: str
    amount: int


class VirtualGpu:
    def __init__(self, plan):
        self.plan = plan
        self.log = []
        self.host_ns = self.compute_until_ns = self.copy_until_ns = 0
        self.live_bytes = self.reserved_bytes = self.peak_bytes = 0

    def run(self, stage, steps):
        """So many steps one after the other; the host waits for the device at the end. The time that they took."""
        begin_ns = self.host_ns
        for number in range(steps):
            self.step(stage, number)
        self.wait()
        return self.host_ns - begin_ns

    def load(self, steps):
        """Only the loader, for so many batches."""
        took_ns = self.plan.at("data_wait").host_ns * steps
        self.host_ns += took_ns
        return took_ns

    def step(self, stage, number):
        kept = 0
        for boundary in BOUNDARIES:
            work = self.plan.at(boundary)
            for what in COUNTED:
                self.note(stage, number, boundary, what, getattr(work, what))
            for operator, times in work.operators.items():
                self.note(stage, number, boundary, f"operator {operator}", times)
            if boundary == "data_wait":
                self.take_batch(stage, number)
            kept += self.hold(stage, number, boundary, work)
            self.spend(boundary, work)
        self.note(stage, number, "forward", "held_graphs", self.plan.held_graphs)
        self.note(stage, number, "forward", "allocator_retries", self.plan.allocator_retries)
        self.change(stage, number, "release", -kept)

    def take_batch(self, stage, number):
        batch = self.plan.batch
        for what, amount in (("loader_operators", batch.loader_operators), ("padding_tokens", batch.padding),
                             ("samples", batch.samples), ("cold_shapes", int(self.plan.late_shape and number == 5))):
            self.note(stage, number, "data_wait", what, amount)
        for what, amount in (("h2d_copies", batch.copies), ("h2d_bytes", batch.bytes), ("pageable_copies", batch.pageable)):
            self.note(stage, number, "h2d", what, amount)

    def hold(self, stage, number, boundary, work):
        """Allocates what the boundary needs, and returns the bytes that stay until the end of the step."""
        leaked = self.plan.leaked_bytes if boundary == "forward" else 0
        for amount in (work.kept_bytes, leaked, work.temporary_bytes, -work.temporary_bytes):
            self.change(stage, number, boundary, amount)
        if boundary == "forward" and self.plan.wasted_bytes:
            self.reserve(stage, number, boundary, self.plan.wasted_bytes)
        return work.kept_bytes

    def change(self, stage, number, boundary, amount):
        if amount == 0:
            return
        self.live_bytes += amount
        self.note(stage, number, boundary, "allocated" if amount > 0 else "freed", abs(amount))
        if self.live_bytes > self.peak_bytes:
            grown = -(-self.live_bytes // SEGMENT) - -(-self.peak_bytes // SEGMENT)
            self.peak_bytes = self.live_bytes
            self.reserve(stage, number, boundary, grown * SEGMENT)

    def reserve(self, stage, number, boundary, amount):
        self.reserved_bytes += amount
        self.note(stage, number, boundary, "reserved", amount)

    def spend(self, boundary, work):
        self.host_ns += work.host_ns
        if boundary == "h2d":
            self.copy(work.device_ns)
        elif work.device_ns:
            self.compute_until_ns = max(self.compute_until_ns, self.host_ns) + work.device_ns
        if work.waits or work.device_syncs:
            self.wait()

    def copy(self, device_ns):
        before = self.copy_until_ns if self.plan.copy_overlaps else max(self.copy_until_ns, self.compute_until_ns)
        self.copy_until_ns = max(before, self.host_ns) + device_ns
        self.compute_until_ns = max(self.compute_until_ns, self.copy_until_ns)
        if self.plan.batch.pageable:
            self.host_ns = max(self.host_ns, self.copy_until_ns)

    def wait(self):
        self.host_ns = max(self.host_ns, self.compute_until_ns, self.copy_until_ns)

    def note(self, stage, step, boundary, what, amount):
        if amount:
            self.log.append(Call(stage, step, boundary, what, amount))
