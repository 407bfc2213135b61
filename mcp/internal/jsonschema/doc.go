// Package jsonschema validates JSON against JSON Schema, and makes schemas of Go types.
//
// [Compile] prepares a schema once; [Schema.Validate] then checks raw JSON bytes without decoding them and,
// for valid values, without allocating. It knows draft 2020-12, draft 2019-09 and draft-07, chosen by
// `$schema`. [Schema.AppendDefaults] fills in what an instance leaves out. [For] gives the schema of
// what encoding/json reads into a Go type.
//
// Schemas and instances may come from anybody: sizes, depths and the work of one validation are bounded,
// nothing is ever fetched, and numbers are compared as they are written, at any size.
//
// # How it works
//
// Compile parses the document (value.go), notes every schema in it with its URI and anchors (index.go), turns
// each into a node with its keywords sorted by the type of value that they check (keywords.go), and
// resolves references between them (ref.go). Validate walks the bytes with a node in hand (validate.go,
// containers.go, inplace.go). The first walk only wants to know whether the value is valid; when it is not, a
// second walk collects failures, of which explain.go makes sentences.
package jsonschema
