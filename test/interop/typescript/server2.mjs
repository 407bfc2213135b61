// A server made with the TypeScript SDK's second line, which our client is
// tested against:
//
//	server2.mjs -http 127.0.0.1:0    MCP at /mcp; prints its URL
//	server2.mjs -stdio
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, inputRequired, isLegacyRequest, McpServer, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const note = "note://today";
let noteText = "nothing to do";
const states = new Map(); // of the calls of wait, by the client's ids
const notifiers = new Set(); // how to tell of changes of the note

const text = (text) => ({ content: [{ type: "text", text }] });
const object = (properties = {}) => fromJsonSchema({ type: "object", properties, required: Object.keys(properties) });
const string = { type: "string" };
const form = { type: "object", properties: { name: string }, required: ["name"] };

// newServer serves one connection, or one request of 2026-07-28.
function newServer() {
	const server = new McpServer({ name: "typescript-sdk-2", version: "1" }, {
		capabilities: { logging: {}, tools: { listChanged: true }, prompts: { listChanged: true }, resources: { subscribe: true, listChanged: true } },
	});
	const tool = (name, properties, run) => server.registerTool(name, { inputSchema: object(properties) }, run);
	tool("echo", { message: string }, ({ message }) => text(message));
	server.registerTool("add", {
		inputSchema: object({ a: { type: "integer" }, b: { type: "integer" } }),
		outputSchema: object({ sum: { type: "integer" } }),
	}, ({ a, b }) => ({ ...text(JSON.stringify({ sum: a + b })), structuredContent: { sum: a + b } }));
	tool("fail", {}, () => { throw new Error("no such luck"); });
	tool("steps", {}, async (_, ctx) => {
		const progressToken = ctx.mcpReq._meta?.progressToken;
		for (const n of [1, 2, 3]) {
			if (progressToken !== undefined) {
				await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: n, total: 3, message: `step ${n}` } });
			}
			await ctx.mcpReq.log("info", `took step ${n}`, "steps");
		}
		return text("there");
	});
	tool("wait", { id: string }, ({ id }, ctx) => new Promise((_, reject) => {
		states.set(id, "waiting");
		ctx.mcpReq.signal.addEventListener("abort", () => {
			states.set(id, "cancelled");
			reject(new Error("cancelled"));
		});
	}));
	tool("state", { id: string, state: string }, async ({ id, state }) => {
		for (let i = 0; i < 250 && states.get(id) !== state; i++) await new Promise((done) => setTimeout(done, 20));
		if (states.get(id) !== state) throw new Error(`call ${id} is ${states.get(id)}, not ${state}`);
		return text(state);
	});
	tool("ask-user", {}, (_, ctx) => {
		const { first, second } = ctx.mcpReq.inputResponses ?? {};
		if (first && second) return text(`${second.action}: ${first.content.name} and ${second.content.name}`);
		return inputRequired({ inputRequests: {
			first: inputRequired.elicit({ message: "What is your name?", requestedSchema: form }),
			second: inputRequired.elicit({ message: "And your friend's?", requestedSchema: form }),
		} });
	});
	tool("ask-model", { question: string }, ({ question }, ctx) => {
		const answer = ctx.mcpReq.inputResponses?.answer;
		if (answer) return text(`${answer.model} says ${[answer.content].flat()[0].text}`);
		return inputRequired({ inputRequests: {
			answer: inputRequired.createMessage({ maxTokens: 10, messages: [{ role: "user", content: { type: "text", text: question } }] }),
		} });
	});
	tool("ask-roots", {}, (_, ctx) => {
		const answer = ctx.mcpReq.inputResponses?.roots;
		if (answer) return text(answer.roots.map(({ name, uri }) => `${name}=${uri}`).join());
		return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
	});
	tool("write-note", { text: string }, async (args) => {
		noteText = args.text;
		for (const notify of notifiers) await notify(note);
		return text("written");
	});
	server.registerResource("today", note, {}, () => ({ contents: [{ uri: note, text: noteText }] }));
	server.registerResource("dot", "pic://dot", {}, () => ({ contents: [{ uri: "pic://dot", blob: "AAH+/w==" }] }));
	server.registerPrompt("compose", { argsSchema: fromJsonSchema({
		type: "object", properties: { kind: string, about: string }, required: ["kind"],
	}) }, ({ kind, about }) => ({ messages: [{ role: "user", content: { type: "text", text: `Write a ${kind} about ${about}.` } }] }));
	// What 2025-11-25 and older revisions subscribe with.
	const notify = (uri) => server.server.sendResourceUpdated({ uri });
	server.server.setRequestHandler("resources/subscribe", () => { notifiers.add(notify); return {}; });
	server.server.setRequestHandler("resources/unsubscribe", () => { notifiers.delete(notify); return {}; });
	return server;
}

function serveHTTP() {
	const modern = createMcpHandler(newServer, { legacy: "reject" });
	notifiers.add((uri) => modern.notify.resourceUpdated(uri));
	const serveModern = toNodeHandler(modern);
	const sessions = new Map();
	const body = async (req) => {
		const parts = [];
		for await (const part of req) parts.push(part);
		return parts.length ? JSON.parse(Buffer.concat(parts)) : undefined;
	};
	const http = createServer(async (req, res) => {
		const parsed = await body(req);
		if (!await isLegacyRequest(await toWebRequest(req, parsed))) return serveModern(req, res, parsed);
		let transport = sessions.get(req.headers["mcp-session-id"]);
		if (!transport) {
			transport = new NodeStreamableHTTPServerTransport({
				sessionIdGenerator: randomUUID,
				onsessioninitialized: (id) => { sessions.set(id, transport); },
			});
			await newServer().connect(transport);
		}
		await transport.handleRequest(req, res, parsed);
	});
	http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}`));
}

if (process.argv.includes("-http")) {
	serveHTTP();
} else {
	serveStdio(() => {
		const server = newServer();
		notifiers.add((uri) => server.server.sendResourceUpdated({ uri }));
		return server;
	});
}
