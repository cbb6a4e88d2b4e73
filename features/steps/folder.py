"""Steps about the files of a folder: written, edited, renamed, deleted, and looked at."""

import os
import shutil
from pathlib import Path

import pytest
from pytest_bdd import given, then

from features.phrase import phrase, raw
from features.world import Table, World, rows


def write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@given("a folder with the files")
def a_folder(world: World, datatable: Table) -> None:
    for row in rows(datatable):
        write(world.path(row["path"]), raw(row["text"]))


@given(phrase('the file "{path}" holds "{text!}"'))
def a_file(world: World, path: str, text: str) -> None:
    write(world.path(path), raw(text))


@given(phrase('the file "{path}" holds'))
def a_file_of_lines(world: World, path: str, docstring: str) -> None:
    write(world.path(path), docstring.encode())


@given(phrase('the file "{path}" holds {count#} rows of numbers under "{head}"'))
def a_file_of_numbers(world: World, path: str, count: str, head: str) -> None:
    rows = (f"{number * 0.37:.4f},{number % 7}" for number in range(int(count)))
    write(world.path(path), "\n".join((head, *rows)).encode())


@given(phrase('the file "{path}" holds the bytes "{data!}"'))
def a_binary_file(world: World, path: str, data: str) -> None:
    write(world.path(path), raw(data))


@given(phrase('a file named by the bytes "{name}" holds "{text}"'))
def an_oddly_named_file(world: World, name: str, text: str) -> None:
    write(world.path(os.fsdecode(raw(name))), raw(text))


@given(phrase('{count#} more items that say "{text}"'))
def many_files(world: World, count: str, text: str) -> None:
    for number in range(int(count)):
        write(world.path(f"more/{number}.txt"), f"{text} {number}".encode())


@given(phrase('"{path}" was since edited to "{text!}"'))
def edited(world: World, path: str, text: str) -> None:
    """As most editors do it: the new text under another name, put in place of the old."""
    beside = world.path(path).with_name(".being-edited")
    beside.write_bytes(raw(text))
    beside.replace(world.path(path))


@given(phrase('"{path}" was since edited to "{text}" with the same size and times'))
def edited_unseen(world: World, path: str, text: str) -> None:
    """In place, with the times put back: only the system's change time tells."""
    file = world.path(path)
    before = file.stat()
    assert len(raw(text)) == before.st_size
    file.write_bytes(raw(text))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


@given("every file was since touched")
def touched(world: World) -> None:
    for file in world.folder.rglob("*"):
        if file.is_file() and ".biblicus" not in file.parts:
            os.utime(file, (1_000_000_000, 1_000_000_000))


@given(phrase('"{path}" was since renamed to "{new}"'))
def renamed(world: World, path: str, new: str) -> None:
    world.path(new).parent.mkdir(parents=True, exist_ok=True)
    world.path(path).rename(world.path(new))


@given(phrase('"{path}" was since copied to "{new}"'))
def copied(world: World, path: str, new: str) -> None:
    shutil.copyfile(world.path(path), world.path(new))


@given(phrase('"{path}" was since deleted'))
@given(phrase('the folder "{path}" was since deleted'))
def deleted(world: World, path: str) -> None:
    found = world.path(path)
    shutil.rmtree(found) if found.is_dir() else found.unlink()


@given(phrase('"{path}" is a link to "{target}"'))
def a_link(world: World, path: str, target: str) -> None:
    world.path(path).symlink_to(target)


@given(phrase('"{path}" is now a link to "{target}"'))
def now_a_link(world: World, path: str, target: str) -> None:
    world.path(path).unlink()
    world.path(path).symlink_to(target)


@given("the folder is a git work tree")
def a_work_tree(world: World) -> None:
    write(world.path(".git/HEAD"), b"ref: refs/heads/main\n")


def _written(path: Path) -> tuple[int, int, int, int]:
    """What every write of a file changes; that it was read is no change."""
    stat = path.stat()
    return stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns


@given(phrase('the file "{path}" is remembered'))
def remembered(world: World, path: str) -> None:
    world.names[path] = (_written(world.path(path)), world.path(path).read_bytes())


@then(phrase('the file "{path}" is the very same'))
def the_very_same(world: World, path: str) -> None:
    assert (_written(world.path(path)), world.path(path).read_bytes()) == world.names[path]


@then(phrase('the file "{path}" is'))
def the_file_is(world: World, path: str, docstring: str) -> None:
    assert world.path(path).read_text("utf-8").rstrip("\n") == docstring


@then("the folder outside is empty")
def outside_is_empty(world: World) -> None:
    assert list(world.outside.iterdir()) == []


@then("the folder holds the files")
def holds_the_files(world: World, datatable: Table) -> None:
    found = sorted(path.relative_to(world.folder).as_posix() for path in world.folder.rglob("*") if path.is_file())
    assert found == [row["path"] for row in rows(datatable)]


@then(phrase('the folder holds "{path}"'))
def holds(world: World, path: str) -> None:
    assert world.path(path).exists()


@then(phrase('the folder holds no "{path}"'))
def holds_no(world: World, path: str) -> None:
    assert not os.path.lexists(world.path(path))


@then(phrase('the file "{path}" still holds "{text!}"'))
def still_holds(world: World, path: str, text: str) -> None:
    assert world.path(path).read_bytes() == raw(text)


@given(phrase('"{path}" is the home folder'))
def home_folder(world: World, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setenv("HOME", str(world.path(path)))
