"""Structure-aware mutations of a JSON file: of its values, of its text, and of what lies at its path."""

import copy
import dataclasses
import json
import os
import pathlib

# Texts that a reader of numbers, paths or flags may stumble over. hostile_texts.json has those that a terminal, a CI log,
# Markdown, HTML or XML would obey.
AWKWARD = ["", "a\0b", "../../../outside", "/dev/full", "$(touch outside)", "`id`", "%s%n%s%n", "\ud800", "x" * 70000, "aten::" + "y" * 300, "nan", "inf",
           "NaN", "0x10", "1e999"]
HOSTILE = AWKWARD + [row["text"] for row in json.loads((pathlib.Path(__file__).parent / "hostile_texts.json").read_text())["texts"]]
NUMBERS = [0, -1, 1, 2, -(2**31), 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 2**64, 10**30, 0.5, -0.5, 1e-320, 1e308, -1e308, 1e-9]
# Python writes these bare, as some programs do; the JSON standard has no such numbers.
NOT_FINITE = [float("nan"), float("inf"), float("-inf")]
OTHER_TYPES = [None, True, False, [], {}, "text", 3, [[]], {"a": {}}, [None], [1, "a"]]


@dataclasses.dataclass
class Mutation:
    """`content` is bytes for the file, or a function that puts something else at a path. `keys` are the keys of the
    document that were touched, from the root; empty for mutations of the text."""
    name: str
    content: object
    keys: tuple = ()
    document: object = None  # the mutated document, where one exists

    @property
    def of_value(self):
        return self.document is not None


def places_of(document, path=()):
    """Every key path of a document, the root included."""
    yield path
    if isinstance(document, dict):
        for key, value in document.items():
            yield from places_of(value, path + (key,))
    elif isinstance(document, list):
        for index in range(min(len(document), 4)):
            yield from places_of(document[index], path + (index,))


def value_at(document, path):
    for step in path:
        document = document[step]
    return document


def replaced(document, path, value):
    if not path:
        return value
    result = copy.deepcopy(document)
    value_at(result, path[:-1])[path[-1]] = value
    return result


def mutate_value(document, path, random):
    """The name of the mutation and the new document."""
    value = value_at(document, path)
    choices = ["other type", "number", "text", "not finite", "remove", "rename", "deeper", "add key", "repeat"]
    kind = random.choice(choices)
    where = ".".join(str(step) for step in path) or "(root)"
    if kind == "other type":
        new = random.choice(OTHER_TYPES)
    elif kind == "number":
        new = random.choice(NUMBERS) if not isinstance(value, (int, float)) or random.random() < 0.6 else value + random.choice([-1, 1, 1000, 0.5])
    elif kind == "text":
        new = random.choice(HOSTILE)
    elif kind == "not finite":
        new = random.choice(NOT_FINITE)
    elif kind == "remove" and path:
        result = copy.deepcopy(document)
        del value_at(result, path[:-1])[path[-1]]
        return f"remove {where}", result
    elif kind == "rename" and path and isinstance(path[-1], str):
        result = copy.deepcopy(document)
        parent = value_at(result, path[:-1])
        parent[random.choice([path[-1] + "s", random.choice(HOSTILE)])] = parent.pop(path[-1])
        return f"rename {where}", result
    elif kind == "deeper":
        new = value
        for _ in range(random.choice([1, 2, 99, 101])):
            new = [new]
    elif kind == "add key" and isinstance(value, dict):
        new = {**value, random.choice(HOSTILE): random.choice(OTHER_TYPES)}
    elif kind == "repeat" and isinstance(value, list) and value:
        new = value * random.choice([2, 3, 1000]) if random.random() < 0.7 else value[:-1]
    else:
        new = random.choice(NUMBERS + HOSTILE)
    return f"{kind}: {where} = {repr(new)[:60]}", replaced(document, path, new)


def mutate_text(text, random):
    kind = random.choice(["truncate", "byte", "not UTF-8", "NUL", "doubled key", "deep list", "deep object", "byte order mark", "conflict",
                          "twice", "long number", "trailing text", "comment", "blank", "carriage returns"])
    at = random.randrange(len(text))
    if kind == "truncate":
        new = text[:at]
    elif kind == "byte":
        new = text[:at] + bytes([random.randrange(256)]) + text[at + 1:]
    elif kind == "not UTF-8":
        new = text[:at] + random.choice([b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf8"]) + text[at:]
    elif kind == "NUL":
        new = text[:at] + b"\0" + text[at:]
    elif kind == "doubled key":
        new = text.replace(b"{", b'{"schema": 1, "schema": 2, ', 1)
    elif kind in ("deep list", "deep object"):
        opening, closing = (b"[", b"]") if kind == "deep list" else (b'{"a":', b"}")
        depth = random.choice([90, 101, 1000, 100_000, 1_000_000])
        body = opening * depth + b"1" + closing * depth
        new = random.choice([body, opening * depth, text.rstrip()[:-1] + b', "deep": ' + body + b"}"])
    elif kind == "byte order mark":
        new = b"\xef\xbb\xbf" + text
    elif kind == "conflict":
        new = text[:at] + b"\n<<<<<<< HEAD\n" + text[at:]
    elif kind == "twice":
        new = text + text
    elif kind == "long number":
        new = text.replace(b": 1", b": " + b"1" * random.choice([30, 400, 5000]), 1)
    elif kind == "trailing text":
        new = text + b"x"
    elif kind == "comment":
        new = b"// comment\n" + text
    elif kind == "carriage returns":
        new = text.replace(b"\n", b"\r")
    else:
        new = random.choice([b"", b"\n", b" ", b"null", b"[]", b"{}", b'"', b"\0"])
    return Mutation(f"text: {kind} at byte {at}", new)


def link_to(target):
    return lambda path: path.symlink_to(target)


def large(path):
    with open(path, "wb") as file:
        file.truncate(5 << 30)  # takes no space on disk


# What lies at the path instead of a file. A reader must refuse all of it at once.
OBJECTS = {
    "folder": lambda path: path.mkdir(),
    "FIFO": lambda path: os.mkfifo(path),
    "nothing": lambda path: None,
    "link to itself": lambda path: path.symlink_to(path.name),
    "link to nothing": link_to("gone"),
    "link to /dev/zero": link_to("/dev/zero"),
    "link to /dev/tty": link_to("/dev/tty"),
    "link to /dev/stdin": link_to("/dev/stdin"),
    "link to /proc/self/mem": link_to("/proc/self/mem"),
    "link to a folder": link_to("/"),
    "5 GiB of zeros": large,
}


def mutate(text, form, random):
    """One mutation of a file with this text, drawn from `random`."""
    draw = random.random()
    if draw < 0.02:
        name = random.choice(list(OBJECTS))
        return Mutation(f"object: {name}", OBJECTS[name])
    if draw < 0.25:
        return mutate_text(text, random)
    document = form.document_of(text)
    path = random.choice(list(places_of(document)))
    name, mutated = mutate_value(document, path, random)
    return Mutation(name, form.text_of(mutated), path, mutated)


def put(mutation, path):
    """Replaces the file at `path`."""
    path.unlink()
    if callable(mutation.content):
        mutation.content(path)
    else:
        path.write_bytes(mutation.content)
