// Package mcp implements the Model Context Protocol: servers that offer tools,
// prompts and resources to applications built on language models.
//
// # A server
//
//	s := mcp.NewServer(mcp.Implementation{Name: "greeter", Version: "1.0.0"}, nil)
//	err := mcp.AddTool(s, mcp.Tool{Name: "greet", Description: "Greets somebody."},
//		func(ctx context.Context, req *mcp.Request, in struct {
//			Name string `json:"name" jsonschema:"who to greet"`
//		}) (string, error) {
//			return "Hello, " + in.Name + "!", nil
//		})
//	if err != nil {
//		log.Fatal(err)
//	}
//	if err := s.ServeStdio(context.Background()); err != nil {
//		log.Fatal(err)
//	}
//
// Prompts are added with Server.AddPrompt, resources with Server.AddResource
// and, where there are many of a kind, Server.AddResourceTemplate. All of these
// can be added, replaced and removed while the server serves; clients are told.
// Methods of your own, and extensions of the protocol, are added with
// Server.Handle and Server.AddExtension.
//
// # Transports
//
// Server.ServeStdio serves the process that has started the program.
// Server.ListenAndServe serves HTTP on an address or a Unix socket;
// Server.HTTPHandler is the same as an http.Handler, to be mounted beside
// others, behind one that checks who is there and says so with WithPrincipal.
// Server.SSEHandler is for clients that know only the HTTP transport of
// 2024-11-05. Server.Serve serves any connection, such as one end of net.Pipe in
// a test. One server can do all of this at a time.
//
// # What a handler can do
//
// Its Request says who asks: Principal, Client, ClientCapabilities, Revision.
// It tells the client how far things are with Progress and Log. It asks the
// user or the model with Elicit, Request.Sample, Request.Roots, or with
// Request.Ask for several questions at once. A tool whose calls take long lets
// them be tasks with Tool.Task.
//
// # Revisions
//
// A handler is written once and serves every published revision of the
// protocol: 2024-11-05, 2025-03-26, 2025-06-18 and 2025-11-25, whose clients
// open a session with initialize, and 2026-07-28, whose requests each stand
// alone. What a session holds is filled into each Request, so the handler sees
// one that is complete in itself. What goes out takes the form of the
// client's revision: what that does not know is left out or converted, as the
// documentation of each type says.
//
// # Errors
//
// What goes wrong in a tool is for the model to see: return an error, and the
// client gets a result marked as one, with the error's text. What goes wrong
// in the protocol is an *Error, which becomes the response's error. Prompts,
// resources and completers have no model to tell: an error that is no *Error,
// and in any handler a panic, becomes an internal error, told to the client
// without its text and to the server's logger in full.
//
// # Limits
//
// Everything a client can make grow is bounded: the size and depth of a
// message, requests served and waiting, what waits to be written, sessions,
// subscriptions, tasks. The bounds and what happens at them are fields of
// ServerOptions and HTTPOptions. HTTP is served on loopback alone, and not to
// foreign web pages, unless you say otherwise.
//
// The schemas of tools are JSON Schema 2020-12, or draft-07, or 2019-09, as
// "$schema" says; a schema in another dialect, or one that refers to another
// document, is an error when the tool is added.
//
// # Concurrency
//
// Requests of one connection are served concurrently, up to
// ServerOptions.MaxConcurrent, and answered as they finish. A request's
// context ends when the client cancels it, when the connection ends, and when
// the handler has returned. A handler may block, panic or end its goroutine:
// that is the end of one request and of nothing else.
package mcp
