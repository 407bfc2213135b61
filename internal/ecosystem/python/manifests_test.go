package python

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/modeltest"
)

func TestManifests(t *testing.T) {
	g := &ecosystem.Graph{Packages: []ecosystem.Used{
		{Name: "own", Member: true, Dir: "/src/own", Requires: []int{1}},
		{Name: "a", Version: "1.2.3", Requires: []int{2}}, {Name: "B.c", Version: "2.0rc1"}, {Name: "d", Version: "2024.1"},
		{Name: "local", Version: "", Dir: "/src/local"},
	}}
	bad := []ecosystem.Used{{Name: "a\"\n[x]", Version: "1.0"}, {Name: "e", Version: "1.0 @ file:///etc"}}
	dir := t.TempDir()
	l := New(ecosystem.Options{Env: []string{"HOME=" + dir}, Offline: true})
	again := modeltest.Manifests(t, l, g, dir, bad)
	const want = `project . (pyproject.toml) > a
!a 1.2.3 (poetry.lock) > b-c wanted as ==1.2.3
!b-c 2.0rc1 (poetry.lock)
!d 2024.1 (poetry.lock)
`
	if got := again.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
