package modules

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestComponent_AngularDeclarations(t *testing.T) {
	const src = `import * as i0 from "@angular/core";
declare class Base {
    disabled: boolean;
    static ɵdir: i0.ɵɵDirectiveDeclaration<Base, never, never, { "disabled": { "alias": "disabled"; "required": false; }; }, {}, never, never, true, never>;
}
/**
 * Picks a date.
 *
 * More about it.
 */
export declare class Picker extends Base {
    value: Date;
    get look(): 's' | 'm';
    set look(value: 's' | 'm' | '');
    readonly count: i0.InputSignal<number>;
    readonly shown: i0.InputSignalWithTransform<boolean, string | boolean>;
    readonly rounded: i0.InputSignalWithTransform<boolean, unknown>;
    readonly changed: i0.EventEmitter<Date>;
    closed: i0.OutputEmitterRef<void>;
    static ngAcceptInputType_disabled: unknown;
    static ɵfac: i0.ɵɵFactoryDeclaration<Picker, never>;
    static ɵcmp: i0.ɵɵComponentDeclaration<Picker, "    date-picker,   [datePicker]  ", ["picker"], { "value": { "alias": "value"; "required": true; }; "look": { "alias": "pickerLook"; "required": false; }; "count": { "alias": "count"; "required": false; "isSignal": true; }; "shown": { "alias": "shown"; "required": false; "isSignal": true; }; "rounded": { "alias": "rounded"; "required": true; "isSignal": true; }; }, { "changed": "dateChange"; "closed": "closed"; }, never, ["*", "[footer]"], true, never>;
}
export declare class Marker { static ɵdir: i0.ɵɵDirectiveDeclaration<Marker, "[mark]", never, { "size": "markSize"; }, {}, never, never, false, never>; }
export declare class Plain { static ɵprov: i0.ɵɵInjectableDeclaration<Plain>; }
`
	r, err := Open(t.Context(), newWorld(map[string]string{"package.json": `{"types":"index.d.ts"}`, "index.d.ts": src})["pkg"], newWorld(nil).open)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Read(".")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct{ doc, members string }{
		"Picker": {"Picks a date.\n\nAngular component; selector `date-picker, [datePicker]`; exported as `picker`.\n" +
			"\nInputs:\n- `value` (required): `Date`\n- `rounded` (required): `boolean`\n- `pickerLook` (the member `look`): `'s' | 'm' | ''`\n- `count`: `number`\n- `shown`: `string | boolean`\n- `disabled`: `boolean`\n\n" +
			"Outputs:\n- `dateChange` (the member `changed`): `Date`\n- `closed`: `void`\n\nContent slots: `*`, `[footer]`.\n\nMore about it.", "value look count shown rounded changed closed disabled"},
		"Marker": {"Angular directive; selector `[mark]`.\n\nInputs:\n- `markSize` (the member `size`)", ""},
		"Plain":  {"", "ɵprov"},
	} {
		s := p.At(name)
		if s == nil {
			t.Fatalf("%s is not documented", name)
		}
		if s.Doc != want.doc {
			t.Errorf("%s:\n%s\nwant:\n%s", name, s.Doc, want.doc)
		}
		if got := memberNames(s); got != want.members {
			t.Errorf("%s has the members %s, want %s", name, got, want.members)
		}
	}
}

// memberNames returns the names of a symbol's members, separated by spaces.
func memberNames(s *apidoc.Symbol) string {
	var names []string
	for i := range s.Members {
		names = append(names, s.Members[i].Name())
	}
	return strings.Join(names, " ")
}
