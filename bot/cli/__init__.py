"""Command line: what each subcommand of `okey` takes, and those that need no chat."""
