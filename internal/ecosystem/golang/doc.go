// Package golang finds Go packages and reads them into apidoc.Package with
// go/parser and go/doc. Nothing of a package is ever built or run.
package golang
