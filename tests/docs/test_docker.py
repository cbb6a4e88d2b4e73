"""The image and its composition, held against what the command line takes: there is no daemon here to build with."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from biblicus.config import Settings
from biblicus.connectors.cli.serve import COMMANDS
from biblicus.stores.options import PostgresOptions, postgres_target

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
LINES = [line for line in DOCKERFILE.splitlines() if line.strip() and not line.startswith("#")]
COMPOSED: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSED["services"]


def said(word: str) -> list[str]:
    """What an instruction says, each time it is given."""
    return [line.split(None, 1)[1] for line in LINES if line.split(None, 1)[0] == word]


def test_every_instruction_is_one_that_is_known() -> None:
    known = "FROM ARG WORKDIR COPY RUN ENV USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD"
    assert {line.split(None, 1)[0] for line in LINES} == {*known.split(" ")}


def test_the_image_is_slim_and_named_by_its_version() -> None:
    for base in said("FROM"):
        assert re.fullmatch(r"python:3\.\d+-slim( AS \w+)?", base)


def test_what_runs_is_not_root() -> None:
    (user,) = said("USER")
    assert all(int(number) >= 1000 for number in user.split(":"))
    assert LINES.index(f"USER {user}") > max(LINES.index(f"RUN {command}") for command in said("RUN"))


def test_what_is_copied_is_here_and_not_left_out() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    for copied in said("COPY"):
        if not copied.startswith("--from"):
            for path in copied.split()[:-1]:
                assert (ROOT / path).exists()
                assert path in kept


def test_its_health_is_asked_at_the_port_that_it_serves() -> None:
    (port,) = said("EXPOSE")
    (check,) = said("HEALTHCHECK")
    (command,) = said("CMD")
    words = json.loads(command)
    assert f"http://127.0.0.1:{port}/health" in check
    assert words[words.index("--port") + 1] == port
    (serve,) = [entry for entry in COMMANDS if entry.words == words[0]]
    flags = {flag for option in serve.options for flag in option.flags}
    assert {word for word in words if word.startswith("-")} <= flags
    assert json.loads(said("ENTRYPOINT")[0]) == ["start"]
    assert "packaging/docker/start /usr/local/bin/start" in said("COPY")


def test_what_formats_are_read_is_said_where_the_image_is_built() -> None:
    (argument,) = said("ARG")
    name, _, default = argument.partition("=")
    assert any(f".[${{{name}}}]" in command for command in said("RUN"))
    assert default in SERVICES["biblicus"]["build"]["args"][name]


def test_the_package_is_built_from_what_is_copied(tmp_path: Path) -> None:
    for copied in said("COPY"):
        *paths, postgres_target = copied.split()
        for path in [] if copied.startswith("--from") or postgres_target.startswith("/") else paths:
            if (ROOT / path).is_dir():
                shutil.copytree(ROOT / path, tmp_path / postgres_target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                (tmp_path / postgres_target).mkdir(exist_ok=True)
                shutil.copy(ROOT / path, tmp_path / postgres_target)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert len(list((tmp_path / "dist").glob("*.whl"))) == 1


def test_it_embeds_and_has_tools_for_agents() -> None:
    (argument,) = said("ARG")
    assert {"meaning", "mcp", "serve"} <= {*argument.partition("=")[2].split(",")}


def started(folder: Path, tmp_path: Path) -> subprocess.Popen[str]:
    """The image's start, with a command in place of the service that says that it was reached."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "biblicus").write_text(
        f'#!/bin/sh\n[ $1 = serve ] && echo served && exit\nexec {sys.executable} -I -m biblicus "$@"\n', "utf-8"
    )
    (programs / "biblicus").chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    command = ["sh", str(ROOT / "packaging/docker/start"), "serve", str(folder)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True, cwd=tmp_path)


def test_an_empty_volume_becomes_a_corpus_and_is_served(home: Path, tmp_path: Path) -> None:
    (folder := tmp_path / "corpus").mkdir()
    said, told = started(folder, tmp_path).communicate(timeout=120)
    assert said.splitlines()[-1] == "served", told
    assert (folder / ".biblicus" / "config.yml").exists()


def test_a_volume_that_cannot_become_one_is_waited_for_and_not_retried(home: Path, tmp_path: Path) -> None:
    """To end would mean to be restarted for ever."""
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "corpus"
    start = started(folder, tmp_path)
    assert start.stderr is not None
    lines = iter(start.stderr.readline, "")
    assert any("is no corpus, and none can be made of it. Try: docker compose run" in line for line in lines)
    start.terminate()
    assert start.wait(120) == 0


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_may_do_no_more_than_it_must(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert "privileged" not in service
    assert service.get("user", "").split(":")[0] not in ("root", "0")
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))
    assert not any("docker.sock" in volume for volume in service["volumes"])
    assert ":latest" not in service["image"]


def test_the_database_is_reached_by_its_socket_alone() -> None:
    database, biblicus = SERVICES["database"], SERVICES["biblicus"]
    assert database["network_mode"] == "none"
    assert "ports" not in database
    sockets = [volume.split(":")[:2] for service in (database, biblicus) for volume in service["volumes"]]
    assert sockets.count(["socket", "/var/run/postgresql"]) == 2
    assert biblicus["depends_on"]["database"]["condition"] == "service_healthy"
    assert database["healthcheck"]["test"][0] == "CMD"


def test_no_secret_stands_in_it() -> None:
    environment = SERVICES["database"]["environment"]
    assert [key for key in environment if "PASSWORD" in key] == ["POSTGRES_PASSWORD_FILE"]
    assert "database-password" in (ROOT / ".gitignore").read_text("utf-8")
    assert COMPOSED["secrets"] == {"database": {"file": "./database-password"}}


def test_its_settings_bind_the_corpus_to_the_database(tmp_path: Path) -> None:
    settings = Settings.model_validate(yaml.safe_load(COMPOSED["configs"]["settings"]["content"]))
    options = PostgresOptions.model_validate(settings.stores["team"].options)
    assert options.password_file == "/run/secrets/database"
    (tmp_path / "secret").write_text("hush\n", "utf-8")
    reached = postgres_target("team", options.model_copy(update={"password_file": str(tmp_path / "secret")}), {})
    assert reached.parameters() | {"password": "hush", "host": "/var/run/postgresql"} == reached.parameters()
    assert "sslmode" not in reached.parameters()
    assert settings.corpora["/corpus"].store == "team"
    volumes = SERVICES["biblicus"]["volumes"]
    assert [volume for volume in volumes if volume.endswith(":/corpus")]
