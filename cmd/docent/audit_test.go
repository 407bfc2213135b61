package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/audit"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestAudit(t *testing.T) {
	project := filetest.Dir(t, map[string]string{
		"package.json":      `{"name":"shop","dependencies":{"till":"^1.0.0"}}`,
		"package-lock.json": `{"lockfileVersion":3,"packages":{"":{},"node_modules/till":{"version":"1.0.0"}}}`,
	})
	osv := filetest.Dir(t, map[string]string{"npm/all.zip": string(filetest.Zip(t, "", map[string]string{
		"GHSA-1.json": `{"id":"GHSA-1","summary":"Coins are lost","database_specific":{"severity":"MODERATE"},"affected":[{"package":{"ecosystem":"npm","name":"till"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.1.0"}]}]}]}`,
	}))})
	t.Chdir(project)
	for _, tt := range []struct {
		arguments []string
		code      int
		want      string
	}{
		{[]string{"--osv", osv}, exitFailure, "npm till 1.0.0  package-lock.json\n  moderate GHSA-1\n    Coins are lost\n    fixed in 1.1.0\n\n1 advisory in 1 package\n"},
		{[]string{"--osv", osv, "--fail-on", "high"}, exitOK, "GHSA-1"},
		{[]string{"--osv", osv, "--sarif"}, exitFailure, `"ruleId": "GHSA-1"`},
		{[]string{"--osv", t.TempDir()}, exitNotFound, ""},
		{[]string{"--osv", "http://127.0.0.1:1/"}, exitUnreachable, ""},
		{nil, exitUsage, ""},
		{[]string{"--osv", osv, "--fail-on", "bad"}, exitUsage, ""},
		{[]string{"go", "--osv", osv}, exitUsage, ""},
	} {
		got := docent(append([]string{"audit"}, tt.arguments...)...)
		if got.code != tt.code || !strings.Contains(got.out, tt.want) || (got.err == "") != (tt.want != "") {
			t.Errorf("docent audit %q: code %d, want %d\n%s%s", tt.arguments, got.code, tt.code, got.out, got.err)
		}
	}
	var report audit.Report
	if got := docent("audit", "--osv", osv, "--json"); json.Unmarshal([]byte(got.out), &report) != nil || report.SchemaVersion != 1 || report.Findings[0].Fixed[0] != "1.1.0" {
		t.Errorf("%s%s", got.out, got.err)
	}
}
