// A client of the TypeScript SDK that docent is tested with.
//
//	driven.mjs 1|2 REVISION URL | COMMAND ARGS...
//
// The first argument is the SDK's line. The client does what the lines on standard
// input say; see driven_test.go. Its only root is the URI in INTEROP_ROOT.
import { createInterface } from "node:readline";

const [line, revision, target, ...args] = process.argv.slice(2);
const sdk = await import(`./sdk${line}.mjs`);
const say = (value) => process.stdout.write(JSON.stringify(value) + "\n");
console.log = console.debug = console.info = console.error; // the SDK's remarks are no answers

const transport = target.startsWith("http")
	? new sdk.transports.StreamableHTTPClientTransport(new URL(target))
	: new sdk.transports.StdioClientTransport({ command: target, args, env: process.env });
const roots = () => ({ roots: [{ uri: process.env.INTEROP_ROOT, name: "home" }] });
const connected = await sdk.connect(transport, revision, { roots: {} }, { "roots/list": roots }, {});
const { client } = connected;

const operations = {
	tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
	prompts: async () => (await client.listPrompts()).prompts.map((prompt) => prompt.name),
	resources: async () => (await client.listResources()).resources.map((resource) => resource.uri),
	call: async ({ tool, args }) => {
		const result = await connected.call({ name: tool, arguments: args });
		const text = result.content.map((content) => content.text ?? "").join("");
		return { text, structured: result.structuredContent, failed: Boolean(result.isError) };
	},
};

say({ id: 0, value: connected.revision });
for await (const text of createInterface(process.stdin)) {
	const { id, op, ...params } = JSON.parse(text);
	if (!operations[op]) continue; // a call that is cancelled goes on
	operations[op](params).then(
		(value) => say({ id, value }),
		(error) => say({ id, error: String(error.message || error) }),
	);
}
await client.close();
