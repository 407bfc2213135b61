package lookup

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/memory"
	"github.com/docent-mcp/docent/internal/store"
)

// wide is a language whose packages have many functions.
type wide struct{ ecosystem.Language }

func (wide) Info() *ecosystem.Info { return &ecosystem.Info{ID: "go"} }

func (wide) Find(_ context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	return &ecosystem.Found{Read: func(context.Context) (*apidoc.Package, error) {
		p := &apidoc.Package{Name: q.Package, Version: "v1.0.0"}
		for i := range 1000 {
			name := fmt.Sprint("F", i)
			p.Symbols = append(p.Symbols, apidoc.Symbol{Path: name, Kind: apidoc.Func, Signature: "func " + name + "()"})
		}
		return p, nil
	}}, nil
}

func TestMemory_OverviewsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budget := memory.New(64 << 20)
		l := New(store.New(ecosystem.Languages{wide{}}, store.Options{Memory: budget}))
		question := Description{Package: Package{Language: "go", Name: "p"}}
		if _, err := l.Describe(t.Context(), question); err != nil {
			t.Fatal(err)
		}
		if l.charged == 0 {
			t.Error("the prepared package does not count")
		}
		// Only part of the memory for an answer is left, and nothing more can be evicted.
		release, err := budget.Acquire(t.Context(), budget.Size())
		if err != nil {
			t.Fatal(err)
		}
		if l.charged != 0 || len(l.recent) != 0 {
			t.Errorf("%d bytes are prepared although all memory was needed", l.charged)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		p := l.newPrepared(&apidoc.Package{Name: "p", Version: "v1.0.0", Doc: "Package p."})
		if _, err := l.overview(ctx, question, &resolution{overview: true, packages: []origin{{p, question.Package}}}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("err = %v", err)
		}
		release()
		if _, err := l.Describe(t.Context(), question); err != nil {
			t.Error(err)
		}
	})
}
