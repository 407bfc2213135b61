// Package apps implements MCP Apps, the extension io.modelcontextprotocol/ui (SEP-1865). With it,
// servers have views: pages that a host shows in the conversation, such as a chart of a tool's
// result.
//
// # A server
//
//	apps.Add(server, apps.View{
//		URI:  "ui://weather/chart",
//		Name: "chart",
//		HTML: apps.WithScript(page),
//	})
//	mcp.AddTool(server, apps.Link(mcp.Tool{Name: "forecast"}, "ui://weather/chart"), forecast)
//
// A host that supports the extension shows the view when the tool is called, and sends it the
// arguments and the result. Other hosts show the text of the result, which should therefore contain
// the same information. A handler can check with Supported whether the client shows views.
//
// A page has no network access unless View.CSP names hosts, so its scripts and styles must be in
// the page itself. WithScript adds a small script with which the page communicates with the
// host:
//
//	const app = await mcpApp.connect({name: "chart", version: "1.0"})
//	app.onresult = result => draw(result.structuredContent)
//	const more = await app.callTool("forecast", {days: 7})
//
// # A host
//
// Declare the extension with Settings in mcp.ClientOptions.Extensions. LinkOf returns the view of a
// tool, and whether the model or only the view may call it. Read reads the view; View.Policy and
// View.Allow are the Content-Security-Policy and the permissions of its frame. A Bridge answers the
// messages from the page: it forwards tool calls and resource reads to the view's server, and calls
// functions of the host for everything else.
//
// Pages are written by the server. Show them in a frame with the sandbox attribute, in an origin
// that is used for nothing else.
package apps
