"""Requests and answers validated against Discord's own description, if it lies beside the checkout.

`okey bench` runs this also where nothing is installed for the tests. Without jsonschema nothing is validated.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from typing import Any

from tests.servers.spec import load_spec

_DOCUMENT = "urn:discord"


@cache
def description() -> dict[str, Any] | None:
    """The description, extended so that identifiers may be integers and permissions strings: Discord accepts
    both forms, but its description names one."""
    spec = load_spec("discord-openapi.json") if find_spec("jsonschema") else None
    if spec is not None:
        spec["components"]["schemas"]["SnowflakeType"]["type"] = ["string", "integer"]
        permissions = spec["components"]["schemas"]["CreateRoleRequest"]["properties"]["permissions"]
        permissions["type"] = ["string", "integer", "null"]
    return spec


def problems(method: str, path: str, body: object, *, files: bool) -> list[str]:
    """Problems of a request: an unknown operation, or a body that does not match its schema.

    `path` is relative to `/api/v10`; `body` is the JSON, or that of `payload_json` with `files`.
    """
    spec = description()
    if spec is None:
        return []
    template = _template(path)
    operation = None if template is None else spec["paths"][template].get(method.lower())
    if operation is None:
        return [f"{method} {path} is no operation of Discord's"]
    content = operation.get("requestBody", {}).get("content")
    if content is None:
        return [] if body is None else [f"{method} {path} takes no body"]
    kind = "multipart/form-data" if files else "application/json"
    return _errors(
        f"{method} {path}",
        f"/paths/{_escaped(template)}/{method.lower()}/requestBody/content/{_escaped(kind)}/schema",
        body,
    )


def answer_problems(schema: str, body: object) -> list[str]:
    """Problems of our own answer against a named schema."""
    return [] if description() is None else _errors(schema, f"/components/schemas/{schema}", body)


def _errors(what: str, pointer: str, body: object) -> list[str]:
    from jsonschema.exceptions import best_match  # type: ignore[import-untyped]

    error = best_match(_validator(pointer).iter_errors(body))
    return [] if error is None else [f"{what}: {error.json_path}: {error.message[:300]}"]


def _may_fit(branch: dict[str, Any], body: object) -> bool:
    """Return whether the body has the constant that a branch names, for itself or for its `type`."""
    if "const" in branch:
        return bool(branch["const"] == body)
    types = _types(branch.get("$ref", "")) if isinstance(body, dict) and "type" in body else None
    return types is None or body["type"] in types


@cache
def _types(reference: str) -> list[object] | None:
    """The values that a named schema allows for `type`; None: it does not list them."""
    named = (description() or {})["components"]["schemas"].get(reference.rpartition("/")[2], {})
    types: list[object] | None = named.get("properties", {}).get("type", {}).get("enum")
    return types


@cache
def _validator(pointer: str) -> Any:
    return _validators()({"$ref": f"{_DOCUMENT}#{pointer}"})


@cache
def _validators() -> Callable[[dict[str, str]], Any]:
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
    from jsonschema.validators import extend  # type: ignore[import-untyped]
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    among_all = Draft202012Validator.VALIDATORS["oneOf"]

    def one_of(validator: Any, branches: list[Any], body: object, schema: object) -> Iterator[Any]:
        """`oneOf` among the branches that may fit: Discord has one for every component and every type's
        number. To try them all, nested as they are, takes a third of a second for a message."""
        fitting = [branch for branch in branches if _may_fit(branch, body)]
        yield from among_all(validator, fitting or branches, body, schema)

    resource: Any = DRAFT202012.create_resource(description())
    registry: Any = Registry().with_resource(_DOCUMENT, resource)
    return partial(extend(Draft202012Validator, {"oneOf": one_of}), registry=registry)


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Every path as a pattern, those with the fewest parameters first (`@original` before an identifier)."""
    paths = sorted((description() or {})["paths"], key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\{[^}]*\}", "[^/]+", path)), path) for path in paths]


def _template(path: str) -> str | None:
    return next((template for pattern, template in _patterns() if pattern.fullmatch(path)), None)


def _escaped(part: str | None) -> str:
    return (part or "").replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")
