"""The chats: a platform's events in, screens out. No game state and no rules live here."""
