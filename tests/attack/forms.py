"""How the documents of a file are written: one JSON document, plain or compressed, a line of text, or the lines of the guard's journal."""

import gzip
import json


class JsonForm:
    """One JSON document."""

    @staticmethod
    def document_of(text):
        return json.loads(text)

    @staticmethod
    def text_of(document):
        return json.dumps(document, indent=1).encode("utf-8", "surrogatepass")


class TextForm:
    """A line of text, as a plan has it."""

    @staticmethod
    def document_of(text):
        return text.decode()

    @staticmethod
    def text_of(document):
        return document.encode("utf-8", "surrogatepass") if isinstance(document, str) else JsonForm.text_of(document)


class GzipForm:
    """One JSON document, compressed, so that mutations of values reach the code behind the decompression."""

    @staticmethod
    def document_of(text):
        return json.loads(gzip.decompress(text))

    @staticmethod
    def text_of(document):
        return gzip.compress(JsonForm.text_of(document), mtime=0)


class JournalForm:
    """One JSON document a line, each after its checksum, so that mutations of values reach the code behind the check."""

    @staticmethod
    def document_of(text):
        return [json.loads(line.split(b" ", 1)[1]) for line in text.splitlines()]

    @staticmethod
    def text_of(document):
        lines = document if isinstance(document, list) else [document]
        return b"".join(checksum(text) + b" " + text + b"\n" for text in (json.dumps(line).encode() for line in lines))


def checksum(text):
    """FNV-1a with 32 bits, as harness/system/fnv_hash.h."""
    value = 0x811C9DC5
    for byte in text:
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return f"{value:08x}".encode()
