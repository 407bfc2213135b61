package golang

import (
	"context"
	"errors"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestThePackageOfTheStandardLibraryIsFoundInGOROOT(t *testing.T) {
	src, err := New(ecosystem.Options{Offline: true}).Locate(context.Background(), ecosystem.Query{Package: "encoding/json"})
	if err != nil {
		t.Fatal(err)
	}
	if src.Module != "std" || src.Dir != "encoding/json" || src.Provenance.Source != "GOROOT" {
		t.Errorf("got %+v", src)
	}
}

func TestWhatIsNoImportPathIsRefusedWithAReason(t *testing.T) {
	for _, name := range []string{"", "C", "https://example.com/x", "golang.org/...", "a b", "x@", "/x\x00", "x@-y", "./here"} {
		_, err := New(ecosystem.Options{Offline: true}).Locate(context.Background(), ecosystem.Query{Package: name})
		var e *ecosystem.Error
		if !errors.As(err, &e) || e.What == "" {
			t.Errorf("%q: got %v", name, err)
		}
	}
}
