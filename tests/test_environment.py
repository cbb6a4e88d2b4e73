"""What installs the developers' environment: uv where it can be had, and pip for all that uv has no word for."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tools.environment import compile_sources, install, install_compiled, translated


@pytest.mark.parametrize(
    ("configuration", "options", "variables"),
    [
        ([], [], {}),
        (["global.index-url='https://a/simple'"], ["--default-index", "https://a/simple"], {}),
        (["global.extra-index-url='https://a https://b'"], ["--index", "https://a", "--index", "https://b"], {}),
        ([r"global.extra-index-url='\nhttps://a\nhttps://b'"], ["--index", "https://a", "--index", "https://b"], {}),
        (["global.find-links='/a'", ":env:.find-links='/a'"], ["--find-links", "/a"], {}),
        (["install.constraint='/a b.txt'"], ["--constraint", "/a", "--constraint", "b.txt"], {}),
        (["global.trusted-host='a'"], ["--allow-insecure-host", "a"], {}),
        ([":env:.cert='/a.crt'", "global.timeout='9'"], [], {"SSL_CERT_FILE": "/a.crt", "UV_HTTP_TIMEOUT": "9"}),
        ([":env:.disable-pip-version-check='1'", "wheel.no-cache-dir='1'", "download.platform='a'"], [], {}),
    ],
)
def test_what_pip_is_configured_with_is_told_to_uv(
    configuration: list[str], options: list[str], variables: dict[str, str]
):
    assert translated(configuration) == (options, variables)


@pytest.mark.parametrize("line", ["global.no-index='true'", "install.require-hashes='1'", ":env:.proxy='http://a'"])
def test_what_uv_has_no_word_for_is_left_to_pip(line: str):
    assert translated([line]) is None


@pytest.mark.parametrize(
    ("failing", "installed_by"),
    [
        ("", ["pip install uv", "uv"]),
        ("config", ["pip", "pip --no-deps"]),
        ("install uv", ["pip install uv", "pip", "pip --no-deps"]),
        ("uv pip", ["pip install uv", "uv", "pip", "pip --no-deps"]),
    ],
)
def test_pip_installs_where_uv_does_not(failing: str, installed_by: list[str]):
    installing: list[str] = []
    left_out: list[str] = []

    def run(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        words = " ".join(command)
        if "config" not in command:
            others = "pip --no-deps" if "--no-deps" in command else "pip"
            installing.append("pip install uv" if command[-1] == "uv" else "uv" if "uv" in command else others)
        if "--override" in command:
            overrides = Path(command[command.index("--override") + 1]).read_text("utf-8")
            left_out.extend(line.partition(";")[0] for line in overrides.splitlines())
        is_failing = failing in words.replace(" --quiet --no-compile", "") if failing else False
        return subprocess.CompletedProcess(command, int(is_failing), stdout="")

    install(run)
    assert installing == installed_by
    assert left_out == (["sentence-transformers", "hnswlib"] if "uv" in installed_by else [])


def test_what_is_compiled_beside_the_rest_is_installed_from_there():
    commands: list[list[str]] = []

    def run(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        commands.append(command[4:])
        return subprocess.CompletedProcess(command, 0)

    compile_sources(run)
    install_compiled(run)
    (wheel, *_, made, requirement), (install_, *_, place, same) = commands
    assert (wheel, install_) == ("wheel", "install")
    assert (made, requirement) == (place, same)
    assert requirement.startswith("hnswlib>=")
    assert all("--no-deps" in command for command in commands)
