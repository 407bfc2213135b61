"""A client made with the official Python SDK, which our server is tested with.

    client.py REVISION URL | COMMAND ARGS...

It does what the lines on standard input say; see driven_test.go. Its only root is the URI
in INTEROP_ROOT."""

import asyncio
import json
import os
import sys

import mcp_types as types
from mcp.client import session
from mcp.client.client import Client
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters

NOTE = "note://today"


def say(**line):
    print(json.dumps(line), flush=True)


def event(text):
    say(event=text)


async def sample(context, params):
    message = params.messages[0]
    content = message.content[0] if isinstance(message.content, list) else message.content
    return types.CreateMessageResult(role="assistant", model="parrot", content=content)


async def elicit(context, params):
    if isinstance(params, types.ElicitRequestURLParams):
        event(f"sent to {params.url}")
        return types.ElicitResult(action="accept")
    return types.ElicitResult(action="accept", content={"name": "Grace" if "friend" in params.message else "Ada"})


async def roots(context):
    return types.ListRootsResult(roots=[types.Root(uri=os.environ.get("INTEROP_ROOT", "file:///home/ada"), name="home")])


async def log(params):
    event(f"log {params.level} {params.logger or ''}: {params.data}")


async def progress(done, total, message):
    event(f"progress {done:g}/{total or 0:g} {message or ''}")


async def news(message):
    match message:
        case types.ResourceUpdatedNotification():
            event(f"updated {message.params.uri}")
        case types.ToolListChangedNotification():
            event("changed tools")
        case types.PromptListChangedNotification():
            event("changed prompts")
        case types.ResourceListChangedNotification():
            event("changed resources")


async def every(method, entries):
    """Returns the entries of all pages."""
    found, cursor = [], None
    while True:
        page = await method(cursor=cursor)
        found += entries(page)
        cursor = page.next_cursor
        if not cursor:
            return found


class Driver:
    def __init__(self, client):
        self.client = client
        self.modern = client.protocol_version >= "2026-07-28"
        self.listening = []

    async def tools(self):
        return await every(self.client.list_tools, lambda page: [tool.name for tool in page.tools])

    async def prompts(self):
        return await every(self.client.list_prompts, lambda page: [prompt.name for prompt in page.prompts])

    async def resources(self):
        return await every(self.client.list_resources, lambda page: [str(r.uri) for r in page.resources])

    async def templates(self):
        return await every(
            self.client.list_resource_templates, lambda page: [t.uri_template for t in page.resource_templates]
        )

    async def call(self, tool, args):
        result = await self.client.call_tool(tool, args, progress_callback=progress)
        text = "".join(content.text for content in result.content if isinstance(content, types.TextContent))
        return {"text": text, "structured": result.structured_content, "failed": bool(result.is_error)}

    async def read(self, uri):
        content = (await self.client.read_resource(uri)).contents[0]
        if isinstance(content, types.TextResourceContents):
            return {"text": content.text}
        return {"blob": content.blob}

    async def prompt(self, name, args):
        messages = []
        for message in (await self.client.get_prompt(name, args)).messages:
            content = message.content
            if isinstance(content, types.EmbeddedResource):
                text = f"resource {content.resource.uri}: {content.resource.text}"
            else:
                text = content.text
            messages.append(f"{message.role}: {text}")
        return messages

    async def complete(self, kind, ref, argument, typed, chosen):
        reference = (
            types.PromptReference(type=kind, name=ref)
            if kind == "ref/prompt"
            else types.ResourceTemplateReference(type=kind, uri=ref)
        )
        result = await self.client.complete(reference, {"name": argument, "value": typed}, chosen)
        return result.completion.values

    async def logs(self):
        if not self.modern:
            await self.client.set_logging_level("info")

    async def subscribe(self):
        if not self.modern:
            await self.client.subscribe_resource(NOTE)
            return
        await self.listen(tools_list_changed=True, prompts_list_changed=True, resources_list_changed=True)
        self.note = await self.listen(resource_subscriptions=[NOTE])

    async def listen(self, **filter):
        """Opens a subscription, whose changes news reports, and returns its task."""
        opened = asyncio.get_running_loop().create_future()

        async def run():
            try:
                async with self.client.listen(**filter) as subscription:
                    opened.set_result(None)
                    async for _ in subscription:
                        pass
            except Exception as err:
                if not opened.done():
                    opened.set_exception(err)

        task = asyncio.create_task(run())
        self.listening.append(task)
        await opened
        return task

    async def unsubscribe(self):
        if self.modern:
            self.note.cancel()
        else:
            await self.client.unsubscribe_resource(NOTE)


async def drive(revision, target, args):
    if target.endswith("/sse"):
        server = sse_client(target)
    elif target.startswith("http"):
        server = target
    else:
        server = StdioServerParameters(command=target, args=args, env=dict(os.environ))
    modern = revision >= "2026-07-28"
    # The client offers its newest revision alone.
    session.LATEST_HANDSHAKE_VERSION = session.LATEST_HANDSHAKE_VERSION if modern else revision
    async with Client(
        server,
        mode=revision if modern else "legacy",
        sampling_callback=sample,
        elicitation_callback=elicit,
        list_roots_callback=roots,
        logging_callback=log,
        log_level="info",
        message_handler=news,
    ) as client:
        driver = Driver(client)
        say(id=0, value=client.protocol_version)
        running = {}

        async def perform(id, op, **params):
            try:
                say(id=id, value=await getattr(driver, op)(**params))
            except Exception as err:
                say(id=id, error=str(err) or repr(err))
            finally:
                del running[id]

        while line := await asyncio.to_thread(sys.stdin.readline):
            request = json.loads(line)
            if "cancel" in request:
                if task := running.get(request["cancel"]):
                    task.cancel()
            else:
                running[request["id"]] = asyncio.create_task(perform(**request))
        for task in driver.listening:
            task.cancel()


asyncio.run(drive(sys.argv[1], sys.argv[2], sys.argv[3:]))
