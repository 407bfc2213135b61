package ecosystem

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/work"
)

// endless is a language whose reading uses as many steps as it is allowed.
type endless struct {
	Language
	steps int
}

func (endless) Info() *Info { return &Info{ID: "endless"} }

func (l endless) Find(context.Context, Query) (*Found, error) {
	return &Found{Read: func(ctx context.Context) (*apidoc.Package, error) {
		p := &apidoc.Package{Name: "endless"}
		for range l.steps {
			if work.FromContext(ctx).Step(1000) {
				p.Symbols = append(p.Symbols, apidoc.Symbol{Path: "F"})
			}
		}
		return p, nil
	}}, nil
}

func TestDescribe_BoundsTheWorkOfAReading(t *testing.T) {
	allowed := work.Base / 1000
	p, err := Describe(t.Context(), endless{steps: allowed}, Query{}, nil)
	if err != nil || len(p.Symbols) != allowed || len(p.Warnings) > 0 {
		t.Errorf("within the bound: %v, %v", p, err)
	}
	p, err = Describe(t.Context(), endless{steps: allowed + 10}, Query{}, nil)
	if err != nil || len(p.Symbols) != allowed || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "missing") {
		t.Errorf("beyond the bound: %d symbols, %v, %v", len(p.Symbols), p.Warnings, err)
	}
	_, err = Describe(t.Context(), endless{steps: 3 * allowed}, Query{Package: "deep"}, nil)
	if e, ok := errors.AsType[*Error](err); !ok || e.Reason != Unreadable || !strings.Contains(e.What, "deep") {
		t.Errorf("far beyond the bound: %v", err)
	}
}

func TestDescribe_StopsAReadingThatNobodyWaitsFor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Describe(ctx, endless{steps: 1 << 40}, Query{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}
