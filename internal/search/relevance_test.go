package search

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestClose(t *testing.T) {
	x := New(library())
	tests := []struct {
		query string
		want  bool
	}{
		{"client timeout", true},
		{"new request with context", true},
		{"close idle connections", true},
		{"read the whole body until its end", true},
		{"retries", true},
		{"Größe", true},
		{"reqest context", true}, // a spelling error
		{"page layout for print", false},
		{"matrix of requests", false},
		{"sign a request with a private key", false},
		{"render a page as a pdf", false},
		{"send the body to kafka", false}, // only the topic is missing
		{"send the whole body", true},
		{"sql rows", false},
	}
	for _, test := range tests {
		hits, _ := x.Search(test.query, Options{Fuzzy: true})
		if got := Close(hits); got != test.want {
			t.Errorf("Close of the hits for %q = %v, want %v: %v", test.query, got, test.want, labels(hits))
		}
	}
}

func TestClose_HitsWithoutAnIndexAreExactNames(t *testing.T) {
	if !Close([]Hit{{Symbol: &apidoc.Symbol{Path: "Get"}}}) {
		t.Error("an exact name is not close")
	}
	if Close(nil) {
		t.Error("no hits are close")
	}
}

func TestTopicality(t *testing.T) {
	topic, common := newTerm("kafka"), newTerm("file")
	if topicality(&topic) <= 0.5 || topicality(&common) != 0 {
		t.Errorf("topicality of kafka %v, of file %v; want more than 0.5 and 0", topicality(&topic), topicality(&common))
	}
	if specificity(&topic) <= specificity(&common) {
		t.Errorf("specificity of kafka %v, of file %v", specificity(&topic), specificity(&common))
	}
}
