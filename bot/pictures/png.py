"""PNG: pictures written as W3C's Portable Network Graphics, from bands that are packed apart.

Packing is more than half of a picture's work, and Pillow packs with the system's zlib.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageChops
from zlib_ng import zlib_ng

from bot.pictures.theme import PALETTE, PALETTE_IN_CONTRAST

_PACKING: Final = 2
"""zlib-ng's level. Each line holds its difference from the line above (filter 2, Up), as most edges of a rack
are vertical. A shelf takes under half of the time of unfiltered lines at level 5, for a seventh more bytes; a
table is as large as unfiltered."""
_UP: Final = 2
"""The type of that filter (chapter 9)."""


@dataclass(frozen=True, slots=True)
class Band:
    """Lines of a picture, packed: they serve again while other lines change."""

    width: int
    height: int
    packed: bytes
    """A chunk with blocks of DEFLATE (RFC 1951) that refer to nothing before them and end at a byte."""
    checksum: int
    """Adler-32 of the unpacked lines."""


def pack(indices: Image.Image) -> Band:
    """Palette indices (mode L) as a band. Equal ones give equal bytes."""
    width, height = indices.size
    lines = _filter(indices).tobytes()
    packer = zlib_ng.compressobj(_PACKING, wbits=-zlib_ng.MAX_WBITS)
    packed = packer.compress(lines) + packer.flush(zlib_ng.Z_SYNC_FLUSH)
    return Band(width, height, _chunk(b"IDAT", packed), zlib_ng.adler32(lines))


def _filter(indices: Image.Image) -> Image.Image:
    """Lines with the type of their filter before them. The first is itself: what stands above is another
    band's."""
    width, height = indices.size
    below, above = indices.crop((-1, 0, width, height)), indices.crop((-1, -1, width, height - 1))
    lines = ImageChops.subtract_modulo(below, above)  # outside of the picture there are zeros: filter 0, None
    lines.paste(_UP, (0, 1, 1, height))
    return lines


def png(bands: Sequence[Band], *, contrast: bool) -> bytes:
    """Bands of one width, from top to bottom, as a PNG in our palette or in that of strong contrast."""
    width, height, checksum = bands[0].width, 0, 1
    for band in bands:
        height += band.height
        checksum = _join(checksum, band.checksum, (width + 1) * band.height)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", width.to_bytes(4) + height.to_bytes(4) + _EIGHT_BITS_OF_PALETTE),
            _PALETTES[contrast],
            _ZLIB,
            *(band.packed for band in bands),
            _chunk(b"IDAT", _LAST_BLOCK + checksum.to_bytes(4)),
            _END,
        )
    )


def _join(first: int, second: int, length: int) -> int:
    """Adler-32 (RFC 1950, chapter 9) of two texts in a row, from that of each. `length`: the second's."""
    low = (first & 0xFFFF) + (second & 0xFFFF) - 1
    high = (first >> 16) + (second >> 16) + length * ((first & 0xFFFF) - 1)
    return high % _ADLER << 16 | low % _ADLER


def _chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk (chapter 5): length, kind, data, checksum."""
    return len(data).to_bytes(4) + kind + data + zlib_ng.crc32(kind + data).to_bytes(4)


_ADLER: Final = 65_521
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS_OF_PALETTE: Final = bytes((8, 3, 0, 0, 0))
"""The end of a header: bits a pixel, kind of colour, compression, method of filters, no interlacing."""
_PALETTES: Final = tuple(_chunk(b"PLTE", bytes(palette)) for palette in (PALETTE, PALETTE_IN_CONTRAST))
_ZLIB: Final = _chunk(b"IDAT", b"\x78\x9c")
"""What stands before the blocks (RFC 1950)."""
_LAST_BLOCK: Final = b"\x03\x00"
"""An empty one."""
_END: Final = _chunk(b"IEND", b"")
