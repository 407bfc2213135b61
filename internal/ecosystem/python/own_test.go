package python

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestMadeModule(t *testing.T) {
	src := &modules.Source{Root: fstest.MapFS{"requests/__init__.py": {}, "requests/packages.py": {}}}
	for module, want := range map[string]bool{"requests.packages.urllib3": true, "requests.packages.urllib3.util": true, "requests.none": false, "requests": false} {
		if got := madeModule(src, module); got != want {
			t.Errorf("madeModule(%q) = %v, want %v", module, got, want)
		}
	}
}

func TestOwn(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"tests/test_server.py": `(tmp_path / "written.py").write_text("")`, "tests/helper.py": `write("deep/__init__.py", "deep.py", "flat.py")`})
	paths := []string{"tests/test_server.py", "src/app/core.py", "tests/apps/blueprintapp/__init__.py", "tests/helper.py", "docs/requests/index.md", "setup.py"}
	for name, want := range map[string]bool{"app": true, "app.core": true, "blueprintapp.views": true, "helper": true, "requests": false, "core": true, "core.deep": false, "ore": false, "tests": true, "written": true, "written.deep": false, "deep.written": true, "flat": true, "flat.written": false} {
		if got := (&Python{}).Own(dir, slices.Values(paths))(name); got != want {
			t.Errorf("Own(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestPrimaryModule_OfANamespace(t *testing.T) {
	files := []string{"google/cloud/_storage/__init__.py", "google/cloud/storage/__init__.py", "google/cloud/storage/blob.py"}
	for range 20 { // The order of iteration over a map is random, so repeat the test.
		if got := primaryModule("google-cloud-storage", []string{"google"}, files); got != "google.cloud.storage" {
			t.Fatalf("it is %s", got)
		}
	}
}
