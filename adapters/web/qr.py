"""QR codes of short addresses (ISO/IEC 18004): bytes, level L, mask 0, versions 1 to 5 of one block each."""

from collections.abc import Iterator, Sequence
from typing import Final

Matrix = list[list[bool]]

_DATA: Final = (19, 34, 55, 80, 108)
"""Data codewords by version, from 1."""
_CORRECTION: Final = (7, 10, 15, 20, 26)
"""Error correction codewords by version."""
_FORMAT: Final = 0b111011111000100
"""Level L and mask 0, with their own error correction, masked as the standard has it."""
_QUIET: Final = 4
"""The width of the white edge, in modules."""


def qr_svg(text: str) -> str:
    """The code as SVG. Raises ValueError for more than 106 bytes."""
    modules = qr_matrix(text)
    size = len(modules) + 2 * _QUIET
    dark = "".join(
        f"M{column + _QUIET} {row + _QUIET}h1v1h-1z"
        for row, line in enumerate(modules)
        for column, is_dark in enumerate(line)
        if is_dark
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{dark}"/></svg>'
    )


def qr_matrix(text: str) -> Matrix:
    """The code's modules, row by row; True is dark. Raises ValueError for more than 106 bytes."""
    content = text.encode()
    version = next((number for number, most in enumerate(_DATA, 1) if len(content) + 2 <= most), None)
    if version is None:
        raise ValueError("too long for a code")
    size = 17 + 4 * version
    modules: list[list[bool | None]] = [[None] * size for _ in range(size)]
    _draw_patterns(modules, version)
    bits = _bits(_codewords(content, version))
    for row, column in _path(size):
        if modules[row][column] is None:
            modules[row][column] = next(bits, False) ^ ((row + column) % 2 == 0)
    return [[bool(module) for module in line] for line in modules]


def _codewords(content: bytes, version: int) -> list[int]:
    """The data with header and padding, followed by the error correction."""
    most = _DATA[version - 1]
    packed = (0x4 << 8 | len(content)) << 8 * len(content) | int.from_bytes(content)
    data = list((packed << 4).to_bytes(len(content) + 2))
    data += [(0xEC, 0x11)[at % 2] for at in range(most - len(data))]
    return data + _remainder(data, _CORRECTION[version - 1])


def _remainder(data: Sequence[int], count: int) -> list[int]:
    """Reed–Solomon: the remainder of the data divided by the generator for this many codewords."""
    generator = [1]
    root = 1
    for _ in range(count):
        shifted = [*generator, 0]
        generator = [a ^ _times(b, root) for a, b in zip(shifted, [0, *generator], strict=True)]
        root = _times(root, 2)
    rest = [*data, *[0] * count]
    for at in range(len(data)):
        factor = rest[at]
        for place, each in enumerate(generator):
            rest[at + place] ^= _times(each, factor)
    return rest[len(data) :]


def _times(a: int, b: int) -> int:
    """The product in the field of 256 elements."""
    product = 0
    while b:
        product ^= a * (b & 1)
        a = a << 1 ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return product


def _bits(codewords: Sequence[int]) -> Iterator[bool]:
    return (bool(codeword >> place & 1) for codeword in codewords for place in range(7, -1, -1))


def _path(size: int) -> Iterator[tuple[int, int]]:
    """The modules in order: two columns at a time from the right, alternately up and down. The timing column
    is skipped."""
    upwards = True
    for right in (each for each in range(size - 1, 0, -2)):
        right -= right <= 6
        rows = range(size - 1, -1, -1) if upwards else range(size)
        yield from ((row, column) for row in rows for column in (right, right - 1))
        upwards = not upwards


def _draw_patterns(modules: list[list[bool | None]], version: int) -> None:
    """The finders with their white edge, the timing, the alignment, and the format."""
    size = len(modules)
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        for row in range(-1, 8):
            for column in range(-1, 8):
                if 0 <= top + row < size and 0 <= left + column < size:
                    ring = max(abs(row - 3), abs(column - 3))
                    modules[top + row][left + column] = ring not in (2, 4)
    for at in range(8, size - 8):
        modules[6][at] = modules[at][6] = at % 2 == 0
    if version > 1:
        for row in range(-2, 3):
            for column in range(-2, 3):
                modules[size - 7 + row][size - 7 + column] = max(abs(row), abs(column)) != 1
    modules[size - 8][8] = True
    for at in range(15):
        bit = bool(_FORMAT >> at & 1)
        near = at if at < 6 else at + 1 if at < 8 else size - 15 + at
        modules[near][8] = bit
        across = size - 1 - at if at < 8 else 7 if at == 8 else 14 - at
        modules[8][across] = bit
