// Package apps has views of MCP servers: pages that a host shows beside the conversation, such as a chart of
// what a tool returns. It is the extension io.modelcontextprotocol/ui, MCP Apps (SEP-1865).
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
// A host that knows the extension shows the view when the tool is called, and sends it the arguments and the
// result. Other hosts show the text of the result, so that it should say the same. Supported tells a handler
// whether the client shows views.
//
// A page gets no network unless View.CSP names hosts, so that its scripts and styles are in the page. WithScript
// adds a small script with which the page talks to the host:
//
//	const app = await mcpApp.connect({name: "chart", version: "1.0"})
//	app.onresult = result => draw(result.structuredContent)
//	const more = await app.callTool("forecast", {days: 7})
//
// # A host
//
// Declare the extension with Settings in mcp.ClientOptions.Extensions. LinkOf returns the view of a tool, and whether the model or
// only the view may call it. Read reads the view; View.Policy and View.Allow are the Content-Security-Policy and the
// permissions of its frame. A Bridge answers the messages of the page: it passes calls of tools and reads of resources on to the
// server that the view came from, and asks the host for everything else.
//
// Pages are written by the server. Show them in a frame with the attribute sandbox, in an origin that has nothing
// else.
package apps
