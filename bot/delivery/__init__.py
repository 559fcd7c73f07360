"""Delivery: who must still be shown or told what, within the chats' limits."""
