// Package golang finds Go packages: in GOROOT, the user's project, its vendor
// directory, the module cache, and as a last resort on the network. Package
// godoc reads the packages found. No code of a package is ever built or run.
package golang
