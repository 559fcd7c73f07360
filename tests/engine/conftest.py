"""Laws are judged by what they find, not by how fast the machine is just now."""

from hypothesis import settings

settings.register_profile("engine", deadline=None)
settings.load_profile("engine")
