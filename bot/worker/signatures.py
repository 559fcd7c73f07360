"""Signatures: whether a public beacon (drand) really gave a round's value.

They are on the curve BLS12-381, in the scheme `bls-unchained-g1-rfc9380`: of the SHA-256 of the round's
number, in the group G1, under a public key in G2.
"""

import hashlib
from typing import Final

try:
    import pyblst  # type: ignore[import-untyped]
except ImportError:  # there is no wheel of it for every platform
    pyblst = None

PUBLIC_KEYS: Final = {
    "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971": (
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
}
"""The published keys of drand's chains by their hashes: of *quicknet*, the one that anybody may use."""

_GENERATOR: Final = (
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)
"""The generator of G2."""

_DOMAIN: Final = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


def is_signed(chain: str, round: int, signature: bytes) -> bool | None:
    """Return whether a chain signed this round so; None if its key is unknown here, or nothing can check
    it."""
    if pyblst is None or chain not in PUBLIC_KEYS:
        return None
    key, generator = (
        pyblst.BlstP2Element.uncompress(bytes.fromhex(each)) for each in (PUBLIC_KEYS[chain], _GENERATOR)
    )
    try:
        message = hashlib.sha256(round.to_bytes(8, "big")).digest()
        signed = pyblst.BlstP1Element.uncompress(signature)
    except (ValueError, OverflowError):  # it is no point of the group, or no round
        return False
    hashed = pyblst.BlstP1Element.hash_to_group(message, _DOMAIN)
    return bool(pyblst.final_verify(pyblst.miller_loop(signed, generator), pyblst.miller_loop(hashed, key)))
