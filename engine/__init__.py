"""The rules of Okey as pure functions on frozen data: no I/O, no clock, no entropy."""
