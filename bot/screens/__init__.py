"""Views to platform-neutral screens: pure functions, no store, no chat, no clock."""
