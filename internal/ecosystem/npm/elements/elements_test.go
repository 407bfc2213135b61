package elements

import (
	"fmt"
	"strings"
	"testing"
)

// write returns an element as text, one member on each line.
func write(e *Element) string {
	var b strings.Builder
	line := func(text, doc, deprecated string) {
		fmt.Fprintf(&b, "%s // %s", text, strings.ReplaceAll(doc, "\n", "|"))
		if deprecated != "" {
			fmt.Fprintf(&b, " (deprecated: %s)", deprecated)
		}
		b.WriteByte('\n')
	}
	line(e.Symbol.Signature+" "+e.Class+" "+e.Module, e.Symbol.Doc, e.Symbol.Deprecated)
	for _, m := range e.Symbol.Members {
		line(string(m.Kind)+" "+m.Signature, m.Doc, m.Deprecated)
	}
	return b.String()
}

func TestElements(t *testing.T) {
	for _, tt := range []struct{ name, manifest, want string }{
		{"attributes take the type, the comment and the default of the property",
			`{"modules":[{"path":"button.js","declarations":[{"name":"XButton","tagName":"x-button","summary":"Starts an action.","description":"Long.",
			"attributes":[{"name":"size","fieldName":"size"},{"name":"html-type","fieldName":"type"}],
			"members":[{"kind":"field","name":"size","type":{"text":"'s' | 'm'"},"default":"'m'","description":"The size."},
				{"kind":"field","name":"type","description":"One.\n\nTwo.","default":"'button'"}]}]}]}`,
			"<x-button> XButton button.js // Starts an action.||Long.\n" +
				"HTML attribute size?: 's' | 'm' // The size. **Default:** `'m'`\n" +
				"HTML attribute html-type? // One.||Two.||Property: `type`. **Default:** `'button'`\n"},
		{"events, slots and what style sheets refer to",
			`{"modules":[{"path":"a.js","declarations":[{"name":"A","tagName":"x-a",
			"events":[{"name":"x-change","type":{"text":"CustomEvent<string>"},"description":"Changed."},{"name":"x-end"}],
			"slots":[{"name":"","description":"The content."},{"name":"icon"}],
			"cssParts":[{"name":"base","description":"The box."}],"cssProperties":[{"name":"--gap","default":"4px","description":"The space."}],"cssStates":[{"name":"open"}]}]}]}`,
			"<x-a> A a.js // \nevent x-change: CustomEvent<string> // Changed.\nevent x-end: Event // \nslot default // The content.\nslot icon // \n" +
				"CSS part base // The box.\nCSS custom property --gap // The space. **Default:** `4px`\nCSS state open // \n"},
		{"only public members that no attribute sets",
			`{"modules":[{"path":"a.js","declarations":[{"name":"A","tagName":"x-a","attributes":[{"name":"open"}],"members":[
			{"kind":"field","name":"open","type":{"text":"boolean"}},{"kind":"field","name":"items","type":{"text":"string[]"},"readonly":true},
			{"kind":"field","name":"styles","static":true},{"kind":"field","name":"secret","privacy":"private"},{"kind":"method","name":"_draw"},{"kind":"field","name":"#x"},
			{"kind":"method","name":"show","parameters":[{"name":"index","type":{"text":"number"}},{"name":"how","optional":true},{"name":"rest","rest":true,"type":{"text":"string[]"}}],"return":{"type":{"text":"Promise<void>"}}}]}]}]}`,
			"<x-a> A a.js // \nHTML attribute open?: boolean // \nproperty readonly items: string[] // \nmethod show(index: number, how?, ...rest: string[]): Promise<void> // \n"},
		{"members of superclasses and mixins, and a tag among the exports",
			`{"modules":[{"path":"/a.js","declarations":[{"name":"A","superclass":{"name":"Base","module":"/base.js"},"mixins":[{"name":"M"}],
			"attributes":[{"name":"label","description":"Derived."}]}],"exports":[{"kind":"custom-element-definition","name":"x-a","declaration":{"name":"A"}}]},
			{"path":"other.js","declarations":[{"name":"Base","slots":[{"name":"wrong"}]}]},
			{"path":"base.js","declarations":[{"name":"Base","superclass":{"name":"A"},"attributes":[{"name":"label","description":"Base."},{"name":"help"}]},
				{"kind":"mixin","name":"M","members":[{"kind":"field","name":"disabled","attribute":"disabled"}]}]}]}`,
			"<x-a> A a.js // \nHTML attribute label? // Derived.\nHTML attribute disabled? // \nHTML attribute help? // \n"},
		{"no members of a superclass in another package",
			`{"modules":[{"path":"a.js","declarations":[{"name":"A","tagName":"x-a","superclass":{"name":"Base","package":"other"},"mixins":[{"name":"M","package":"this","module":"/m.js"}]},
			{"name":"Base","slots":[{"name":"wrong"}]}]},{"path":"m.js","declarations":[{"name":"M","slots":[{"name":"right"}]}]}]}`,
			"<x-a> A a.js // \nslot right // \n"},
		{"the older form", `{"version":"experimental","tags":[{"name":"x-a","description":"Text.","attributes":[{"name":"open","type":"boolean","default":"false"}],
			"properties":[{"name":"items","type":"string[]","default":null}],"slots":[{"name":""}]}]}`,
			"<x-a>   // Text.\nHTML attribute open?: boolean // **Default:** `false`\nslot default // \nproperty items: string[] // \n"},
		{"deprecated elements and members", `{"modules":[{"path":"a.js","declarations":[{"name":"A","tagName":"x-a","deprecated":"use x-b",
			"attributes":[{"name":"open","deprecated":true},{"name":"size","deprecated":false}]}]}]}`,
			"<x-a> A a.js //  (deprecated: use x-b)\nHTML attribute open? //  (deprecated: deprecated)\nHTML attribute size? // \n"},
		{"the first of two descriptions", `{"modules":[{"path":"a.js","declarations":[{"name":"A","tagName":"x-a"},{"name":"B","tagName":"x-a"},{"name":"C","tagName":"plain"},{"name":"D"}]}]}`,
			"<x-a> A a.js // \n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all, err := Read([]byte(tt.manifest))
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for i := range all {
				got.WriteString(write(&all[i]))
			}
			if got.String() != tt.want {
				t.Errorf("got\n%swant\n%s", got.String(), tt.want)
			}
		})
	}
}

func TestElements_MalformedManifest(t *testing.T) {
	for _, data := range []string{"", "[]", `{"modules":[{"declarations":{}}]}`, "{"} {
		if all, err := Read([]byte(data)); err == nil {
			t.Errorf("%q: no error, %d elements", data, len(all))
		}
	}
}

func TestElements_InheritedMembersDoNotExhaustMemory(t *testing.T) {
	data := `{"modules":[{"path":"a.js","declarations":[{"name":"Base","slots":[{"name":"s","description":"` + strings.Repeat("x", 1<<20) + `"}]}`
	for i := range 200 {
		data += fmt.Sprintf(`,{"name":"A","tagName":"x-%d","superclass":{"name":"Base"}}`, i)
	}
	all, err := Read([]byte(data + "]}]}"))
	if err != nil || len(all) != 200 {
		t.Fatal(len(all), err)
	}
	size := 0
	for i := range all {
		for _, m := range all[i].Symbol.Members {
			size += len(m.Doc)
		}
	}
	if size == 0 || size > maxSize+1<<20 {
		t.Errorf("%d bytes of documentation, want at most %d", size, maxSize+1<<20)
	}
}

// FuzzElements reads hostile manifests.
func FuzzElements(f *testing.F) {
	f.Add([]byte(`{"modules":[{"path":"a.js","declarations":[{"name":"A","tagName":"x-a","superclass":{"name":"A"},"deprecated":true,"attributes":[{"name":"o","type":{"text":"boolean"},"default":null}],"members":[{"kind":"method","name":"m","parameters":[{"rest":true}]}]}],"exports":[{"kind":"custom-element-definition","name":"x-b","declaration":{"name":"A"}}]}]}`))
	f.Add([]byte("\xef\xbb\xbf{\"tags\":[{\"name\":\"x-a\",\"properties\":[{\"name\":\"p\",\"type\":\"string\"}],\"events\":[{\"name\":\"\\u202ee\"}]}]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := Read(data)
		if err != nil {
			return
		}
		tags := map[string]bool{}
		for i := range all {
			s := &all[i].Symbol
			if tags[s.Path] || !strings.Contains(s.Path, "-") || strings.ContainsAny(s.Path, " \n") {
				t.Errorf("element %q", s.Path)
			}
			tags[s.Path] = true
			for _, m := range s.Members {
				if !strings.HasPrefix(m.Path, s.Path+".") || m.Path == s.Path+"." || strings.Contains(m.Signature, "\n") {
					t.Errorf("member %q of %q: %q", m.Path, s.Path, m.Signature)
				}
			}
		}
	})
}
