// Package web tests the pages of docent web and docent mcp ui in a browser: the system's Chromium,
// driven over its own protocol, with axe-core from npm for accessibility. `make web-test` runs the
// tests; they are skipped with a reason if either is missing.
package web
