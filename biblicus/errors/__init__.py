"""The error classes: each has its message, fields, code, category and exit code.

Each connector catches `BiblicusError` in one place and shows `message` and `hint`. The command line exits with
`exit_code`; `service.routes` maps categories to HTTP statuses. `hint` is the next command to type, or a short remedy.
Texts from a corpus are shown through `guards.terminal`."""

from biblicus.errors.bad_data import *
from biblicus.errors.families import *
from biblicus.errors.not_found import *
from biblicus.errors.refused import *
from biblicus.errors.unavailable import *
from biblicus.errors.usage import *
