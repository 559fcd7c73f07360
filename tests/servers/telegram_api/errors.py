"""The Bot API's refusals."""

from typing import Any


class Refused(Exception):
    """An answer with `ok: false`: HTTP status, description and response parameters."""

    def __init__(self, status: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.status = status
        self.description = description
        self.parameters = parameters

    def body(self) -> dict[str, Any]:
        """The JSON of the answer."""
        body: dict[str, Any] = {"ok": False, "error_code": self.status, "description": self.description}
        if self.parameters:
            body["parameters"] = self.parameters
        return body


def bad_request(description: str, **parameters: int) -> Refused:
    """400, in the Bot API's wording."""
    return Refused(400, f"Bad Request: {description}", **parameters)


def forbidden(description: str) -> Refused:
    """403, in the Bot API's wording."""
    return Refused(403, f"Forbidden: {description}")
