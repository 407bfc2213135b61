package audit

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/filetest"
)

// spoken is a language with semantic versions.
type spoken struct {
	ecosystem.Language

	id apidoc.Ecosystem
}

func (s spoken) Info() *ecosystem.Info { return &ecosystem.Info{ID: s.id} }

type advised struct{ spoken }

func (advised) Advisories(p *ecosystem.Used) (osv, name, version string) {
	if p.Name == "of another registry" {
		return "", "", ""
	}
	return "npm", p.Name, p.Version
}

func (advised) CompareVersions(a, b string) (int, bool) { return compareSemver(a, b) }

// shop is a project with vulnerable packages.
func shop() ([]depgraph.Language, ecosystem.Languages) {
	return []depgraph.Language{
		{ID: "npm", Name: "npm", Graph: &ecosystem.Graph{Root: "/src/shop", Packages: []ecosystem.Used{
			{Name: "shop", Member: true, Dir: "/src/shop"},
			{Name: "till", Version: "1.0.0", File: "package-lock.json"},
			{Name: "till", Version: "1.2.0", File: "package-lock.json"},
			{Name: "oven\x1b[2J", Version: "1.0.0", File: "package-lock.json", Inactive: true},
			{Name: "fork", Dir: "/src/shop/fork", File: "package.json"},
			{Name: "fine", Version: "1.0.0", File: "package-lock.json"},
			{Name: "of another registry", Version: "1.0.0", File: "package-lock.json"},
		}, Bundled: []ecosystem.Used{{Name: "core", Version: "3.0.0", File: "engine"}}, Problems: []string{"A file cannot be read."}}},
		{ID: "basic", Name: "BASIC", Graph: &ecosystem.Graph{}},
	}, ecosystem.Languages{advised{spoken{id: "npm"}}, spoken{id: "basic"}}
}

// entries are advisories as OSV publishes them.
var entries = map[string]string{
	"GHSA-aaaa-bbbb-cccc.json": `{"schema_version":"1.6.0","id":"GHSA-aaaa-bbbb-cccc","modified":"2026-01-02T03:04:05Z","aliases":["CVE-2026-1"],"summary":"Coins\nare lost",
		"severity":[{"type":"CVSS_V3","score":"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"}],"database_specific":{"severity":"MODERATE","cwe_ids":["CWE-1"]},
		"affected":[{"package":{"ecosystem":"npm","name":"till","purl":"pkg:npm/till"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.1.0"}]}]}]}`,
	"OTHER-1.json": `{"id":"OTHER-1","aliases":["CVE-2026-1","OTHER-0"],"details":"The same.\nMore.","affected":[{"package":{"ecosystem":"npm","name":"till"},"versions":["1.0.0"]}]}`,
	"GHSA-2.json":  `{"id":"GHSA-2","summary":"It burns","affected":[{"package":{"ecosystem":"npm","name":"oven\u001b[2J"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"}]}],"database_specific":{"severity":"CRITICAL"}}]}`,
	"GHSA-6.json":  `{"id":"GHSA-6","summary":"It stops","affected":[{"package":{"ecosystem":"npm","name":"core"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"3.0.1"}]}],"database_specific":{"severity":"LOW"}}]}`,
	"GHSA-3.json":  `{"id":"GHSA-3","withdrawn":"2026-01-02T03:04:05Z","summary":"It was wrong","affected":[{"package":{"ecosystem":"npm","name":"fine"},"versions":["1.0.0"]}]}`,
	"GHSA-4.json":  `{"id":"GHSA-4","summary":"Of another ecosystem","affected":[{"package":{"ecosystem":"PyPI","name":"fine"},"versions":["1.0.0"]}]}`,
	"GHSA-5.json":  `not read, since it has no name of a package`,
}

const wantText = `npm oven[2J 1.0.0  package-lock.json, not used on this machine
  critical GHSA-2
    It burns
    no version contains a fix
npm till 1.0.0  package-lock.json
  moderate GHSA-aaaa-bbbb-cccc (CVE-2026-1, OTHER-0, OTHER-1)
    Coins are lost
    fixed in 1.1.0
npm core 3.0.0  engine
  low GHSA-6
    It stops
    fixed in 3.0.1

3 advisories in 5 packages
note: A file cannot be read.
note: No advisory database covers BASIC packages.
`

func run(t *testing.T, database *Database) (*Report, error) {
	t.Helper()
	all, languages := shop()
	return Run(t.Context(), all, languages, database)
}

func TestAudit_Directory(t *testing.T) {
	loose := map[string]string{}
	for name, text := range entries {
		loose["npm/"+name] = text
	}
	for layout, files := range map[string]map[string]string{
		"an archive in a directory": {"npm/all.zip": string(filetest.Zip(t, "", entries))},
		"an archive":                {"npm.zip": string(filetest.Zip(t, "", entries))},
		"single files":              loose,
	} {
		report, err := run(t, &Database{Location: filetest.Dir(t, files)})
		if err != nil {
			t.Errorf("%s: %v", layout, err)
			continue
		}
		var b strings.Builder
		if err := report.Text(&b); err != nil || b.String() != wantText {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", layout, err, b.String(), wantText)
		}
	}
	for name, files := range map[string]map[string]string{
		"no advisories for npm": {"PyPI/all.zip": ""},
		"cannot be read":        {"npm/all.zip": "no archive"},
		"GHSA-9.json":           {"npm/all.zip": string(filetest.Zip(t, "", map[string]string{"GHSA-9.json": `{"name":"till"`}))},
		"format; download the ": {"npm/a.json": `{"affected":[{"package":{"name":"till"}}]}`},
	} {
		if _, err := run(t, &Database{Location: filetest.Dir(t, files)}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestAudit_MissingDirectory(t *testing.T) {
	for dir, want := range map[string]string{filepath.Join(t.TempDir(), "none"): "there is no directory ", t.TempDir(): " has no advisories for "} {
		if _, err := run(t, &Database{Location: dir}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

func TestAudit_Server(t *testing.T) {
	var requests, down atomic.Int32
	archive := filetest.Zip(t, "", entries)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		switch {
		case down.Load() > 0:
			http.Error(w, "down", http.StatusInternalServerError)
		case r.URL.Path == "/osv/npm/all.zip":
			_, _ = w.Write(archive)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	cache := cachedir.New(t.TempDir(), cachedir.Options{})
	database := func(offline bool) *Database {
		return &Database{Location: server.URL + "/osv", Cache: cache, Client: fetch.New(fetch.Options{Offline: offline}), Timeout: time.Minute}
	}
	if _, err := run(t, database(true)); err == nil || !strings.Contains(err.Error(), "not on this machine") {
		t.Errorf("offline, nothing cached: %v", err)
	}
	for range 2 { // In the second iteration, the cached copy is recent enough to be used.
		if report, err := run(t, database(false)); err != nil || len(report.Findings) != 3 || requests.Load() != 1 {
			t.Fatalf("%+v, %v, %d requests", report, err, requests.Load())
		}
	}
	outdate(t, cache)
	for _, offline := range []bool{true, false} {
		down.Store(1)
		report, err := run(t, database(offline))
		if err != nil || len(report.Findings) != 3 || !strings.Contains(strings.Join(report.Problems, " "), "it used an older copy") {
			t.Errorf("offline %v: %+v, %v", offline, report, err)
		}
	}
	down.Store(0)
	before := requests.Load()
	if report, err := run(t, database(false)); err != nil || len(report.Problems) != 2 || requests.Load() != before+1 {
		t.Errorf("an outdated copy: %+v, %v, %d requests", report, err, requests.Load()-before)
	}
	all, languages := shop()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, all, languages, database(true)); err == nil {
		t.Error("an audit that was stopped succeeded")
	}
}

// outdate makes the cached copy two days old.
func outdate(t *testing.T, cache *cachedir.Cache) {
	t.Helper()
	for _, name := range cache.List("osv") {
		if filepath.Ext(name) == ".date" {
			if err := cache.Write("osv/"+name, func(w *os.File) error {
				_, err := w.WriteString(time.Now().Add(-48 * time.Hour).Format(time.RFC3339))
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestAudit_SARIF(t *testing.T) {
	report, err := run(t, &Database{Location: filetest.Dir(t, map[string]string{"npm.zip": string(filetest.Zip(t, "", entries))})})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var log sarifLog
	if err := report.SARIF(&b, "1.0.0"); err != nil || json.Unmarshal([]byte(b.String()), &log) != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	results := log.Runs[0].Results
	if len(results) != 3 || len(log.Runs[0].Tool.Driver.Rules) != 3 || results[0].Level != "error" || results[1].Level != "warning" ||
		results[1].Message.Text != "till 1.0.0: Coins are lost (CVE-2026-1, OTHER-0, OTHER-1); fixed in 1.1.0" || results[1].Locations[0].PhysicalLocation.ArtifactLocation.URI != "package-lock.json" {
		t.Errorf("%s", b.String())
	}
}

func TestFails(t *testing.T) {
	moderate, unrated := &Report{Findings: []Finding{{Severity: "moderate"}}}, &Report{Findings: []Finding{{}}}
	for _, tt := range []struct {
		report   *Report
		severity string
		want     bool
	}{
		{moderate, "low", true}, {moderate, "moderate", true}, {moderate, "high", false}, {moderate, "never", false},
		{unrated, "critical", true}, {unrated, "never", false}, {&Report{}, "low", false},
	} {
		if got := tt.report.Fails(tt.severity); got != tt.want {
			t.Errorf("%+v, %s: %v", tt.report.Findings, tt.severity, got)
		}
	}
}
