// Package mcp implements the Model Context Protocol: servers that offer tools, prompts and
// resources to applications built on language models, and clients that use them.
//
// # A server
//
//	s := mcp.NewServer(mcp.Implementation{Name: "greeter", Version: "1.0.0"}, nil)
//	mcp.Must(mcp.AddFunc(s, mcp.Tool{Name: "greet", Description: "Greets somebody."},
//		func(ctx context.Context, in struct {
//			Name string `json:"name" jsonschema:"who to greet"`
//		}) (string, error) {
//			return "Hello, " + in.Name + "!", nil
//		}))
//	if err := s.ServeStdio(context.Background()); err != nil {
//		log.Fatal(err)
//	}
//
// AddTool adds a tool whose function also takes the Request, for example to ask the user a
// question, to report progress or to identify the caller. Prompts are added with Server.AddPrompt,
// resources with Server.AddResource or, for many resources of one kind, Server.AddResourceTemplate.
// All of these can be added, replaced (see Replace) and removed while the server serves; clients
// are notified. Use Server.Handle and Server.AddExtension to add your own methods and extensions of
// the protocol.
//
// # A client
//
//	c, err := mcp.Connect(ctx, &mcp.CommandTransport{Command: "greeter"}, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer c.Close()
//	text, err := mcp.CallTool[string](ctx, c, "greet", map[string]any{"name": "Ada"}, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(text) // Hello, Ada!
//
// Connect negotiates the newest revision that both sides support. CommandTransport starts a server,
// HTTPTransport connects to one on the web, ConnTransport uses any connection, and ServerTransport
// connects to a Server in the same process. Lists are iterators: Client.Tools, Client.Prompts,
// Client.Resources. The functions in ClientOptions answer the server's questions. Client.Subscribe
// reports changes on the server, and Client.CallToolTask starts a call that continues in the
// background. ClientLimits limits what a server can make a client do. Package mcptest is for tests.
//
// # Transports
//
// Server.ServeStdio serves the process that started the program, on standard input and output.
// Server.ServeConn serves one client on any connection, such as one end of net.Pipe in a test.
// Server.ListenAndServe serves HTTP on an address or a Unix socket. Server.HTTPHandler returns an
// http.Handler that you can mount next to other handlers. A handler in front of it that
// authenticates users passes on their names with WithPrincipal. Server.SSEHandler is for clients
// that know only the HTTP transport of 2024-11-05. One server can do all of this at the same time.
//
// # What a handler can do
//
// A handler's Request identifies the caller: Principal, Client, ClientCapabilities, Revision. The
// handler reports to the client with Progress and Log, or with package slog and LogHandler. It asks
// the user or the model with Elicit, Request.Sample and Request.Roots, or with Request.Ask for
// several questions at once. Calls to a slow tool can be tasks: see TaskSupport.
//
// Package auth verifies OAuth tokens in front of an HTTP server, and signs clients in.
//
// Middleware wraps all handlers. Package ratelimit has middleware that limits how often tools are
// called; package otel has middleware that records traces and metrics.
//
// # Revisions
//
// A handler is written once and serves every published revision of the protocol: 2024-11-05,
// 2025-03-26, 2025-06-18 and 2025-11-25, whose clients open a session with initialize, and
// 2026-07-28, in which each request is self-contained. The server copies the state of a session
// into each Request. It sends what the client's revision supports, and converts or omits the rest,
// as documented for each type.
//
// # Errors
//
// The error of a tool is meant for the model, so the client gets a result that is marked as an
// error and contains the error's text. An *Error is a failure of the protocol and becomes the
// response's error. Prompts, resources and completers have no model to read their errors: any error
// but an *Error becomes an internal error, as does a panic in any handler. The client does not get
// the text of such an error; it goes to ServerOptions.Logger.
//
// The functions that add something to a server fail if it is not valid. Must turns such an error
// into a panic, for use when a program starts. NewServer and HTTPHandler log options that cannot
// work to ServerOptions.Logger.
//
// # Limits
//
// Everything that grows because of a client is limited: the size and depth of messages, requests
// served and waiting, unread answers, sessions, subscriptions and tasks. Each limit is a field of
// Limits, TaskOptions or HTTPOptions, whose comment describes what happens when it is reached. By
// default HTTP is served on loopback only, and not to web pages of other origins.
//
// # Schemas
//
// AddTool, Elicit and FormSchema derive JSON Schemas from Go types. A schema describes the JSON
// that encoding/json reads or writes for the type. Tags describe and restrict fields:
//
//	type input struct {
//		_    struct{} `jsonschema:"Where and when."`
//		City string   `json:"city" jsonschema:"name of the city,minLength=1"`
//		Days int      `json:"days,omitempty" jsonschema:"minimum=1,maximum=10,default=3"`
//		Unit string   `json:"unit,omitempty" jsonschema:"enum=celsius,fahrenheit,default=celsius"`
//	}
//
// In arguments a field is required unless it is a pointer or has omitempty, omitzero or a default;
// in results, unless it has omitempty or omitzero. Other properties are refused;
// additionalProperties=true on a field named _ allows them.
//
// The tag jsonschema is the description of a field or, on a field named _, of the struct. The
// keywords of JSON Schema may follow the description or be used alone: title, enum, default,
// examples, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength,
// pattern, format, minItems, maxItems, uniqueItems, and x-mcp-header for an argument that HTTP
// clients repeat in a header. A value extends to the next comma and keyword, so it may contain
// commas. Lists are separated by commas or written as JSON arrays. On a slice, a keyword that is
// valid only for the elements applies to the elements. A keyword that is not valid for its field is
// an error. A keyword may also be a separate tag, as in minLength:"1".
//
// A []byte is a base64 string, a time.Time a string with format date-time, and a time.Duration an
// integer number of nanoseconds. Types that contain themselves are described with $ref. A type is a
// string if it has UnmarshalText in arguments, or MarshalText in results. It is any value if it has
// UnmarshalJSON in arguments, or MarshalJSON in results, unless its method JSONSchema() []byte
// returns a schema. Channels, functions and complex numbers are an error.
//
// Schemas that you write yourself may use JSON Schema 2020-12, 2019-09 or draft-07, as "$schema"
// states. A schema in another dialect, or a schema that refers to another document, is an error
// when the tool is added.
//
// # Concurrency
//
// Requests on one connection are served concurrently, up to Limits.MaxConcurrent, and answered as
// they finish. Up to Limits.MaxWaiting wait; additional ones are refused with an error, and the
// client may send them again. On a pipe, cancellations, pings, responses and the end of input are
// handled even while requests wait, unless the client does not read. The context of a request is
// cancelled when the client cancels the request, when the connection ends, and when the handler has
// returned. A handler may block, panic or end its goroutine: that affects only its own request.
package mcp
