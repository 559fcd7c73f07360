"""Certificates: whether those of our addresses are trusted, and for how much longer."""

import asyncio
import math
import ssl
import time
from typing import Final

from bot.doctor.report import PATIENCE, Finding, good, wrong

LEAST_DAYS: Final = 14
"""Days before its end at which a certificate must be replaced: programs that replace them do so a month
before."""


async def examine_certificate(
    setting: str, host: str, port: int, authority: str | None = None
) -> list[Finding]:
    """Return the findings about the certificate at a host and port, which a setting names; nothing where no
    TLS is spoken: others tell that.

    `authority` is the file of the authority that signed it; None: one that the system trusts.
    """
    try:
        context = ssl.create_default_context(cafile=authority)
        async with asyncio.timeout(PATIENCE):
            _, writer = await asyncio.open_connection(host, port, ssl=context)
        ends = ssl.cert_time_to_seconds(str((writer.get_extra_info("peercert") or {})["notAfter"]))
        writer.close()
    except ssl.SSLCertVerificationError as error:
        words = f"The certificate of {setting} is not valid ({error.verify_message}): replace it."
        return [wrong("certificate", words)]
    except (OSError, TimeoutError):
        return []
    days = math.floor((ends - time.time()) / 86400)
    if days < LEAST_DAYS:
        words = f"The certificate of {setting} ends in {days} days: replace it, and let a program do so."
        return [wrong("certificate", words)]
    return [good("certificate", f"The certificate of {setting} is valid for {days} days.")]
