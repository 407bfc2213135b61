"""What the Python servers share: the command line and some tools."""

import asyncio
import socket
import sys

STATES = {}


async def wait(id: str) -> str:
    """Waits until the call is cancelled."""
    STATES[id] = "waiting"
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        STATES[id] = "cancelled"
        raise
    return "nobody cancelled this call"


async def steps(ctx):
    """Takes three steps and tells of each."""
    for i in 1, 2, 3:
        await ctx.report_progress(i, 3, f"step {i}")
        await ctx.info(f"took step {i}", logger_name="steps")
    return "there"


async def reach(id: str, state: str) -> str:
    """Waits until the call has the state, for at most five seconds."""
    for _ in range(250):
        if STATES.get(id) == state:
            return state
        await asyncio.sleep(0.02)
    raise RuntimeError(f"call {id} is {STATES.get(id)}, not {state}")


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
