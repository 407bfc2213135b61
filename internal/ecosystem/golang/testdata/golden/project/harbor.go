// Package harbor is the root of the module.
package harbor

// Version is the version of all packages.
const Version = "2"
