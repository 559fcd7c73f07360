"""Delivery: the one outbox and the one queue through which everything reaches people.

On the way from a change to a screen:

- `delivery` hears of changes, and opens a `feed` for the table, night or daily board.
- The feed has a `snapshot` taken: the state, and the `notes` of what was shown, told and done. `latest`
  knows whether it is still true.
- The `outbox` finds in it the `items` that are due: screens, by the life of a message (`messages`) and made
  by `views`; calls to turns (`pings`); `threads`; what people are told once in private (`table_messages`,
  `night_messages`); `boards`.
- Each item is served by a task of its own (`bot.background`). It waits in the `queue` for the chats' limits,
  unless an answer to a press brings the same (`in_flight`), and is sent and noted (`sending`).
- What a chat refuses has consequences (`refusals`). A place that refuses the bot is `asleep`.

`repositories` are what all of this reads. `shared_state` is what chats share through the store; it concerns
no table.
"""
