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
// 2024-11-05. Server.ServeConn serves any connection, such as one end of net.Pipe in
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
// Middleware stands around all handlers. That of the package ratelimit bounds
// how often tools are called, that of the package otel traces and measures.
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
// without its text and to ServerOptions.Logger in full: look there for what is
// behind an "Internal error".
//
// A mistake in what is added to a server is an error of the function that adds
// it. Options that cannot work are told to the logger.
//
// # Limits
//
// Everything a client can make grow is bounded: the size and depth of a
// message, requests served and waiting, what waits to be written, sessions,
// subscriptions, tasks. The bounds and what happens at them are fields of
// Limits, TaskOptions and HTTPOptions. HTTP is served on loopback alone, and not to
// foreign web pages, unless you say otherwise.
//
// # Schemas
//
// AddTool, Elicit and FormSchema derive JSON Schemas from Go types, for the
// JSON that encoding/json has for them. Tags describe and restrict fields:
//
//	type input struct {
//		_    struct{} `jsonschema:"Where and when."`
//		City string   `json:"city" jsonschema:"name of the city" minLength:"1"`
//		Days int      `json:"days,omitempty" minimum:"1" maximum:"10" default:"3"`
//		Unit string   `json:"unit,omitempty" enum:"celsius,fahrenheit" default:"celsius"`
//	}
//
// What a tool takes must have each field that has neither omitempty nor
// omitzero nor a default and is no pointer; what it gives has each without
// omitempty and omitzero. Other properties are refused; the tag
// additionalProperties:"true" of a field _ lets them pass.
//
// The tag jsonschema is a description, of the struct itself at a field _. The
// others are named as in JSON Schema: title, enum, default, examples, minimum,
// maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength,
// maxLength, pattern, format, minItems, maxItems, uniqueItems, and x-mcp-header
// for an argument that HTTP clients repeat in a header. Those that suit the
// elements of a slice but not the slice hold for the elements. Lists are
// separated by commas, or are JSON arrays. A tag that does not suit its field
// is an error.
//
// A []byte is a string in base64, a time.Time one of format date-time, a
// time.Duration an integer of nanoseconds. Types that contain themselves are
// described with $ref. A type with UnmarshalText, or MarshalText in what a tool
// gives, is a string; one with UnmarshalJSON, or MarshalJSON, any value, unless
// it has a method JSONSchema() []byte that says what. Channels, functions and
// complex numbers are an error.
//
// Schemas that you write yourself are JSON Schema 2020-12, or draft-07, or
// 2019-09, as "$schema" says; one in another dialect, or one that refers to
// another document, is an error when the tool is added.
//
// # Concurrency
//
// Requests of one connection are served concurrently, up to
// Limits.MaxConcurrent, and answered as they finish. Up to
// Limits.MaxWaiting wait; further ones are refused with an error, so a
// client that sends more without waiting for answers sends them again. On a
// pipe, cancellations, pings, responses and the end of input are seen whatever
// waits, unless the client does not read what it is sent. A request's
// context ends when the client cancels it, when the connection ends, and when
// the handler has returned. A handler may block, panic or end its goroutine:
// that is the end of one request and of nothing else.
package mcp
