package swift

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/project"
)

func TestGraph(t *testing.T) {
	w := withCheckouts(t)
	filetest.Write(t, w.project, map[string]string{
		".build/checkouts/swift-kite/Package.swift": strings.Replace(library("swift-kite", "KiteCore", "KiteTail")["Package.swift"], ", targets: [.target(", `, dependencies: [.package(url: "`+tree+`", from: "2.0.0")], targets: [.target(`, 1),
		"Podfile.lock": "PODS:\n  - Till (1.2.0)\n\nDEPENDENCIES:\n  - Till (~> 1.0)\n",
	})
	g, err := w.swift().Graph(context.Background(), w.project)
	if err != nil {
		t.Fatal(err)
	}
	const want = `NAME . (Package.swift) > Till swift-kite
!Till 1.2.0 (Podfile.lock)
swift-kite 1.4.2 (Package.resolved) > tree wanted as from 1.0.0
tree 2.0.0 (Package.resolved)
`
	if got := strings.ReplaceAll(g.String(), g.Packages[0].Name, "NAME"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for i := range g.Packages {
		osv, name, version := w.swift().Advisories(&g.Packages[i])
		if advised := g.Packages[i].Name == "swift-kite" || g.Packages[i].Name == "tree"; advised != (osv == "SwiftURL" && name != "" && version != "") {
			t.Errorf("advisories about %s: %s %s %s", g.Packages[i].Name, osv, name, version)
		}
	}
	if _, err := w.swift().Graph(context.Background(), t.TempDir()); !errors.Is(err, project.ErrNone) {
		t.Errorf("a directory without a project: %v", err)
	}
}
