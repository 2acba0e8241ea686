#!/usr/bin/env python3
"""Writes one trace per oddity of a producer into the folder of this file. docs/design/trace_account.md has the table.

All of them are the same two steps of 100 us, in which a device computes for 80 us, with one oddity each.
"""
import pathlib

INSTANT_US = 1_712_195_495_000_000  # of 2024: more digits than a double has
HERE = pathlib.Path(__file__).resolve().parent
HOST = '"pid": 17, "tid": 17'
DEVICE = '"pid": 0, "tid": 7'


def event(category, name, at, length, where=HOST, arguments="", instant=INSTANT_US):
    return (f'{{"ph": "X", "cat": "{category}", "name": "{name}", {where}, "ts": {instant + at}.000, "dur": {length}.000, '
            f'"args": {{{arguments}}}}}')


def step(number, at, length=100, category="user_annotation"):
    return event(category, f"ProfilerStep#{number}", at, length)


def launch(at, number, category="cuda_runtime", name="cudaLaunchKernel"):
    return event(category, name, at, 1, HOST, f'"correlation": {number}')


def kernel(at, length, number, name="gemm"):
    return event("kernel", name, at, length, DEVICE, f'"device": 0, "stream": 7, "correlation": {number}')


def copy(at, length, arguments='"device": 0, "bytes": 200'):
    return event("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", at, length, DEVICE, arguments)


def operator(at, length=3, name="aten::mm"):
    return event("cpu_op", name, at, length)


def body(at, number):
    """What a step does: two operators, which launch a kernel each."""
    return [operator(at), launch(at, number), kernel(at + 2, 40, number),
            operator(at + 49), launch(at + 50, number + 1), kernel(at + 55, 40, number + 1)]


def steps():
    return [step(3, 0), *body(0, 1), step(4, 100), *body(100, 11)]


def document(events, before="", after="", between=",\n"):
    return (f'{before}{{"schemaVersion": 1, "deviceProperties": [{{"id": 0, "name": "Toy GPU"}}], "traceEvents": [\n'
            f'{between.join(events)}{after}\n]}}\n')


def quoted_numbers(text):
    """Each time, length and number of a call as a string."""
    for key in ("ts", "dur", "correlation", "device"):
        parts = text.split(f'"{key}": ')
        text = parts[0] + "".join(f'"{key}": "' + number + '"' + end for number, end in map(first_number, parts[1:]))
    return text


def first_number(text):
    length = next(i for i, letter in enumerate(text) if letter not in "0123456789.")
    return text[:length], text[length:]


def begin_and_end(at, length, name):
    time = f'{HOST}, "ts": {INSTANT_US + at}'
    end = f'{HOST}, "ts": {INSTANT_US + at + length}'
    return [f'{{"ph": "B", "cat": "cpu_op", "name": "{name}", {time}}}', f'{{"ph": "E", {end}}}']


def python(name):
    return event("python_function", name, 1, 90, HOST, '"Python id": 1')


def relative(events):
    """Times since the program was loaded, an hour ago, as newer versions of PyTorch write them."""
    return [text.replace(f'"ts": {INSTANT_US // 1_000_000}', '"ts": 3600') for text in events]


def late_operators():
    """Nothing marks what the host does in the first 57 us of a step."""
    events = []
    for number, at in ((3, 0), (4, 100)):
        events += [step(number, at), operator(at + 57), launch(at + 58, number), kernel(at + 60, 40, number)]
    return events


def waits_for_a_peer():
    events = []
    for number, at in ((3, 0), (4, 100)):
        events += [step(number, at), operator(at), launch(at, number), launch(at + 1, number + 10), kernel(at + 2, 20, number),
                   kernel(at + 76, 24, number + 10)]
    return events


def other_runtime():
    events = []
    for text in steps():
        text = text.replace('"cuda_runtime"', '"xpu_runtime"').replace("cudaLaunchKernel", "urEnqueueKernelLaunch")
        events.append(text)
    wait = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    return events + [event("user_annotation", wait, at + 43, 6) for at in (0, 100)]


def two_cycles():
    """The second of another run of the program, so its calls have the numbers of the first."""
    later = 10_000_000
    return steps() + [step(11, later), *body(later, 1), step(12, later + 100), *body(later + 100, 11)]


def oddities():
    yield "plain", document(steps())
    yield "infinite_bandwidth", document(steps() + [copy(20, 0, '"device": 0, "bytes": 200, "memory bandwidth (GB/s)": inf'),
                                                    copy(21, 0, '"device": 0, "memory bandwidth (GB/s)": -nan(ind)')])
    yield "paths_of_windows", document(steps() + [python(r"torch\cuda\__init__.py(219): _lazy_init"),
                                                  event("cpu_op", "aten::add", 51, 1, HOST, r'"Call stack": "C:\users\me\x.py(3): f"')])
    yield "quotes_in_names", document(steps()[:4] + [python('{"device": "cpu", "dtype": "float32"}(12): run'),
                                                     python('lib = Library("inductor", "IMPL")\n(1): <module>')] + steps()[4:])
    yield "control_characters", document(steps() + [python("|||S\x01(1): <module>")])
    yield "no_utf8", document(steps() + [python("config.py(0): \udcff\udcfe")])
    yield "numbers_as_strings", quoted_numbers(document(steps()))
    yield "large_numbers", document(steps() + [event("cpu_op", "record_param_comms", 51, 1, HOST,
                                                     '"Comms Id": 18446744073709551615123, "x": 1e400')])
    yield "endless_kernel", document(steps() + [kernel(20, INSTANT_US, 99)])
    yield "copy_at_zero", document(steps() + [copy(-INSTANT_US, INSTANT_US + 60)])
    yield "times_of_zero", document(steps() + [kernel(-INSTANT_US, 0, 0), operator(-INSTANT_US, 0)])
    yield "relative_times", document(relative(steps()) + [copy(-INSTANT_US, 3_600_000_060)])
    yield "kernel_of_another_clock", document(steps() + [kernel(-100_000_000_000, 40, 1)])
    yield "negative_length", document(steps() + [kernel(20, -5, 99)])
    yield "other_runtime", document(other_runtime())
    yield "other_category", document(steps() + [event("tpu_op", "matmul", 10, 50)])
    yield "own_all_reduce", document(steps() + [kernel(43, 10, 0, "void vllm::cross_device_reduce_1stage<half, 2>(RankData*)")])
    yield "late_operators", document(late_operators())
    yield "waits_for_a_peer", document(waits_for_a_peer())
    yield "steps_twice", document(steps() + [step(3, 0, category="cpu_op"), step(4, 100, category="cpu_op")])
    yield "two_cycles", document(two_cycles())
    yield "begins_and_ends", document([text for text in steps() if '"cpu_op"' not in text] +
                                      [half for at in (0, 49, 100, 149) for half in begin_and_end(at, 3, "aten::mm")])
    yield "comma_at_the_end", document(steps(), before="\ufeff", after=",")
    yield "before_kineto", ('[{"name": "add", "ph": "X", "ts": 101.524, "dur": 134.49, "tid": 1, "pid": "CPU functions", "args": {}}, '
                            '{"name": "add", "ph": "s", "ts": 101.524, "tid": 1, "pid": "CPU functions", "id": 0, "cat": "cpu_to_cuda"}, '
                            '{"name": "add", "ph": "f", "ts": 102.957, tid": 0, "pid": "CUDA functions", "id": 0, "cat": "cpu_to_cuda", "args": {}}, '
                            '{"name": "add", "ph": "X", "ts": 102.957, "dur": 134.176, "tid": 0, "pid": "CUDA functions", "args": {}}]\n')


def main():
    for name, text in oddities():
        (HERE / f"{name}.json").write_bytes(text.encode("utf-8", "surrogateescape"))


if __name__ == "__main__":
    main()
