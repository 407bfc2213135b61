package python

import (
	"slices"
	"testing"
)

func TestIsOwn(t *testing.T) {
	paths := []string{"src/app/core.py", "tests/apps/blueprintapp/__init__.py", "tests/helper.py", "docs/requests/index.md", "setup.py"}
	for name, want := range map[string]bool{"app": true, "app.core": true, "blueprintapp.views": true, "helper": true, "requests": false, "core": true, "ore": false, "tests": true} {
		if got := (&Python{}).IsOwn(name, slices.Values(paths)); got != want {
			t.Errorf("IsOwn(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestPrimaryModule_OfANamespace(t *testing.T) {
	files := []string{"google/cloud/_storage/__init__.py", "google/cloud/storage/__init__.py", "google/cloud/storage/blob.py"}
	for range 20 { // maps iterate in random order
		if got := primaryModule("google-cloud-storage", []string{"google"}, files); got != "google.cloud.storage" {
			t.Fatalf("it is %s", got)
		}
	}
}
