// Package golang finds Go packages: in GOROOT, the user's project, its vendor
// directory, the module cache, and as a last resort on the network. Package
// godoc reads the packages that were found. Docent never builds or runs the
// code of a package.
package golang
