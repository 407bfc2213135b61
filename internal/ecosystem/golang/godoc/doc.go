// Package godoc reads a Go package's sources into apidoc.Package with go/parser
// and go/doc, in the order and form of the command go doc. Docent never builds
// or runs the code of a package.
package godoc
