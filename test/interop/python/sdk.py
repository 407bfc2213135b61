"""A server made with the official Python SDK, which our client is tested against."""

from typing import Annotated

import mcp_types as types
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, ListRoots, Resolve, Sample
from pydantic import BaseModel

import common

NOTE = "note://today"
server = MCPServer("python-sdk", log_level="ERROR")
note = ["nothing to do"]


class Sum(BaseModel):
    sum: int


class Name(BaseModel):
    name: str


@server.tool()
def echo(message: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=message)])


@server.tool()
def add(a: int, b: int) -> Sum:
    return Sum(sum=a + b)


@server.tool()
def fail():
    raise ToolError("no such luck")


@server.tool(structured_output=False)
async def steps(ctx: Context) -> str:
    return await common.steps(ctx)


server.tool("wait", structured_output=False)(common.wait)
server.tool("state", structured_output=False)(common.reach)


def ask_name():
    return Elicit("What is your name?", Name)


def ask_friend():
    return Elicit("And your friend's?", Name)


@server.tool("ask-user", structured_output=False)
def ask_user(first: Annotated[Name, Resolve(ask_name)], second: Annotated[Name, Resolve(ask_friend)]) -> str:
    return f"accept: {first.name} and {second.name}"


def ask_polly(question: str):
    return Sample([types.SamplingMessage(role="user", content=types.TextContent(text=question))], max_tokens=10)


@server.tool("ask-model", structured_output=False)
def ask_model(question: str, answer: Annotated[types.CreateMessageResult, Resolve(ask_polly)]) -> str:
    return f"{answer.model} says {answer.content.text}"


def ask_for_roots():
    return ListRoots()


@server.tool("ask-roots", structured_output=False)
def ask_roots(roots: Annotated[types.ListRootsResult, Resolve(ask_for_roots)]) -> str:
    return "".join(f"{root.name}={root.uri}" for root in roots.roots)


@server.tool("write-note", structured_output=False)
async def write_note(text: str, ctx: Context) -> str:
    note[0] = text
    await ctx.notify_resource_updated(NOTE)
    if ctx.protocol_version < "2026-07-28":
        await ctx.session.send_resource_updated(NOTE)
    return "written"


@server.resource(NOTE)
def today() -> str:
    return note[0]


@server.resource("pic://dot", mime_type="application/octet-stream")
def dot() -> bytes:
    return bytes([0, 1, 254, 255])


@server.prompt()
def compose(kind: str, about: str = "") -> str:
    return f"Write a {kind} about {about}."


async def accept(ctx, params):
    return types.EmptyResult()


server._lowlevel_server.add_request_handler("resources/subscribe", types.SubscribeRequestParams, accept)
server._lowlevel_server.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, accept)


def app():
    streamable, sse = server.streamable_http_app(), server.sse_app()
    streamable.router.routes.extend(sse.router.routes)
    return streamable


common.main(lambda: server.run("stdio"), app)
