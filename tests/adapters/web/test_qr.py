"""A table's address as a QR code."""

from xml.etree import ElementTree

import segno

from tests.adapters.web.conftest import BrowserPage


async def test_the_page_hands_out_the_code_of_a_table(page: BrowserPage) -> None:
    async with page.session.get(page.url + "qr/abcdef.svg") as response:
        assert response.content_type == "image/svg+xml"
        picture = await response.text()
    drawn = ElementTree.fromstring(picture)
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    code = segno.make_qr(f"{page.url}#abcdef")
    size = code.symbol_size(border=4)[0]
    assert drawn.get("viewBox") == f"0 0 {size} {size}"
    paths = [path.get("d") for path in drawn.iter("{http://www.w3.org/2000/svg}path")]
    assert paths[-1] in code.svg_inline(), "the modules are those of the address"
