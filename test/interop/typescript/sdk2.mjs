// The client of the TypeScript SDK's second line, for scenario.test.mjs.
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export const name = "TypeScript SDK 2";
export const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
export const transports = { SSEClientTransport, StdioClientTransport, StreamableHTTPClientTransport };

// connect leaves the revision to the client and the server if it is undefined.
export async function connect(transport, revision, capabilities, answers, told) {
	const mode = revision >= "2026-07-28" ? { pin: revision } : "legacy";
	const client = new Client({ name, version: "2" }, {
		capabilities,
		...(revision
			? { supportedProtocolVersions: [revision], versionNegotiation: { mode } }
			: { versionNegotiation: { mode: "auto" } }),
	});
	for (const [method, answer] of Object.entries(answers)) client.setRequestHandler(method, answer);
	for (const [method, hear] of Object.entries(told)) client.setNotificationHandler(method, hear);
	await client.connect(transport);
	return {
		client,
		revision: client.getNegotiatedProtocolVersion(),
		call: (params, options) => client.callTool(params, options),
	};
}
