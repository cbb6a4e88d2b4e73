"""`pytest -p tests.system.windows`: the tests as on Windows."""

from tests.system import fakes

fakes.install("windows")
