package check_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
)

// released is Go with a registry in which the newest release of every package is
// v1.9.0.
type released struct{ *golang.Golang }

func (released) Releases(context.Context, string, *ecosystem.Used) (*ecosystem.Releases, error) {
	return &ecosystem.Releases{Newest: "v1.9.0"}, nil
}

// versioned describes packages whose functions depend on the version.
type versioned struct {
	functions map[string]string // by version; "" is the project's
	requests  []string
}

func (v *versioned) Describe(_ context.Context, _ string, q ecosystem.Query) (*apidoc.Package, error) {
	v.requests = append(v.requests, q.Version)
	names, ok := v.functions[q.Version]
	if !ok {
		return nil, &ecosystem.Error{Reason: ecosystem.NotFound, What: "no such version"}
	}
	p := web()["example.com/web"]
	own := *p
	own.Symbols, own.Version = nil, q.Version
	if q.Version == "" {
		own.Version = "0.7.1"
	}
	for name := range strings.FieldsSeq(names) {
		own.Symbols = append(own.Symbols, apidoc.Symbol{Path: name, Kind: apidoc.Func, Signature: "func " + name + "()"})
	}
	return &own, nil
}

func TestChecker_Versions(t *testing.T) {
	const source = "package a\n\nimport \"example.com/web\"\n\nfunc f() {\n\tweb.Now()\n\tweb.New()\n\tweb.Old()\n\tweb.Never()\n}\n"
	packages := &versioned{functions: map[string]string{"": "Now", "v1.9.0": "Now New", "0.6": "Now Old"}}
	files := func(c *check.Checker) string {
		r, err := c.Files(t.Context(), t.TempDir(), []string{"a.go"}, func(string) ([]byte, error) { return []byte(source), nil })
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, f := range r.Findings {
			fmt.Fprintf(&b, "%s %s\n", f.Use, f.OtherVersion)
		}
		return b.String()
	}
	c := &check.Checker{Packages: packages, Languages: ecosystem.Languages{released{golang.New(ecosystem.Options{Offline: true})}}, Versions: true}
	if got, want := files(c), "web.New v1.9.0\nweb.Old 0.6\nweb.Never \n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got, want := fmt.Sprint(packages.requests), "[ v1.9.0 0.6]"; got != want {
		t.Errorf("it read the versions %s, want %s", got, want)
	}
	c.Versions = false
	if got, want := files(c), "web.New \nweb.Old \nweb.Never \n"; got != want {
		t.Errorf("without versions: got\n%swant\n%s", got, want)
	}
}

// sharing reads something that all packages of a project share, and describes none.
type sharing struct{ reads atomic.Int32 }

func (s *sharing) Describe(ctx context.Context, _ string, _ ecosystem.Query) (*apidoc.Package, error) {
	ecosystem.Shared(ctx, "project", func() int32 { return s.reads.Add(1) })
	return nil, &ecosystem.Error{Reason: ecosystem.NotFound, What: "no such package"}
}

func TestChecker_SharesReads(t *testing.T) {
	packages := &sharing{}
	c := &check.Checker{Packages: packages, Languages: ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}}
	_, err := c.Files(t.Context(), t.TempDir(), []string{"a.go", "b.go"}, func(string) ([]byte, error) {
		return []byte("package a\n\nimport (\n\t\"example.com/web\"\n\t\"example.com/kiln\"\n)\n"), nil
	})
	if n := packages.reads.Load(); err != nil || n != 1 {
		t.Errorf("what the packages share is read %d times; error %v", n, err)
	}
}
