"""What the log of a virtual GPU adds up to, figure by figure. Nothing here knows the plan."""


def per_step(log, what, steps):
    """The amounts of a kind of call in each counted step."""
    amounts = [0] * steps
    for call in log:
        if call.stage == "counts" and call.what == what:
            amounts[call.step] += call.amount
    return amounts


def operators_per_step(log, steps):
    amounts = [0] * steps
    for call in log:
        # The loader's operators have a metric of their own.
        if call.stage == "counts" and call.what.startswith("operator "):
            amounts[call.step] += call.amount
    return amounts


def by_boundary(log, what):
    """Of all counted steps together."""
    amounts = {}
    for call in log:
        if call.stage == "counts" and call.what == what:
            amounts[call.boundary] = amounts.get(call.boundary, 0) + call.amount
    return amounts


def peaks(log, steps):
    """The most bytes that were allocated in each step of the memory pass."""
    live, most = 0, [0] * steps
    for call in log:
        if call.stage != "memory" or call.what not in ("allocated", "freed"):
            continue
        live += call.amount if call.what == "allocated" else -call.amount
        most[call.step] = max(most[call.step], live)
    return most


def reserved(log, steps):
    """What the allocator held at the end of each step of the memory pass."""
    held, after = 0, []
    for step in range(steps):
        held += sum(call.amount for call in log if call.stage == "memory" and call.what == "reserved" and call.step == step)
        after.append(held)
    return after


def total(log, stage, what):
    return sum(call.amount for call in log if call.stage == stage and call.what == what)


def figures_of(log):
    """Each figure that a fault can move (planted_faults.py)."""
    figures = {"operators": sum(call.amount for call in log if call.stage == "counts" and call.what.startswith("operator ")),
               "peak_allocated": max(peaks(log, 12)), "peak_reserved": max(reserved(log, 12)),
               "leak": total(log, "memory", "allocated") - total(log, "memory", "freed"),
               "allocator_retries": total(log, "memory", "allocator_retries")}
    for call in log:
        if call.stage == "counts" and not call.what.startswith("operator "):
            figures[call.what] = figures.get(call.what, 0) + call.amount
    return figures
