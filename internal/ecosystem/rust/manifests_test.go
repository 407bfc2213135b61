package rust

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/modeltest"
)

func TestManifests(t *testing.T) {
	g := &ecosystem.Graph{Packages: []ecosystem.Used{
		{Name: "own", Member: true, Dir: "/src/own", Requires: []int{1}},
		{Name: "a", Version: "1.2.3", Requires: []int{2, 3}, Features: []string{"default", "net"}}, {Name: "b_c", Version: "0.2.0"}, {Name: "d", Version: "1.0.0"}, {Name: "d", Version: "2.0.0"},
		{Name: "local", Version: "", Dir: "/src/local"},
	}}
	bad := []ecosystem.Used{{Name: "a/b", Version: "1.0.0"}, {Name: "e", Version: "1.0.0\"\n[x]"}}
	dir := t.TempDir()
	l := New(ecosystem.Options{Env: []string{"HOME=" + dir}, Offline: true})
	again := modeltest.Manifests(t, l, g, dir, bad)
	if a := again.Packages[1]; !slices.Equal(a.Features, []string{"default", "net"}) {
		t.Errorf("%s has the features %q", a.Name, a.Features)
	}
	const want = `project . (Cargo.toml) > a
!a 1.2.3 (Cargo.lock) > b_c d wanted as =1.2.3
!b_c 0.2.0 (Cargo.lock)
!d 1.0.0 (Cargo.lock)
!d 2.0.0 (Cargo.lock)
`
	if got := again.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
