package solve

import (
	"strings"
	"testing"

	quern "hollin.example/quern/v2"
)

func TestAgain(t *testing.T) {
	text, again, err := Again([]quern.Grist{{Label: "a", Weight: 160, Coarse: 4}, {Label: "b", Weight: 5, Coarse: 9}})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(text, "\n") != 2 || !strings.Contains(text, `{"label":"a","weight":150,"coarse":2,"kind":"flour"}`) || strings.Contains(text, "toll") {
		t.Fatal(text)
	}
	if len(again) != 1 || again[0].Label != "b" || again[0].Coarse != 7 || !again[0].Has("recalled") {
		t.Fatal(again)
	}
}
