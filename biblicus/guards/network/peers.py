"""The user at the other end of a loopback connection."""

from __future__ import annotations

import ipaddress
import struct
from contextlib import suppress

from biblicus.guards.processes import user_id

Address = tuple[str, int]


def is_own_user(client: Address, server: Address) -> bool | None:
    """Return true if this process's user made a loopback connection; None if the system does not report it.

    Linux lists the owner of each socket in `/proc/net/tcp`; other systems have no such list for everybody."""
    with suppress(OSError, ValueError):
        endpoints = [_as_listed(client), _as_listed(server)]
        with open("/proc/net/tcp6" if ":" in client[0] else "/proc/net/tcp", encoding="ascii") as lines:
            for line in lines:
                fields = line.split()
                if fields[1:3] == endpoints:
                    return int(fields[7]) == user_id()
    return None


def _as_listed(address: Address) -> str:
    """Return an address in the form of that list: 32-bit words in the machine's byte order, in hexadecimal."""
    packed = ipaddress.ip_address(address[0]).packed
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return f"{''.join(f'{word:08X}' for word in words)}:{address[1]:04X}"
