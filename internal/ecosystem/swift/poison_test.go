package swift

import (
	"fmt"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestHostile_OneCommitOfTwoHosts uses a project that pins a package with the same
// name, version and commit as another project's, but from a host that serves different
// content.
func TestHostile_OneCommitOfTwoHosts(t *testing.T) {
	w := newWorld(t)
	keys := map[string]string{}
	for _, owner := range []string{"mallory", "mona"} {
		location := w.server.URL + "/" + owner + "/kite"
		w.files["/"+owner+"/kite/archive/"+commitA+".tar.gz"] = tarball(t, library("Kite", "KiteCore"))
		dir := t.TempDir()
		filetest.Write(t, dir, map[string]string{
			"Package.swift":    fmt.Sprintf(app, `.package(url: "`+location+`", from: "1.0.0")`, ""),
			"Package.resolved": resolved(pin("kite", location, "1.4.2", commitA)),
		})
		found, err := w.swift().Find(t.Context(), ecosystem.Query{Package: "kite", ProjectDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := keys[found.Key]; ok {
			t.Errorf("what was read of %s is shown for %s", other, owner)
		}
		keys[found.Key] = owner
	}
}
