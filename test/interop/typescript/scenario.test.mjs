// Takes the clients of the TypeScript SDK through the scenario, against the
// server whose path is in INTEROP_SERVER. The tests of the Go clients take the
// same steps.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import * as sdk1 from "./sdk1.mjs";
import * as sdk2 from "./sdk2.mjs";

const server = process.env.INTEROP_SERVER;
const note = "note://today";
const logLevel = "io.modelcontextprotocol/logLevel";

const capabilities = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} };

// answers to what the server asks.
const answers = {
	"sampling/createMessage": ({ params }) => ({ role: "assistant", model: "parrot", content: params.messages[0].content }),
	"elicitation/create": ({ params }) => params.mode === "url"
		? { action: params.url === "https://example.com/sign-in" ? "accept" : "cancel" }
		: { action: "accept", content: { name: params.message.includes("friend") ? "Grace" : "Ada" } },
	"roots/list": () => ({ roots: [{ uri: "file:///home/ada", name: "home" }] }),
};

// Told is what a client was told.
class Told {
	seen = [];
	more = new EventEmitter();

	add(event) {
		this.seen.push(event);
		this.more.emit("more");
	}

	// await waits for events, in any order among others.
	async await(...want) {
		const signal = AbortSignal.timeout(5000);
		while (!want.every((event) => this.seen.includes(event))) {
			try {
				await once(this.more, "more", { signal });
			} catch {
				assert.fail(`the client was told ${JSON.stringify(this.seen)}, and not all of ${JSON.stringify(want)}`);
			}
		}
		this.seen = [];
	}

	handlers() {
		return {
			"notifications/message": ({ params }) => this.add(`log ${params.level} ${params.logger}: ${params.data}`),
			"notifications/resources/updated": ({ params }) => this.add(`updated ${params.uri}`),
			"notifications/tools/list_changed": () => this.add("changed tools"),
			"notifications/prompts/list_changed": () => this.add("changed prompts"),
			"notifications/resources/list_changed": () => this.add("changed resources"),
		};
	}
}

// serveHTTP starts the server, which ends with the test, and returns its URL.
async function serveHTTP(t) {
	const process = spawn(server, ["-http", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
	const ended = once(process, "exit");
	t.after(async () => {
		process.kill("SIGINT");
		assert.deepEqual(await ended, [0, null], "the server did not end in good order");
	});
	const [url] = await once(createInterface(process.stdout), "line");
	return url;
}

const transports = {
	stdio: (sdk) => new sdk.transports.StdioClientTransport({ command: server, args: ["-stdio"] }),
	"Streamable HTTP": async (sdk, t) => new sdk.transports.StreamableHTTPClientTransport(new URL("/mcp", await serveHTTP(t))),
	"HTTP+SSE": async (sdk, t) => new sdk.transports.SSEClientTransport(new URL("/sse", await serveHTTP(t))),
};

for (const sdk of [sdk1, sdk2]) {
	for (const [transport, open] of Object.entries(transports)) {
		for (const revision of sdk.revisions) {
			test(`${sdk.name}, ${transport}, ${revision}`, { timeout: 60_000 }, async (t) => {
				const told = new Told();
				const peer = await sdk.connect(await open(sdk, t), revision, capabilities, answers, told.handlers());
				t.after(() => peer.client.close());
				await exercise(t, peer, told, revision);
			});
		}
	}
}

test("TypeScript SDK 2 chooses the newest revision", async (t) => {
	const peer = await sdk2.connect(transports.stdio(sdk2), undefined, {}, {}, {});
	t.after(() => peer.client.close());
	assert.equal(peer.revision, "2026-07-28");
});

// all follows the cursors of a list.
async function all(list, member, key) {
	const names = [];
	let cursor;
	do {
		const page = await list(cursor === undefined ? undefined : { cursor });
		names.push(...page[member].map((entry) => entry[key]));
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	return names.sort();
}

async function exercise(t, { client, revision: negotiated, call, task }, told, revision) {
	const modern = revision >= "2026-07-28";
	const old = revision < "2025-06-18"; // without structured content, elicitation and context of completion
	const step = (name, run) => t.test(name, run);
	const invoke = (name, args = {}, options) =>
		call({ name, arguments: args, _meta: modern ? { [logLevel]: "info" } : undefined }, options);
	// text calls a tool that has to succeed.
	const text = async (name, args, options) => {
		const result = await invoke(name, args, options);
		assert.ok(!result.isError, `${name} failed: ${JSON.stringify(result)}`);
		assert.equal(result.content.length, 1);
		return result.content[0].text;
	};

	assert.equal(negotiated, revision);

	await step("says who it is", () => {
		assert.equal(client.getServerVersion().name, "interop");
		assert.equal(client.getInstructions(), "Say hello.");
	});

	await step("lists page by page", async () => {
		assert.deepEqual(await all((p) => client.listTools(p), "tools", "name"),
			["add", "ask-model", "ask-roots", "ask-user", "ask-visit", "echo", "fail", "grow", "job", "poll", "route", "state", "steps", "wait", "write-note"]);
		assert.deepEqual(await all((p) => client.listPrompts(p), "prompts", "name"), ["compose", "plain"]);
		assert.deepEqual(await all((p) => client.listResources(p), "resources", "uri"), [note, "pic://dot"]);
		assert.deepEqual(await all((p) => client.listResourceTemplates(p), "resourceTemplates", "uriTemplate"), ["greet://{name}"]);
	});

	await step("calls a tool", async () => {
		for (const message of ["hello", "", "line\nline\u2028\"quoted\" \u{1F980} </script>", "long ".repeat(50_000)]) {
			assert.equal(await text("echo", { message }), message);
		}
	});

	await step("sees structured content", async () => {
		const result = await invoke("add", { a: 19, b: 23 });
		assert.deepEqual(result.structuredContent, old ? undefined : { sum: 42 });
	});

	await step("sees structured content as text", async () => {
		assert.equal(await text("add", { a: 19, b: 23 }), '{"sum":42}');
	});

	await step("sees a tool fail", async () => {
		const result = await invoke("fail");
		assert.equal(result.isError, true);
		assert.equal(result.content[0].text, "no such luck");
	});

	await step("gets an error for an unknown tool", () => assert.rejects(invoke("no-such-tool"), /no-such-tool/));

	await step("reads resources", async () => {
		const read = async (uri) => (await client.readResource({ uri })).contents[0];
		assert.equal((await read(note)).text, "nothing to do");
		assert.equal((await read("pic://dot")).blob, "AAH+/w==");
		assert.equal((await read("greet://Gr%C3%A4fin")).text, "Hello, Gräfin!");
		await assert.rejects(read("note://tomorrow"), /not found/i);
	});

	await step("gets prompts", async () => {
		const { messages } = await client.getPrompt({ name: "compose", arguments: { kind: "song", about: "Ümläute" } });
		assert.equal(messages.length, 2);
		assert.deepEqual(messages[0], { role: "user", content: { type: "text", text: "Write a song about Ümläute." } });
		assert.equal(messages[1].role, "assistant");
		assert.equal(messages[1].content.resource.text, "See the note.");
		await assert.rejects(client.getPrompt({ name: "compose" }), /kind/);
	});

	const complete = async (ref, name, value, context) =>
		(await client.complete({ ref, argument: { name, value }, context })).completion.values;

	await step("completes arguments", async () => {
		assert.deepEqual(await complete({ type: "ref/prompt", name: "compose" }, "kind", "po"), ["poem", "post"]);
		assert.deepEqual(await complete({ type: "ref/resource", uri: "greet://{name}" }, "name", "Al"), ["Alan"]);
	});

	await step("completes arguments by what was chosen", async () => {
		assert.deepEqual(await complete({ type: "ref/prompt", name: "compose" }, "about", "", old ? undefined : { arguments: { kind: "song" } }),
			old ? ["winter", "summer"] : ["love"]);
	});

	await step("sees progress", async () => {
		const seen = [];
		await text("steps", {}, { onprogress: ({ progress, total, message }) => seen.push([progress, total, message]) });
		const message = (n) => (revision < "2025-03-26" ? undefined : `step ${n}`); // which does not have messages
		assert.deepEqual(seen, [1, 2, 3].map((n) => [n, 3, message(n)]));
	});

	await step("sees logs", async () => {
		if (!modern) await client.setLoggingLevel("info");
		assert.equal(await text("steps"), "there");
		await told.await(...[1, 2, 3].map((n) => `log info steps: took step ${n}`));
	});

	await step("answers sampling", async () => {
		assert.equal(await text("ask-model", { question: "Polly?" }), "parrot says Polly?");
	});

	await step("answers elicitation", async () => {
		if (old) {
			await assert.rejects(text("ask-user"), /no way to ask its user/);
			return;
		}
		assert.equal(await text("ask-user"), "accept: Ada and Grace");
	});

	await step("is sent to a page", async () => {
		if (revision < "2025-11-25") { // which does not have it
			await assert.rejects(text("ask-visit"), /no way to (ask|send) its user/);
			return;
		}
		assert.equal(await text("ask-visit"), "accept");
	});

	await step("tells its roots", async () => {
		assert.equal(await text("ask-roots"), "home=file:///home/ada");
	});

	let subscription;
	await step("sees a resource change", async () => {
		if (modern) {
			const filter = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: [note] };
			subscription = await client.listen(filter);
			assert.deepEqual(subscription.honoredFilter, filter);
		} else {
			await client.subscribeResource({ uri: note });
		}
		await text("write-note", { text: "buy milk" });
		await told.await(`updated ${note}`);
		assert.equal((await client.readResource({ uri: note })).contents[0].text, "buy milk");
		if (!modern) await client.unsubscribeResource({ uri: note });
	});

	await step("sees lists change", async () => {
		await text("grow", { name: "novelty" });
		await told.await("changed tools", "changed prompts", "changed resources");
		assert.ok((await all((p) => client.listTools(p), "tools", "name")).includes("novelty"));
		assert.equal(await text("novelty"), "new");
		await subscription?.close();
	});

	await step("repeats arguments in headers", async () => {
		for (const region of ["eu-west", "Zürich", " =?base64?eA==?= "]) {
			assert.equal(await text("route", { region, where: { shelf: 7 }, dry: false }), `${region}, shelf 7, dry false`);
		}
	});

	await step("comes back to a stream that was closed", async () => {
		assert.equal(await text("poll"), "here all along");
	});

	if (task && revision === "2025-11-25") { // the one that has them in its core
		await step("makes a task of a call", async () => {
			const seen = [];
			for await (const event of task({ name: "job", arguments: { text: "done" } })) {
				seen.push(event.type);
				if (event.type === "result") assert.equal(event.result.content[0].text, "done");
			}
			assert.equal(seen[0], "taskCreated");
			assert.equal(seen.at(-1), "result");
		});
	}

	await step("cancels a call", async () => {
		const id = t.name;
		const controller = new AbortController();
		const called = assert.rejects(invoke("wait", { id }, { signal: controller.signal }));
		assert.equal(await text("state", { id, state: "waiting" }), "waiting");
		controller.abort("not needed any more");
		await called;
		assert.equal(await text("state", { id, state: "cancelled" }), "cancelled");
		assert.equal(await text("echo", { message: "still here" }), "still here");
	});
}
