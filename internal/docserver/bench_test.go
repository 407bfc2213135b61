package docserver

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

// BenchmarkDescribe measures answers about packages that the store has.
func BenchmarkDescribe(b *testing.B) {
	languages := ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}
	cache := store.New(languages, store.Options{})
	s := &server{lookup: lookup.New(cache), store: cache}
	describe := s.describe(languages[0].Info())
	for _, name := range []string{"encoding/json", "net/http", "go/ast", "syscall"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := describe(b.Context(), nil, describeInput{Package: name, MaxTokens: 8000}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSearch measures searches of packages that the store has.
func BenchmarkSearch(b *testing.B) {
	languages := ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}
	cache := store.New(languages, store.Options{})
	s := &server{lookup: lookup.New(cache), store: cache}
	for _, query := range []string{"request with timeout", "serve files from a directory; set a cookie; shut a server down gracefully"} {
		b.Run(query, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.search(b.Context(), nil, searchInput{Package: "net/http", Query: query, Language: "go", MaxTokens: 4000}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
