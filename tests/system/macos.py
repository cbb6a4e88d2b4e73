"""`pytest -p tests.system.macos`: the tests as on macOS."""

from tests.system import fakes

fakes.install("macos")
