package main

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

func TestLicenses(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"package.json":                `{"name":"app","dependencies":{"a":"1","b":"1"}}`,
		"package-lock.json":           `{"lockfileVersion":3,"packages":{"":{"dependencies":{"a":"1","b":"1"}},"node_modules/a":{"version":"1.0.0"},"node_modules/b":{"version":"1.0.0"}}}`,
		"node_modules/a/package.json": `{"name":"a","version":"1.0.0","license":"(MIT OR GPL-3.0-only)"}`,
		"node_modules/b/package.json": `{"name":"b","version":"1.0.0","license":"GPL-3.0-only"}`,
	})
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"", exitOK, "GPL-3.0-only (1)\n  npm b 1.0.0\n"},
		{"--allow MIT,ISC", exitFailure, "GPL-3.0-only (1)\n  npm b 1.0.0\n\n1 package of 2 without an allowed licence\n"},
		{"--allow MIT,GPL-3.0-only", exitOK, "0 packages of 2 without an allowed licence\n"},
		{"--allow MIT --json", exitFailure, `"verdict": "denied"`},
		{"--allow Mine", exitUsage, "not SPDX licence identifiers: \"Mine\""},
	} {
		code, stdout, stderr := runDocent(append([]string{"licenses", "--project", dir}, strings.Fields(tt.args)...)...)
		if code != tt.code || !strings.Contains(stdout+stderr, tt.want) {
			t.Errorf("licenses %s: code %d, want %d with %q:\n%s%s", tt.args, code, tt.code, tt.want, stdout, stderr)
		}
	}
}
