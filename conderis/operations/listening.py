"""The socket that the server listens on, taken before anything else is done."""

import errno
import socket

from conderis.operations.faults import Fault

BACKLOG = 2048


def open_listener(host: str, port: int) -> socket.socket:
    """A socket that listens on this address; who connects waits until the server runs.

    Raises:
        Fault: the port is taken or not allowed, or the address not this machine's.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise Fault(
            f"CONDERIS_HOST {host} is no address of this machine ({error.strerror})."
        ) from error
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise _fault(host, port, error) from error
    return listener


def _fault(host: str, port: int, error: OSError) -> Fault:
    if error.errno == errno.EADDRINUSE:
        return Fault(
            f"Port {port} on {host} is taken. Stop what runs there, or choose another port "
            "with CONDERIS_PORT or --port."
        )
    if error.errno == errno.EACCES:
        return Fault(
            f"Port {port} on {host} is not allowed for this user. Choose one above 1023 "
            "with CONDERIS_PORT or --port."
        )
    return Fault(f"Cannot listen on {host}, port {port} ({error.strerror}).")
