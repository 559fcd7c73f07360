"""A check whether Telegram would accept an upload as a picture."""

import struct

from tests.servers.telegram_api.errors import bad_request

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_BYTES = 10 * 1024 * 1024
_MOST_SIDES = 10_000
_MOST_RATIO = 20


def measure(content: bytes) -> tuple[int, int]:
    """The width and height of a PNG (the project's only format). Raises the API's 400 for anything else."""
    if len(content) > _MOST_BYTES:
        raise bad_request("file is too big")
    if len(content) < 33 or not content.startswith(_SIGNATURE) or content[12:16] != b"IHDR":
        raise bad_request("IMAGE_PROCESS_FAILED")
    width, height = struct.unpack(">II", content[16:24])
    if width + height > _MOST_SIDES or max(width, height) > _MOST_RATIO * min(width, height):
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
    return width, height
