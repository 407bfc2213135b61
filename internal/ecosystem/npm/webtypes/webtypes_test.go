package webtypes

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

const (
	withTags = `{"contributions":{"html":{"tags":[
	{"name":"VBtn","source":{"symbol":"VBtn"},"description":"A button.","attributes":[
		{"name":"flat","description":"Removes the shadow.","default":"false"},
		{"name":"icon-placement","default":"\"'left'\""},
		{"name":"tone","description":"Its tone.","default":"calm"},
		{"name":"label","default":"undefined"}],
	"events":[{"name":"group:selected","description":"A group selects it."}],"slots":[{"name":"default","description":"Its content."}]},
	{"name":"VBtn","description":"Another one."}]}}}`
	withProps = `{"contributions":{"html":{"vue-components":[
	{"name":"v-btn","source":{"symbol":"VBtn"},"description":"A button.","props":[{"name":"flat","description":"Removes the shadow.","default":"false"},
		{"name":"iconPlacement","default":"'left'"},{"name":"tone","description":"Its tone.","default":"calm"}],
	"js":{"events":[{"name":"group:selected","description":"A group selects it."}]},"slots":[{"name":"default","description":"Its content."}]}]}}}`
)

func button() []apidoc.Symbol {
	return []apidoc.Symbol{
		{Path: "VBtn", Kind: apidoc.Const, Members: []apidoc.Symbol{
			{Path: "VBtn.flat", Kind: apidoc.Prop}, {Path: "VBtn.iconPlacement", Kind: apidoc.Prop}, {Path: "VBtn.label", Kind: apidoc.Prop},
			{Path: "VBtn.tone", Kind: apidoc.Prop, Doc: "Declared."},
			{Path: "VBtn.group:selected", Kind: apidoc.Event}, {Path: "VBtn.default", Kind: apidoc.Slot}, {Path: "VBtn.other", Kind: apidoc.Method},
		}},
		{Path: "VCard", Kind: apidoc.Const, Members: []apidoc.Symbol{{Path: "VCard.flat", Kind: apidoc.Prop}}},
	}
}

func TestDescribe(t *testing.T) {
	want := map[string]string{
		"VBtn": "A button.", "VBtn.flat": "Removes the shadow.\n\n**Default:** `false`", "VBtn.iconPlacement": "**Default:** `'left'`", "VBtn.label": "",
		"VBtn.tone": "Declared.\n\n**Default:** `calm`", "VBtn.group:selected": "A group selects it.", "VBtn.default": "Its content.", "VBtn.other": "",
		"VCard": "", "VCard.flat": "",
	}
	for name, text := range map[string]string{"tags": withTags, "props": withProps} {
		m, err := Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		symbols := button()
		m.Describe(symbols)
		for _, s := range symbols {
			for _, s := range append([]apidoc.Symbol{s}, s.Members...) {
				if s.Doc != want[s.Path] {
					t.Errorf("%s: the comment on %s is %q, want %q", name, s.Path, s.Doc, want[s.Path])
				}
			}
		}
	}
}

func TestRead_NamesOfTags(t *testing.T) {
	for text, want := range map[string]string{
		`{"contributions":{"html":{"tags":[{"name":"van-action-bar","attributes":[{"name":"a","default":"` + "`1`" + `"}]},{"name":"van-cell"}]}}}`: "ActionBar Cell VanActionBar VanCell",
		`{"contributions":{"html":{"tags":[{"name":"van-action-bar"},{"name":"cell"}]}}}`:                                                           "Cell VanActionBar",
		`{"contributions":{"html":{"tags":[{"name":"action-bar"}]}}}`:                                                                               "ActionBar",
	} {
		m, err := Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(m)), " "); got != want {
			t.Errorf("the names are %q, want %q", got, want)
		}
		if c := m["ActionBar"]; c != nil && len(c.members) > 0 && c.members[apidoc.InputRole]["a"] != "**Default:** `1`" {
			t.Errorf("the comment is %q", c.members[apidoc.InputRole]["a"])
		}
	}
}

func TestRead_Malformed(t *testing.T) {
	for _, text := range []string{"", "[]", `{"contributions":{"html":{"tags":[{"name":1}]}}}`} {
		if _, err := Read([]byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// FuzzRead reads hostile manifests.
func FuzzRead(f *testing.F) {
	f.Add([]byte(withTags))
	f.Add([]byte(withProps))
	f.Add([]byte("\xef\xbb\xbf{\"contributions\":{\"html\":{\"tags\":[{\"name\":\"VBtn\",\"attributes\":[{\"name\":\"--\",\"default\":{\"a\":null}},{\"name\":\"flat\",\"description\":\"\\u202e\"}]}]}}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read(data)
		if err != nil {
			return
		}
		symbols := button()
		m.Describe(symbols)
		for _, member := range symbols[0].Members {
			if len(member.Doc) > 3*maxText || strings.ContainsRune(member.Doc, '\u202e') {
				t.Errorf("the comment on %s is %q", member.Path, member.Doc)
			}
		}
	})
}
