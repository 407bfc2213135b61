package ecosystem

import (
	"reflect"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestAnOutlineHoldsNamesAndFirstSentencesOfWhatIsNotInherited(t *testing.T) {
	got := Outline([]apidoc.Symbol{{
		Path: "Client", Kind: apidoc.Class, Signature: "class Client", Doc: "A client. It has more.", From: "core",
		Members: []apidoc.Symbol{
			{Path: "Client.get", Kind: apidoc.Method, Doc: "Gets.\n\nMore.", From: "core"},
			{Path: "Client.close", Kind: apidoc.Method, Doc: "Closes.", From: "io.Closer"},
		},
	}})
	want := []apidoc.Symbol{{
		Path: "Client", Kind: apidoc.Class, Doc: "A client.",
		Members: []apidoc.Symbol{{Path: "Client.get", Kind: apidoc.Method, Doc: "Gets."}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
