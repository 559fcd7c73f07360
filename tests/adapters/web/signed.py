"""What Telegram does when somebody opens a Mini App: it signs who they are, as its documentation says."""

import hashlib
import hmac
import json
import time
from urllib.parse import urlencode

TOKEN = "4711:AAbbCCddEEff"


def init_data(user: int = 11, name: str = "Ada", *, token: str = TOKEN, age: float = 0, **more: str) -> str:
    """The fields and their hash, as the page gets them."""
    fields = {
        "query_id": "AAF9",
        "user": json.dumps({"id": user, "first_name": name, "language_code": "en", "is_premium": True}),
        "auth_date": str(round(time.time() - age)),
        "signature": "a-signature-of-telegram-s-own",
        **more,
    }
    return sealed(fields, token)


def sealed(fields: dict[str, str], token: str = TOKEN) -> str:
    key = hmac.new(b"WebAppData", token.encode(), hashlib.sha256).digest()
    lines = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
    return urlencode({**fields, "hash": hmac.new(key, lines.encode(), hashlib.sha256).hexdigest()})
