// Package jsonschema validates JSON against JSON Schema, and makes schemas of Go types.
//
// [Compile] prepares a schema once; [Schema.Validate] then checks raw JSON bytes without decoding them and,
// for valid values, without allocating. [Schema.AppendDefaults] fills in what an instance leaves out.
// [For] gives the schema of what encoding/json reads into a Go type.
//
// Drafts 2020-12 (without `$schema`), 2019-09 and 07 are supported; draft-06 is read as 07. A schema of another
// dialect is an error, unless its metaschema is among [Options.Resources].
//
// Schemas and instances may come from anybody. Sizes, depths and the work of one validation are bounded,
// nothing is ever fetched, and numbers are compared as they are written, at any size: 9007199254740993 is not
// 9007199254740992, 0.3 is a multiple of 0.1, and 1e999999999 takes no room.
//
// Patterns are regular expressions of ECMA-262 in Unicode mode, run by Go's regexp in linear time. Lookaround
// and back-references are therefore refused by Compile. Formats only annotate unless
// [Options.AssertFormat] or the vocabulary of the metaschema says otherwise, and then email, uri, date and
// date-time alone are checked; content keywords always annotate.
//
// # How it works
//
// Compile parses the document (value.go), notes every schema in it with its URI and anchors (index.go), turns
// each into a node with its keywords sorted by the type of value that they check (keywords.go), and resolves
// references between them (ref.go). Validate walks the bytes with a node in hand (validate.go, containers.go,
// inplace.go, equal.go, unique.go). The first walk only wants to know whether the value is valid; when it is
// not, a second walk collects failures, of which explain.go picks the telling ones and message.go makes
// sentences.
package jsonschema
