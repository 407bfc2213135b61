package answer

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// TestACachedListingIsThatWithinTheLimit requests the listings of types with decreasing limits, so
// that only the first listing is computed.
func TestACachedListingIsThatWithinTheLimit(t *testing.T) {
	p := pump()
	r := NewRenderer(p)
	fitting, cut := 0, 0
	for i := range p.Symbols {
		s := &p.Symbols[i]
		for _, d := range returnedDepths {
			for limit := 300; limit > 0; limit -= 7 {
				text, fits := r.listingOf(s, d, limit)
				want, _, wantFits := r.listing([]decl{{symbols: []apidoc.Symbol{*s}}}, d, limit, nil)
				if fits != wantFits || fits && text != want {
					t.Fatalf("%s in %d bytes: %v %q, want %v %q", s.Path, limit, fits, text, wantFits, want)
				}
				if fits {
					fitting++
				} else {
					cut++
				}
			}
		}
	}
	if fitting == 0 || cut == 0 {
		t.Errorf("%d listings fit and %d do not", fitting, cut)
	}
}

func TestACachedCommentIsThatOfTheSymbol(t *testing.T) {
	r := NewRenderer(pump())
	for _, doc := range []string{"One.\n\nTwo.\n\nOne.", "Other.", "One.\n\nTwo.\n\nOne."} {
		s := &apidoc.Symbol{Path: "Same", Doc: doc}
		if got, want := r.cleanComment(s), once(doc); got != want {
			t.Errorf("the comment %q is %q, want %q", doc, got, want)
		}
	}
}

func TestParagraphsAreThoseOfTheLines(t *testing.T) {
	for _, md := range []string{
		"", "\n\n", "one", "one\ntwo\n\n\nthree\n", "  \none\n \t\ntwo  ",
		"```\na\n\nb\n```\n\nafter", "**Parameters:**\n\n- `a`: one\n- `b`: two\n\nend", "one\n\n    code\n\n    more\n\ntwo", "a\r\n\r\nb",
	} {
		var want, lines []string
		end := func() {
			if len(lines) == 0 {
				return
			}
			p := strings.Join(lines, "\n")
			if n := len(want); n > 0 && isLabel(want[n-1]) {
				want[n-1] += "\n\n" + p
			} else {
				want = append(want, p)
			}
			lines = nil
		}
		for l := range markup.Lines(md) {
			if !l.Code && strings.TrimSpace(l.Text) == "" {
				end()
			} else {
				lines = append(lines, l.Text)
			}
		}
		end()
		if got := paragraphs(md); !slices.Equal(got, want) {
			t.Errorf("the paragraphs of %q are %q, want %q", md, got, want)
		}
	}
}

func TestOverview_IsMadeOnceForAllWhoWait(t *testing.T) {
	r := NewRenderer(hostile(1000))
	const callers = 8
	answers := make([]*Answer, callers)
	var wait sync.WaitGroup
	for i := range callers {
		wait.Go(func() { answers[i] = r.Overview(nil, Options{}) })
	}
	wait.Wait()
	for _, a := range answers {
		if a != answers[0] {
			t.Fatal("callers at the same time got overviews of their own")
		}
	}
}
