import pytest
from pytest_bdd import scenarios

pytestmark = pytest.mark.usefixtures("surface")

scenarios("sources")
