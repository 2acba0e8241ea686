"""Every integer of a run record that two runs of one case on the emulated GPU must have equal."""

# What may differ between two runs of one program: a part of a path in the record, and why.
EXCLUDED = (
    ("_ns", "a time of this machine"),
    ("scheduling", "times of threads on this machine"),
    ("background", "CPU time of threads that are no part of the step"),
    ("host_heap_bytes", "host memory: glibc's arenas depend on which thread frees first"),
    ("followed_host_heap_bytes", "the same"),
    ("host_peak_bytes", "resident pages of the host"),
    ("mapped_bytes", "host memory: arenas and stacks of threads"),
    ("temporary_files", "the machine's folder of temporary files, which other programs use too"),
    ("temporary_bytes", "the same"),
    ("offsets", "addresses in the program: equal for one build, but nothing that a GPU decides"),
)

# Of a case with several ranks, besides. Kernels, copies, memsets and waits of theirs must be equal.
EXCLUDED_OF_RANKS = (
    ("device_calls", "the watchdog of a process group asks its events as often as real time lets it"),
)


def reason_for(path, has_ranks=False):
    """Why the integer at this path is left out; "" where it must be equal."""
    names = [name for name in path if isinstance(name, str)]
    for part, reason in EXCLUDED + (EXCLUDED_OF_RANKS if has_ranks else ()):
        if any(name == part or (part.startswith("_") and name.endswith(part)) for name in names):
            return reason
    return ""


def integers_of(value, path=()):
    """(path, integer) of each integer in a document; True and False are none."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from integers_of(inner, path + (name,))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from integers_of(inner, path + (place,))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path, value


def text_of(path):
    return ".".join(str(part) for part in path)


def differing(one, other):
    """(integers compared, lines about those that differ)."""
    has_ranks = int(one.get("fingerprint", {}).get("ranks", "1")) > 1
    first, second = ({path: value for path, value in integers_of(record) if not reason_for(path, has_ranks)}
                     for record in (one, other))
    lines = [f"{text_of(path)}: {first.get(path, 'absent')}, then {second.get(path, 'absent')}"
             for path in sorted(first.keys() | second.keys(), key=text_of) if first.get(path) != second.get(path)]
    return len(first), lines
