package macros

import "testing"

func TestJoin(t *testing.T) {
	for text, want := range map[string]string{
		`fn [<on_ red>](self) -> Color { Color::[<red:camel>] }`: `fn on_red(self) -> Color { Color::Red }`,
		`[ < a b > ]`: `ab`,
		`[<light_red:camel>] [<HTTPServer:camel _ x:upper>]`:  `LightRed Httpserver_X`,
		`[<AbcDef:snake>] [<Abc:lower 2>] [<r#type _ "a-b">]`: `abc_def abc2 type_a_b`,
		`[<abc:upper:lower>]`:                                 `abc`,
		`struct [<A B>]<T>([<T as C>::D; 3]);`:                `struct AB<T>([<T as C>::D; 3]);`,
		`#[doc = "a"] fn a() { [1, 2][0] } // [<`:             `#[doc = "a"] fn a() { [1, 2][0] } // [<`,
		`[<`:          `[<`,
		`[<a b`:       `[<a b`,
		`[<>]`:        ``,
		`[<1 a>]`:     ``,
		`[<a:other>]`: ``,
		`[<a b.c>]`:   ``,
		`[<a:>]`:      ``,
		`[<"\n" a>]`:  ``,
		`[<a - b>]`:   ``,
	} {
		if got, err := Join(text); got != want || (err != nil) != (want == "") {
			t.Errorf("%s is %q, error %v; want %q", text, got, err, want)
		}
	}
}

func FuzzJoin(f *testing.F) {
	f.Add(`fn [<on_ red>](self) { Color::[<red:camel>] }`)
	f.Add(`[<r#type "a-b" 2 _:upper:snake>] [<T as A>::B]`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<13 {
			return
		}
		if out, err := Join(text); err == nil && len(out) > 3*len(text) {
			t.Errorf("%d bytes are written", len(out))
		}
	})
}
