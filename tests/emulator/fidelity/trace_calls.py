"""Operator calls of a trace of PyTorch's profiler, and what each did on the GPU.

A call is an outermost `aten::` operator. Kernels, copies and memsets belong to it by their correlation: the launch with
that number was made while the call ran, on its thread. Nothing but events is kept of a trace: `metadata` holds the
author's environment.
"""
import bisect
import collections
import dataclasses
import gzip
import json
import re

DTYPES = {"float": "float32", "c10::BFloat16": "bfloat16", "c10::Half": "float16", "double": "float64",
          "long int": "int64", "long": "int64", "int": "int32", "short": "int16", "signed char": "int8",
          "unsigned char": "uint8", "bool": "bool"}
LAUNCHES = ("cuda_runtime", "cuda_driver", "Runtime")
KERNELS, COPIES, MEMSETS = ("kernel", "Kernel"), ("gpu_memcpy", "Memcpy"), ("gpu_memset", "Memset")
SYNCS = ("cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize")
# LibTorch compiles these kernels itself; others are those of cuBLAS, cuDNN and NCCL.
OWN = re.compile(r"at::|at_cuda_detail|pytorch_flash|PyTorchMemEff|fmha_cutlass|cub::|thrust::|\(anonymous namespace\)::softmax")
DIRECTIONS = {"HtoD": "host_to_device", "DtoH": "device_to_host", "DtoD": "device_to_device"}


@dataclasses.dataclass
class Work:
    """What a call did, on the GPU of the trace or on the emulated one."""
    own: int = 0
    library: int = 0
    memsets: int = 0
    syncs: int = 0
    copies: dict = dataclasses.field(default_factory=dict)

    def add_copy(self, direction):
        self.copies[direction] = self.copies.get(direction, 0) + 1

    def text(self):
        counts = {"own": self.own, "library": self.library, "memset": self.memsets, "sync": self.syncs}
        parts = [f"{count} {what}" for what, count in counts.items() if count]
        return ", ".join(parts + [f"{count} {name}" for name, count in sorted(self.copies.items())]) or "nothing"


@dataclasses.dataclass
class Call:
    name: str
    arguments: tuple  # lines for the replay
    work: Work
    is_whole: bool = True  # the trace holds numbers and truths among the arguments, not sizes alone
    launches: int = 0  # of work that the trace has no record of, too
    operators: set = dataclasses.field(default_factory=set)  # its own name, and those that ran within it


def events_of(path):
    """Only the events: the rest of the document is dropped here."""
    with gzip.open(path, "rt") as file:
        return json.load(file)["traceEvents"]


def numbers(values):
    return ",".join(str(value) for value in values)


def tensor_line(dtype, sizes, strides):
    return f"tensor\t{dtype}\t{numbers(sizes)}\t{numbers(strides or ())}"


def tensors_line(dtype, sizes, strides):
    if not sizes:
        return "tensors"
    of_each = strides if strides and len(strides) == len(sizes) else [()] * len(sizes)
    return f"tensors\t{dtype}\t{';'.join(map(numbers, sizes))}\t{';'.join(map(numbers, of_each))}"


def argument_lines(event_arguments, list_dtype):
    """One line for each argument; None where the trace holds none, or one of a kind that cannot be replayed."""
    kinds = event_arguments.get("Input type")
    sizes = event_arguments.get("Input Dims")
    if kinds is None or sizes is None or len(kinds) != len(sizes):
        return None
    strides = event_arguments.get("Input Strides") or [()] * len(kinds)
    texts = event_arguments.get("Concrete Inputs") or [""] * len(kinds)
    lines = []
    for kind, size, stride, text in zip(kinds, sizes, strides, texts):
        text = str(text).replace("\t", " ")
        if kind in DTYPES:
            lines.append(tensor_line(DTYPES[kind], size, stride))
        elif kind == "TensorList":
            lines.append(tensors_line(list_dtype, size, stride))
        elif kind == "Scalar" or (kind == "" and text):
            lines.append(f"scalar\t{text}")
        elif kind == "ScalarList":
            lines.append("scalars\t" + text.strip("[]").replace(" ", ""))
        elif kind == "":
            lines.append("nothing")
        else:
            return None
    return tuple(lines)


def usual_dtype(operators):
    """Of lists of tensors, whose types a trace does not hold: the most frequent one of floating point."""
    found = collections.Counter(DTYPES[kind] for event in operators for kind in event["args"].get("Input type", ())
                                if kind in DTYPES and "loat" in DTYPES[kind])
    return found.most_common(1)[0][0] if found else "float32"


class Threads:
    """The outermost calls of each thread, by time."""

    def __init__(self):
        self.begins = collections.defaultdict(list)
        self.ends = collections.defaultdict(list)
        self.calls = collections.defaultdict(list)

    def add(self, event, call):
        self.begins[event["tid"]].append(event["ts"])
        self.ends[event["tid"]].append(event["ts"] + event.get("dur", 0))
        self.calls[event["tid"]].append(call)

    def around(self, event):
        """The call that runs on the event's thread then; None where none does."""
        thread = event.get("tid")
        place = bisect.bisect_right(self.begins[thread], event["ts"]) - 1
        inside = place >= 0 and event["ts"] < self.ends[thread][place]
        return self.calls[thread][place] if inside else None


def is_operator(event):
    return event.get("cat") in ("cpu_op", "Operator") and event.get("name", "").startswith("aten::")


def outermost(events):
    """(the threads with their outermost calls, external id of each operator -> its outermost call)."""
    operators = sorted((event for event in events if is_operator(event)),
                       key=lambda event: (event["ts"], -event.get("dur", 0)))
    list_dtype = usual_dtype(operators)
    threads, by_id = Threads(), {}
    for event in operators:
        call = threads.around(event)
        if call is None:
            call = Call(event["name"], argument_lines(event["args"], list_dtype), Work(),
                        "Concrete Inputs" in event["args"])
            threads.add(event, call)
        call.operators.add(event["name"])
        if external_id(event) is not None:
            by_id[external_id(event)] = call
    return threads, by_id


def external_id(event):
    arguments = event.get("args", {})
    return arguments.get("External id", arguments.get("external id"))


def copy_direction(name):
    """"Memcpy HtoD (Pageable -> Device)" is "host_to_device pageable", as the machine's log has it."""
    for short, direction in DIRECTIONS.items():
        if short in name:
            return direction + (" pageable" if "Pageable" in name else "")
    return name


def add_device_work(work, event):
    if event["cat"] in COPIES:
        work.add_copy(copy_direction(event["name"]))
    elif event["cat"] in MEMSETS:
        work.memsets += 1
    elif OWN.search(event["name"]):
        work.own += 1
    else:
        work.library += 1


def calls_of(path):
    """All outermost calls of a trace, in the order of their begin on each thread."""
    events = [event for event in events_of(path) if event.get("ph") == "X" and "ts" in event]
    threads, by_id = outermost(events)
    launched = {}
    for event in events:
        if event.get("cat") not in LAUNCHES:
            continue
        call = by_id.get(external_id(event)) or threads.around(event)
        if call is None:
            continue
        launched[event.get("args", {}).get("correlation")] = call
        call.launches += 1
        call.work.syncs += event["name"] in SYNCS
    for event in events:
        if event.get("cat") in KERNELS + COPIES + MEMSETS:
            call = launched.get(event.get("args", {}).get("correlation"))
            if call is not None:
                add_device_work(call.work, event)
    return [call for thread in threads.calls.values() for call in thread]


def place_of(work, launches):
    """Where the tensors were, for the replay."""
    for direction in work.copies:
        pinned = "" if direction.endswith("pageable") else " pinned"
        if direction.startswith("host_to_device"):
            return "to_device" + pinned
        if direction.startswith("device_to_host"):
            return "to_host" + pinned
    return "device" if launches else "quiet"


def lines_for(number, call):
    place = place_of(call.work, call.launches)
    return "\n".join((f"call\t{number}\t{call.name}\t{place}",) + call.arguments) + "\n"
