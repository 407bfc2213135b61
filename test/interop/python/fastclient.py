"""A client made with fastmcp, which docent is tested with.

    fastclient.py REVISION URL | COMMAND ARGS...

It does what the lines on standard input say, one after the other; see driven_test.go. Its
only root is the URI in INTEROP_ROOT."""

import asyncio
import json
import os
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from mcp.client import session


def say(**line):
    print(json.dumps(line), flush=True)


class Driver:
    def __init__(self, client):
        self.client = client

    async def tools(self):
        return [tool.name for tool in await self.client.list_tools()]

    async def prompts(self):
        return [prompt.name for prompt in await self.client.list_prompts()]

    async def resources(self):
        return [str(resource.uri) for resource in await self.client.list_resources()]

    async def call(self, tool, args):
        result = await self.client.call_tool(tool, args, raise_on_error=False)
        text = "".join(getattr(content, "text", "") for content in result.content)
        return {"text": text, "structured": result.structured_content, "failed": bool(result.is_error)}


async def drive(revision, target, args):
    modern = revision >= "2026-07-28"
    # The client offers its newest revision alone.
    session.LATEST_HANDSHAKE_VERSION = session.LATEST_HANDSHAKE_VERSION if modern else revision
    server = target if target.startswith("http") else StdioTransport(target, args, env=dict(os.environ))
    async with Client(server, roots=[os.environ["INTEROP_ROOT"]], mode=revision if modern else "legacy") as client:
        driver = Driver(client)
        say(id=0, value=client.session.protocol_version)
        while line := await asyncio.to_thread(sys.stdin.readline):
            request = json.loads(line)
            id, op = request.pop("id"), request.pop("op")
            try:
                say(id=id, value=await getattr(driver, op)(**request))
            except Exception as err:
                say(id=id, error=str(err) or repr(err))


asyncio.run(drive(sys.argv[1], sys.argv[2], sys.argv[3:]))
