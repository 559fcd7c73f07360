"""Command line: the arguments of each subcommand of `okey`, and the subcommands that need no chat."""
