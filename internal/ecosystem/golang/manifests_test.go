package golang

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/modeltest"
)

func TestManifests(t *testing.T) {
	g := &ecosystem.Graph{Packages: []ecosystem.Used{
		{Name: "own", Member: true, Dir: "/src/own", Requires: []int{1}},
		{Name: "example.com/a", Version: "v1.2.3", Requires: []int{2}}, {Name: "example.com/b/v2", Version: "v2.0.0"}, {Name: "example.com/c", Version: "v0.0.0-20250101000000-0123456789ab"},
		{Name: "local", Version: "", Dir: "/src/local"},
	}}
	bad := []ecosystem.Used{{Name: "../etc", Version: "v1.0.0"}, {Name: "example.com/d", Version: "v1.0.0\nreplace x => /etc"}}
	dir := t.TempDir()
	l := New(ecosystem.Options{Env: []string{"HOME=" + dir, "GOFLAGS=-mod=mod"}, Offline: true})
	again := modeltest.Manifests(t, l, g, dir, bad)
	const want = `project . (go.mod) > example.com/a
!example.com/a v1.2.3 (go.mod) wanted as v1.2.3
!example.com/b/v2 v2.0.0 (go.mod)
!example.com/c v0.0.0-20250101000000-0123456789ab (go.mod)
`
	if got := again.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
