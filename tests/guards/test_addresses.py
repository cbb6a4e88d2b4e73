"""Which addresses may be reached."""

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.guards.network.addresses import reach
from tests.sampling import each


@pytest.mark.parametrize(
    "address",
    ["93.184.216.34", "8.8.8.8", "1.1.1.1", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.0.1.1",
     "223.255.255.255", "2606:2800:220:1::1", "2a00:1450::1", "64:ff9b::8.8.8.8", "::ffff:8.8.8.8"],
)  # fmt: skip
def test_public_addresses(address: str) -> None:
    assert reach(address) == "public"


@each(
    "address",
    ["127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1",
     "198.18.0.1", "::1", "fc00::1", "fdff::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.1.2.3"],
)  # fmt: skip
def test_private_addresses(address: str) -> None:
    assert reach(address) == "private"


@each(
    "address",
    ["0.0.0.0", "0.1.2.3", "169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "fd00:ec2::254",
     "192.0.0.192", "192.0.2.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
     "255.255.255.255", "192.88.99.1", "::", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "::127.0.0.1",
     "::ffff:169.254.169.254", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe",
     "64:ff9b:1::10.0.0.1", "2002:7f00:1::", "2002:a00:1::1", "2001::1", "2001:0:4136:e378::1", "2001:db8::1",
     "3fff::1", "5f00::1", "100::1", "4000::1", "0177.0.0.1", "2130706433", "0x7f.0.0.1", "localhost", ""],
)  # fmt: skip
def test_addresses_that_nothing_is_fetched_from(address: str) -> None:
    assert reach(address) == "never"


@given(st.ip_addresses())
def test_what_the_standard_library_calls_private_is_never_public(address: IPv4Address | IPv6Address) -> None:
    if reach(str(address)) == "public" and not str(address).startswith("64:ff9b::"):
        inner = (address.ipv4_mapped if isinstance(address, IPv6Address) else None) or address
        assert inner.is_global
        assert not inner.is_multicast
        assert not inner.is_reserved
