"""A server made with fastmcp, which our client is tested against."""

from dataclasses import dataclass
from typing import Any

import mcp_types as types
from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from pydantic import BaseModel

import common

NOTE = "note://today"
server = FastMCP("fastmcp")
note = ["nothing to do"]


class Sum(BaseModel):
    sum: int


@dataclass
class Name:
    name: str


@server.tool
def echo(message: str) -> str:
    return message


@server.tool
def add(a: int, b: int) -> Sum:
    return Sum(sum=a + b)


@server.tool
def fail():
    raise ToolError("no such luck")


@server.tool(output_schema=None)
async def steps(ctx: Context) -> str:
    return await common.steps(ctx)


server.tool("wait", output_schema=None)(common.wait)
server.tool("state", output_schema=None)(common.reach)


def form(message):
    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def modern(ctx):
    return ctx.session.protocol_version >= "2026-07-28"


@server.tool("ask-user", output_schema=None)
async def ask_user(ctx: Context) -> Any:
    if not modern(ctx):
        first = await ctx.elicit("What is your name?", Name)
        second = await ctx.elicit("And your friend's?", Name)
        return f"{second.action}: {first.data.name} and {second.data.name}"
    answers = ctx.input_responses
    if not answers:
        return types.InputRequiredResult(
            input_requests={"first": form("What is your name?"), "second": form("And your friend's?")}
        )
    first, second = answers["first"], answers["second"]
    return f"{second.action}: {first.content['name']} and {second.content['name']}"


@server.tool("ask-model", output_schema=None)
async def ask_model(question: str, ctx: Context) -> Any:
    messages = [types.SamplingMessage(role="user", content=types.TextContent(text=question))]
    if not modern(ctx):
        answer = await ctx.session.create_message(messages, max_tokens=10, related_request_id=ctx.request_id)
    elif not ctx.input_responses:
        params = types.CreateMessageRequestParams(messages=messages, max_tokens=10)
        return types.InputRequiredResult(input_requests={"answer": types.CreateMessageRequest(params=params)})
    else:
        answer = ctx.input_responses["answer"]
    return f"{answer.model} says {answer.content.text}"


@server.tool("ask-roots", output_schema=None)
async def ask_roots(ctx: Context) -> Any:
    if not modern(ctx):
        roots = await ctx.session.list_roots()
    elif not ctx.input_responses:
        return types.InputRequiredResult(input_requests={"roots": types.ListRootsRequest()})
    else:
        roots = ctx.input_responses["roots"]
    return "".join(f"{root.name}={root.uri}" for root in roots.roots)


@server.tool("write-note", output_schema=None)
async def write_note(text: str, ctx: Context) -> str:
    note[0] = text
    await ctx.session.send_resource_updated(NOTE)
    return "written"


@server.resource(NOTE)
def today() -> str:
    return note[0]


@server.resource("pic://dot", mime_type="application/octet-stream")
def dot() -> bytes:
    return bytes([0, 1, 254, 255])


@server.prompt
def compose(kind: str, about: str = "") -> str:
    return f"Write a {kind} about {about}."


common.main(lambda: server.run("stdio", show_banner=False), lambda: server.http_app(path="/mcp"))
