// Package web tests the pages of docent web and docent mcp ui in a browser: Chromium of the system, driven over
// its own protocol, and axe-core from npm, which judges accessibility. `make web-test` runs
// the tests; they skip, and explain why, where one of the two is missing.
package web
