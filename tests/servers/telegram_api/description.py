"""Checks of requests against the official machine-readable description of the Bot API."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.servers.spec import load_spec

_ARRAY = "Array of "
_FIXED = re.compile(r"must be (\w+)$")
_CHOICES = re.compile(r"Must be one of (.+?)\.")
_QUOTED = re.compile(r'"([^"]+)"')
_DISCRIMINATORS = ("type", "source", "status")


class Description:
    """The methods and types of one version of the Bot API."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._methods: dict[str, Any] = document["methods"]
        self._types: dict[str, Any] = document["types"]

    def faults(self, method: str, given: Mapping[str, Any], files: frozenset[str]) -> list[str]:
        """Problems of a request, in words. `given` holds strings or JSON values as received."""
        known = self._methods.get(method)
        if known is None:
            return [f"{method}: no such method"]
        fields = {field["name"]: field for field in known.get("fields", ())}
        faults = [f"{method}: unknown parameter {name}" for name in given if name not in fields]
        faults += [
            f"{method}: {name} is missing"
            for name, field in fields.items()
            if field["required"] and name not in given and name not in files
        ]
        for name, value in given.items():
            if name in fields:
                faults += self._parameter(f"{method}.{name}", fields[name], value)
        return faults

    def _parameter(self, where: str, field: dict[str, Any], raw: Any) -> list[str]:
        return self._field(where, field, _decoded(raw, field["types"]))

    def _field(self, where: str, field: dict[str, Any], value: Any) -> list[str]:
        faults = self._one_of(where, field["types"], value)
        choices = _choices(field["description"])
        if not faults and choices and isinstance(value, str) and value not in choices:
            faults = [f"{where}: {value!r} is none of {', '.join(choices)}"]
        return faults

    def _one_of(self, where: str, types: list[str], value: Any) -> list[str]:
        found = [self._value(where, kind, value) for kind in types]
        return min(found, key=len)

    def _value(self, where: str, kind: str, value: Any) -> list[str]:
        if kind.startswith(_ARRAY):
            if not isinstance(value, list):
                return [f"{where}: not an array"]
            inner = kind.removeprefix(_ARRAY)
            return [
                fault for n, item in enumerate(value) for fault in self._value(f"{where}[{n}]", inner, item)
            ]
        if kind in _PRIMITIVES:
            return [] if _PRIMITIVES[kind](value) else [f"{where}: {value!r} is no {kind}"]
        return self._object(where, kind, value)

    def _object(self, where: str, kind: str, value: Any) -> list[str]:
        description = self._types[kind]
        if not isinstance(value, dict):
            return [f"{where}: {value!r} is no {kind}"]
        if "subtypes" in description:
            return self._subtype(where, description["subtypes"], value)
        fields = {field["name"]: field for field in description.get("fields", ())}
        faults = [f"{where}: unknown field {name} of {kind}" for name in value if name not in fields]
        faults += [
            f"{where}: field {name} of {kind} is missing"
            for name, field in fields.items()
            if field["required"] and name not in value
        ]
        for name, inner in value.items():
            if name in fields:
                faults += self._field(f"{where}.{name}", fields[name], inner)
        return faults

    def _subtype(self, where: str, kinds: list[str], value: dict[str, Any]) -> list[str]:
        for kind in kinds:
            if self._discriminates(kind, value):
                return self._object(where, kind, value)
        return min((self._object(where, kind, value) for kind in kinds), key=len)

    def _discriminates(self, kind: str, value: dict[str, Any]) -> bool:
        for field in self._types[kind].get("fields", ()):
            if field["name"] in _DISCRIMINATORS:
                return value.get(field["name"]) in _choices(field["description"])
        return False


def _decoded(raw: Any, types: list[str]) -> Any:
    """A form's value, which is text: JSON unless a string is expected."""
    if not isinstance(raw, str):
        return raw
    for kind in types:
        if kind not in ("String", "InputFile"):
            try:
                return json.loads(raw)
            except ValueError:
                continue
    return raw


def _choices(description: str) -> list[str]:
    fixed = _FIXED.search(description)
    if fixed:
        return [fixed[1]]
    listed = _CHOICES.search(description)
    return _QUOTED.findall(listed[1]) if listed else []


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_PRIMITIVES: dict[str, Callable[[Any], bool]] = {
    "Integer": _is_integer,
    "Float": lambda value: _is_integer(value) or isinstance(value, float),
    "String": lambda value: isinstance(value, str),
    "Boolean": lambda value: isinstance(value, bool),
    "InputFile": lambda value: isinstance(value, str) and value.startswith("attach://"),
}


def official() -> Description | None:
    """The description beside the checkout, or None where there is none."""
    document = load_spec("telegram-bot-api.json")
    return Description(document) if document else None
