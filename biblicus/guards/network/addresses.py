"""Classify IP addresses: public ones may be reached, private ones if the user allows it, the rest never.

From the IANA registries of special-purpose addresses (RFC 6890 and its updates), written out because the standard
library's lists change between versions. An address that embeds an IPv4 address is classified as that one.

For a loopback connection, `is_own_user` compares the user at its other end."""

from __future__ import annotations

import ipaddress
import struct
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Literal

from biblicus.guards.processes import user_id

Reach = Literal["public", "private", "never"]

_PRIVATE_4 = [
    IPv4Network(net)
    for net in ("10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "198.18.0.0/15")
]
_NEVER_4 = [
    IPv4Network(net)
    for net in (
        *("0.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.51.100.0/24"),
        *("203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        *("100.100.100.200/32", "168.63.129.16/32"),  # metadata services outside the link-local range
    )
]
_PRIVATE_6 = [IPv6Network("::1/128"), IPv6Network("fc00::/7")]
_GLOBAL_6 = IPv6Network("2000::/3")
_NEVER_6 = [
    IPv6Network(net)
    for net in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "fd00:ec2::254/128", "fd20:ce::254/128")
]
"""2001::/23 contains Teredo, 2002::/16 is 6to4: tunnels to an IPv4 address of the sender's choice.
The last two are metadata services of clouds."""

_NAT64 = IPv6Network("64:ff9b::/96")
Address = tuple[str, int]


def reach(address: str) -> Reach:
    """Classify an IP address given as text, with or without a zone (`%eth0`). Invalid text is `never`."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return "never"
    return _reach_4(parsed) if isinstance(parsed, IPv4Address) else _reach_6(parsed)


@lru_cache(maxsize=256)
def is_loopback(host: str) -> bool:
    """Return true if a host name or address is certainly this machine, which no other can reach."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host in ("localhost", "localhost.")


def _reach_4(address: IPv4Address) -> Reach:
    if any(address in net for net in _NEVER_4):
        return "never"
    return "private" if any(address in net for net in _PRIVATE_4) else "public"


def _reach_6(address: IPv6Address) -> Reach:
    if address.ipv4_mapped is not None:
        return _reach_4(address.ipv4_mapped)
    if address in _NAT64:  # how a network without IPv4 reaches the public part of it
        inner = IPv4Address(int(address) & 0xFFFFFFFF)
        return "public" if _reach_4(inner) == "public" else "never"
    if any(address in net for net in _NEVER_6):
        return "never"
    if any(address in net for net in _PRIVATE_6):
        return "private"
    return "public" if address in _GLOBAL_6 else "never"


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
