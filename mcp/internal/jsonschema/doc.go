// Package jsonschema validates JSON against JSON Schema, and generates schemas from Go types.
//
// [Compile] compiles a schema; [Schema.Validate] checks raw JSON without decoding it and, if it is
// valid, without allocating. [Schema.AppendDefaults] inserts missing defaults. [For] generates the
// schema of the JSON that encoding/json reads into a Go type.
//
// The package supports the drafts 2020-12 (the default without `$schema`), 2019-09 and 07. It
// treats draft-06 as 07. A schema in another dialect is an error, unless its metaschema is among
// [Options.Resources].
//
// Schemas and instances can be hostile. Sizes, depths and the work done by one validation are
// limited, and nothing is ever fetched. Numbers of any size are exact. For example,
// 9007199254740993 differs from 9007199254740992, 0.3 is a multiple of 0.1, and 1e999999999 needs
// no additional memory.
//
// Patterns are ECMA-262 regular expressions in Unicode mode. Go's regexp runs them in linear time,
// so Compile refuses lookaround and back-references. Formats are annotations, unless
// [Options.AssertFormat] or the metaschema's vocabulary asserts them; then only email, uri, date
// and date-time are checked. Content keywords are always annotations.
//
// # How it works
//
// Compile parses the document (value.go), indexes its schemas by URI and anchor (index.go), turns
// each schema into a node with its keywords grouped by the type of value that they check
// (keywords.go), and resolves references (ref.go). Validate walks the JSON text along the nodes
// (validate.go, containers.go, inplace.go, equal.go, unique.go). The first pass stops at the first
// failure. If there is one, a second pass collects failures; explain.go selects the relevant ones,
// and message.go writes the messages.
package jsonschema
