"""Property tests are judged by their findings, not by the machine's present speed."""

from hypothesis import settings

settings.register_profile("engine", deadline=None)
settings.load_profile("engine")
