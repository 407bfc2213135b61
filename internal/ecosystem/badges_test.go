package ecosystem

import (
	"context"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
	"github.com/docent-mcp/docent/internal/markup"
)

func TestDocumentationBeginsBehindItsBadges(t *testing.T) {
	doc := "![Demo Of It](a.gif)\n\n[![Badge]][Crate] Is text.\n\nDoes it.\n\n[Badge]: b.svg\n"
	found := &Found{Read: func(context.Context) (*apidoc.Package, error) {
		return &apidoc.Package{Doc: doc, Synopsis: markup.Synopsis(doc)}, nil
	}}
	p, err := found.describe(t.Context(), &Info{}, nil)
	if err != nil || p.Doc != "[![Badge]][Crate] Is text.\n\nDoes it.\n\n[Badge]: b.svg" || p.Synopsis != markup.Synopsis(p.Doc) {
		t.Errorf("got %q, %q, %v", p.Doc, p.Synopsis, err)
	}
}
