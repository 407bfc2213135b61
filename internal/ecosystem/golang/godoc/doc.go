// Package godoc reads a Go package's sources into apidoc.Package with go/parser
// and go/doc, in the order and form of the command go doc. No code of a package
// is ever built or run.
package godoc
