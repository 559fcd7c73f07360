"""QR codes: module by module as another program drew them, and refused where they would not fit."""

from hashlib import sha256
from xml.etree import ElementTree

import pytest

from adapters.web.qr import qr_matrix, qr_svg
from tests.adapters.web.conftest import BrowserPage


@pytest.mark.parametrize(
    ("length", "size", "digest"),
    [(17, 21, "40250feb5812e202"), (53, 29, "1e81d2b21a86eed5"), (106, 37, "0bb91879dc71812d")],
)
def test_full_codes_are_those_of_another_program(length: int, size: int, digest: str) -> None:
    """Segno 1.6.6, level L, mask 0. A code that is full has no padding, which programs choose differently."""
    modules = qr_matrix("x" * length)
    assert [len(line) for line in modules] == [size] * size
    written = "".join(str(int(module)) for line in modules for module in line)
    assert sha256(written.encode()).hexdigest()[:16] == digest


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        qr_svg("x" * 107)


async def test_the_page_hands_out_the_code_of_a_table(page: BrowserPage) -> None:
    async with page.session.get(page.url + "qr/abcdef.svg") as response:
        assert response.content_type == "image/svg+xml"
        picture = await response.text()
    assert picture == qr_svg(f"{page.url}#abcdef")
    assert ElementTree.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
