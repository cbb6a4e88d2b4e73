"""An extractor that does what hostile files make parsers do. The file says what: `hang`, `abort`, `exit`, …"""

import ctypes
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from biblicus.contracts import Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import Extraction, Heading
from biblicus.models.frozen import dataclass
from biblicus.models.records import Record

_leaked: list[bytes] = []
_served = 0


@dataclass(frozen=True, kw_only=True)
class Options(Record):
    """None. Without a validator, as those of our own extractors: it would be most of what a worker takes to start."""


class Faulty:
    fingerprint = "faulty/1"
    guarded = True

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction:
        global _served
        _served += 1
        word, _, rest = raw.decode().partition(" ")
        match word:
            case "hang":
                time.sleep(60)
            case "spin":
                while True:
                    pass
            case "stubborn":  # switches off the alarm, as a parser that was taken over would
                signal.setitimer(signal.ITIMER_REAL, 0)
                time.sleep(60)
            case "abort":
                os.abort()
            case "exit":
                os._exit(3)
            case "hog":
                bytearray(8 << 30)
            case "leak":
                _leaked.append(bytes(int(rest) << 20))
            case "huge":
                return Extraction("x" * (int(rest) << 20))
            case "overflow":
                raise OverflowError("cannot convert float infinity to integer")
            case "lack":
                raise KeyError("rId7")
            case "raise":
                raise ValueError("broken\nin two lines")
            case "fail":
                raise ExtractionFailed("the file is torn")
            case "surrogate":
                return Extraction("\ud800")
            case "print":
                sys.stdout.write("noise on standard output")
                sys.stdout.flush()
                os.write(1, b"more noise")
            case "write":
                with open(rest, "wb") as file:
                    file.write(b"x" * 10)
            case "read":
                return Extraction(Path(rest).read_text())
            case "connect":
                socket.create_connection(("127.0.0.1", int(rest)), timeout=5)
            case "fork":
                if not os.fork():
                    os._exit(0)
            case "start":
                return Extraction(subprocess.run([rest, "found"], capture_output=True, check=True).stdout.decode())
            case "call":
                libc = ctypes.CDLL(None, use_errno=True)
                if libc.syscall(ctypes.c_long(int(rest)), -1, 0, 0, 0, 0, 0) == -1:
                    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
            case "unlimit":
                resource.prlimit(0, resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
            case "files":
                descriptors = [os.open("/dev/null", os.O_RDONLY) for _ in range(int(rest))]
                return Extraction(f"{len(descriptors)} files")
            case "secret":
                return Extraction(os.environ.get("BIBLICUS_SECRET", "nothing") + " " + os.getcwd())
            case "forge":
                os.write(_answers(), b"\xff" * 64)
            case "lie":
                return Extraction("short", pages=(0, 9_999))
            case "first":
                return Extraction(f"served {_served}")
            case "fragile":  # survives only as the first task of a worker
                if _served > 1:
                    os.abort()
        return Extraction(raw.decode(), headings=(Heading(0, 1, hint.path),), metadata={"pid": os.getpid()})


def _answers() -> int:
    """The descriptor on which the worker answers: the highest pipe."""
    return max(fd for fd in range(3, 32) if _is_pipe(fd))


def _is_pipe(fd: int) -> bool:
    try:
        return os.readlink(f"/proc/self/fd/{fd}").startswith("pipe:")
    except OSError:
        return False


def build(options: Options, given: Given) -> Faulty:
    sys.setswitchinterval(0.005)
    return Faulty()
