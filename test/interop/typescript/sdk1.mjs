// The client of the TypeScript SDK's first line, for scenario.test.mjs.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
	CreateMessageRequestSchema,
	ElicitRequestSchema,
	ListRootsRequestSchema,
	LoggingMessageNotificationSchema,
	PromptListChangedNotificationSchema,
	ResourceListChangedNotificationSchema,
	ResourceUpdatedNotificationSchema,
	ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

export const name = "TypeScript SDK 1";
export const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
export const transports = { SSEClientTransport, StdioClientTransport, StreamableHTTPClientTransport };

const requests = {
	"sampling/createMessage": CreateMessageRequestSchema,
	"elicitation/create": ElicitRequestSchema,
	"roots/list": ListRootsRequestSchema,
};

const notifications = {
	"notifications/message": LoggingMessageNotificationSchema,
	"notifications/resources/updated": ResourceUpdatedNotificationSchema,
	"notifications/tools/list_changed": ToolListChangedNotificationSchema,
	"notifications/prompts/list_changed": PromptListChangedNotificationSchema,
	"notifications/resources/list_changed": ResourceListChangedNotificationSchema,
};

export async function connect(transport, revision, capabilities, answers, told) {
	const client = new Client({ name, version: "1" }, { capabilities });
	for (const [method, answer] of Object.entries(answers)) client.setRequestHandler(requests[method], answer);
	for (const [method, hear] of Object.entries(told)) client.setNotificationHandler(notifications[method], hear);
	// This client begins with its newest revision whatever it is told, and goes
	// on with any: so its first message is changed on the way.
	const send = transport.send.bind(transport);
	transport.send = (message, options) => {
		if (message.method === "initialize") message.params.protocolVersion = revision;
		return send(message, options);
	};
	let negotiated;
	const setProtocolVersion = transport.setProtocolVersion?.bind(transport);
	transport.setProtocolVersion = (version) => {
		negotiated = version;
		setProtocolVersion?.(version);
	};
	await client.connect(transport);
	return {
		client,
		revision: negotiated,
		call: (params, options) => client.callTool(params, undefined, options),
		task: (params) => client.experimental.tasks.callToolStream(params, undefined, { task: { ttl: 60_000 } }),
	};
}
