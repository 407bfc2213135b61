"""What the Python servers share: the command line, and the calls of "wait"."""

import asyncio
import socket
import sys

STATES = {}


async def wait(call):
    """Waits until the call is cancelled."""
    STATES[call] = "waiting"
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        STATES[call] = "cancelled"
        raise
    return "nobody cancelled this call"


async def reach(call, state):
    """Waits until the call has the state, for at most five seconds."""
    for _ in range(250):
        if STATES.get(call) == state:
            return state
        await asyncio.sleep(0.02)
    raise RuntimeError(f"call {call} is {STATES.get(call)}, not {state}")


def main(stdio, app):
    """Serves standard input and output with stdio(), or with -http the ASGI
    application that app() returns, and prints its URL."""
    if "-http" not in sys.argv:
        stdio()
        return
    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    uvicorn.Server(uvicorn.Config(app(), log_level="warning")).run(sockets=[listener])
