package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestNeeds_TypeArgumentsOfAComponent(t *testing.T) {
	fields := func(path string, names ...string) (all []apidoc.Symbol) {
		for _, n := range names {
			all = append(all, apidoc.Symbol{Path: path + "." + n, Kind: apidoc.Property, Signature: n + "?: string"})
		}
		return all
	}
	p := &apidoc.Package{
		Ecosystem: "npm", Style: apidoc.Style{Name: "npm", Fence: "ts", FollowTypes: true, Nested: true, Syntax: npmSyntax}, Name: "dialog", Version: "1.0.0",
		Symbols: []apidoc.Symbol{
			{Path: "Content", Kind: apidoc.Const, Signature: "const Content: React.ForwardRefExoticComponent<ContentProps & React.RefAttributes<HTMLDivElement>>"},
			{Path: "standard", Kind: apidoc.Const, Signature: "const standard: Store<ContentProps>"},
			{Path: "ContentProps", Kind: apidoc.Interface, Signature: "interface ContentProps", Members: fields("ContentProps", "forceMount", "label")},
			{Path: "Store", Kind: apidoc.Interface, Signature: "interface Store<T>", Members: fields("Store", "state")},
		},
	}
	for symbol, want := range map[string]string{
		"Content":  "Types it takes:\n\n```ts\ninterface ContentProps {\n",
		"standard": "What it returns:\n\n```ts\ninterface Store<T> {\n",
	} {
		if text := describe(t, p, Options{}, symbol).Text; !strings.Contains(text, want) || !strings.Contains(text, "forceMount") {
			t.Errorf("%s: no %q in\n%s", symbol, want, text)
		}
	}
}

func TestComponent_PropsBeforeTypes(t *testing.T) {
	p := &apidoc.Package{
		Ecosystem: "npm", Style: apidoc.Style{Name: "npm", Fence: "ts", FollowTypes: true, Nested: true, Syntax: npmSyntax}, Name: "ui", Version: "1.0.0",
		Symbols: []apidoc.Symbol{
			{
				Path: "Button", Kind: apidoc.Const, Signature: "const Button: Wrapped<ButtonProps>", Unlisted: "271 attributes of <button> from react",
				Members: []apidoc.Symbol{
					{Path: "Button.label", Kind: apidoc.Prop, Signature: "label: string", Doc: "What it says."},
					{Path: "Button.size", Kind: apidoc.Prop, Signature: `size?: "s" | "m"`, From: "base"},
					{Path: "Button.config", Kind: apidoc.Prop, Signature: "config?: Config"},
					{Path: "Button.click", Kind: apidoc.Event, Signature: "click: () => void"},
					{Path: "Button.icon", Kind: apidoc.Slot, Signature: "icon: {}"},
					{Path: "Button.Group", Kind: apidoc.Piece, Signature: "Group: typeof Group"},
				},
			},
			{Path: "Wrapped", Kind: apidoc.Interface, Signature: "interface Wrapped<P>", Members: []apidoc.Symbol{{Path: "Wrapped.render", Kind: apidoc.Method, Signature: "render(): P"}}},
			{Path: "Config", Kind: apidoc.Interface, Signature: "interface Config", Members: []apidoc.Symbol{{Path: "Config.deep", Kind: apidoc.Property, Signature: "deep: boolean"}}},
		},
	}
	text := describe(t, p, Options{}, "Button").Text
	after := 0
	for _, want := range []string{
		"Props:", "// What it says.\nlabel: string", "(from base)\nsize?:", "Events:", "click:", "Slots:", "icon:", "Parts:", "Group:",
		"Also takes: 271 attributes of <button> from react.", "Types it takes:", "deep: boolean",
	} {
		at := strings.Index(text[after:], want)
		if at < 0 {
			t.Fatalf("no %q in its place in\n%s", want, text)
		}
		after += at
	}
	if strings.Contains(text, "render()") {
		t.Errorf("the wrapper around the props is shown:\n%s", text)
	}
}

func TestComponent_LongTypesThatRepeatTheProps(t *testing.T) {
	long := "{ " + strings.Repeat("readonly name: string; ", 10) + "}"
	for _, tt := range []struct{ name, signature, want string }{
		{"the type of a constant", "const Table: Wrapped<" + long + ">", "const Table: Wrapped …"},
		{"a type without a name", "const Table: " + long, "const Table: …"},
		{"an intersection", "const Table: Wrapped<A> & " + long, "const Table: Wrapped …"},
		{"the parameter of a function", "function Table(props: " + long + ", ref: Ref<A>): Element", "function Table(props: …, ref: Ref<A>): Element"},
		{"a short type", "const Table: Wrapped<{ name: string; }>", "const Table: Wrapped<{ name: string; }>"},
	} {
		p := &apidoc.Package{
			Ecosystem: "npm", Style: apidoc.Style{Name: "npm", Fence: "ts", FollowTypes: true, Nested: true, Syntax: npmSyntax}, Name: "ui", Version: "1.0.0",
			Symbols: []apidoc.Symbol{
				{Path: "Table", Kind: apidoc.Const, Signature: tt.signature, Members: []apidoc.Symbol{{Path: "Table.name", Kind: apidoc.Prop, Signature: "name: string"}}},
				{Path: "plain", Kind: apidoc.Const, Signature: tt.signature},
			},
		}
		if text := describe(t, p, Options{}, "Table").Text; !strings.Contains(text, "\n"+tt.want+"\n") {
			t.Errorf("%s: no %q in\n%s", tt.name, tt.want, text)
		}
		if text := describe(t, p, Options{}, "plain").Text; !strings.Contains(text, tt.signature) {
			t.Errorf("%s: the type of a value that is not a component is shortened:\n%s", tt.name, text)
		}
	}
}

func TestComponent_ManyInheritedPropsComeLast(t *testing.T) {
	component := apidoc.Symbol{Path: "Box", Kind: apidoc.Const, Signature: "const Box: Wrapped<BoxProps>", Members: []apidoc.Symbol{
		{Path: "Box.label", Kind: apidoc.Prop, Signature: "label: string", Doc: "What it says."},
		{Path: "Box.size", Kind: apidoc.Prop, Signature: `size?: "s" | "m"`, From: "base"},
	}}
	for i := range 300 {
		name := fmt.Sprintf("borderInlineColor%d", i)
		component.Members = append(component.Members, apidoc.Symbol{Path: "Box." + name, Kind: apidoc.Prop, Signature: name + "?: ConditionalValue<string | number | undefined>", From: "StyleProps"})
	}
	p := &apidoc.Package{
		Ecosystem: "npm", Style: apidoc.Style{Name: "npm", Fence: "ts", FollowTypes: true, Nested: true, Syntax: npmSyntax}, Name: "ui", Version: "1.0.0",
		Symbols: []apidoc.Symbol{component},
	}
	text := describe(t, p, Options{}, "Box").Text
	for _, want := range []string{"// What it says.\nlabel: string\n", "(from base)\nsize?: \"s\" | \"m\"\n", "Inherited from StyleProps: "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%.1500s", want, text)
		}
	}
}

func TestComponent_PropsFromOneType(t *testing.T) {
	part := func(name, declared string) apidoc.Symbol {
		s := apidoc.Symbol{Path: "Dialog." + name, Kind: apidoc.Const, Signature: "const " + declared + ": FC<Props>"}
		s.Members = append(s.Members, apidoc.Symbol{Path: s.Path + ".open", Kind: apidoc.Prop, Signature: "open?: boolean"})
		for i := range 40 {
			s.Members = append(s.Members, apidoc.Symbol{Path: fmt.Sprintf("%s.style%d", s.Path, i), Kind: apidoc.Prop, Signature: fmt.Sprintf("style%d?: string", i), From: "StyleProps"})
		}
		return s
	}
	root, body := part("Root", "DialogRoot"), part("Body", "Body")
	p := &apidoc.Package{
		Ecosystem: "npm", Style: apidoc.Style{Name: "npm", Fence: "ts", FollowTypes: true, Nested: true, Syntax: npmSyntax}, Name: "ui", Version: "1.0.0",
		Symbols: []apidoc.Symbol{{Path: "Dialog", Kind: apidoc.Namespace, Signature: "namespace Dialog", Members: []apidoc.Symbol{root, body}}},
	}
	for symbol, want := range map[string][]string{
		"Dialog": {
			"Parts:", "// (exported as Dialog.Root)\nconst DialogRoot: FC<Props>\n// from StyleProps: style0, style1,", "  open?: boolean\n",
			"const Body: FC<Props>\n// from StyleProps: as above\n  open?: boolean",
		},
		"Dialog.Root": {"Props:", "open?: boolean\n// from StyleProps:\nstyle0?: string\nstyle1?: string\n"},
	} {
		text := describe(t, p, Options{}, symbol).Text
		for rest := text; len(want) > 0; want = want[1:] {
			_, after, ok := strings.Cut(rest, want[0])
			if !ok {
				t.Fatalf("%s: no %q in its place in\n%s", symbol, want[0], text)
			}
			rest = after
		}
	}
}
