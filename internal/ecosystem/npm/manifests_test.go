package npm

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/modeltest"
)

func TestManifests(t *testing.T) {
	g := &ecosystem.Graph{Packages: []ecosystem.Used{
		{Name: "own", Member: true, Dir: "/src/own", Requires: []int{1}},
		{Name: "a", Version: "1.2.3", Requires: []int{2, 3}}, {Name: "@b/c", Version: "2.0.0-rc.1", Requires: []int{4}}, {Name: "d", Version: "1.0.0"}, {Name: "d", Version: "2.0.0", Aliases: []string{"e"}},
		{Name: "local", Version: "", Dir: "/src/local"},
	}}
	bad := []ecosystem.Used{{Name: "../etc", Version: "1.0.0"}, {Name: "f", Version: "file:/etc"}}
	dir := t.TempDir()
	l := New(ecosystem.Options{Env: []string{"HOME=" + dir}, Offline: true})
	again := modeltest.Manifests(t, l, g, dir, bad)
	const want = `project . (package.json) > a
!@b/c 2.0.0-rc.1 (package-lock.json) > d
!a 1.2.3 (package-lock.json) > @b/c d wanted as 1.2.3
!d 1.0.0 (package-lock.json)
!d 2.0.0 (package-lock.json)
`
	if got := again.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
