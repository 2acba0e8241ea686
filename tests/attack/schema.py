"""The part of JSON Schema that schemas/ uses. It tells which mutated documents must never pass."""

import json
import math
import os
import pathlib
import re

SCHEMAS = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"]) / "schemas"
TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
}
loaded = {}


def schema_named(name):
    if name not in loaded:
        loaded[name] = json.loads((SCHEMAS / name).read_text())
    return loaded[name]


def resolved(reference, root):
    file, _, pointer = reference.partition("#")
    root = schema_named(file) if file else root
    node = root
    for step in pointer.strip("/").split("/"):
        node = node[step] if step else node
    return node, root


def follows(value, schema, root):
    """True if `value` follows `schema`."""
    if schema is True or schema is False:
        return schema
    if "$ref" in schema:
        return follows(value, *resolved(schema["$ref"], root))
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(TYPES[name](value) for name in types):
        return False
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        return False
    if not all(follows(value, part, root) for part in schema.get("allOf", [])):
        return False
    for key, wanted in (("anyOf", lambda n: n >= 1), ("oneOf", lambda n: n == 1)):
        if key in schema and not wanted(sum(follows(value, part, root) for part in schema[key])):
            return False
    return number_follows(value, schema) and text_follows(value, schema) and list_follows(value, schema, root) and \
        object_follows(value, schema, root)


def number_follows(value, schema):
    if not TYPES["number"](value):
        return True
    return math.isfinite(value) and schema.get("minimum", value) <= value <= schema.get("maximum", value) and \
        not ("exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]) and \
        not ("exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"])


def text_follows(value, schema):
    if not isinstance(value, str):
        return True
    return len(value) >= schema.get("minLength", 0) and len(value) <= schema.get("maxLength", len(value)) and \
        ("pattern" not in schema or re.search(schema["pattern"], value) is not None)


def list_follows(value, schema, root):
    if not isinstance(value, list):
        return True
    return len(value) >= schema.get("minItems", 0) and len(value) <= schema.get("maxItems", len(value)) and \
        all(follows(item, schema.get("items", True), root) for item in value)


def object_follows(value, schema, root):
    if not isinstance(value, dict):
        return True
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    return all(key in value for key in schema.get("required", [])) and \
        all(follows(key, schema.get("propertyNames", True), root) for key in value) and \
        all(follows(item, known.get(key, others), root) for key, item in value.items())


def is_valid(document, name):
    """True if the document follows schemas/<name>.schema.json."""
    schema = schema_named(f"{name}.schema.json")
    return follows(document, schema, schema)
