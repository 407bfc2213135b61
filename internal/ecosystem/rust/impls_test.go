package rust

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestPlainImplementationsAreJoined(t *testing.T) {
	w := newWorld(t)
	w.vendor("values", "1.0.0", "", map[string]string{"src/lib.rs": `
		#[derive(Clone, Debug, PartialEq)]
		pub struct Value<T>(T);
		impl From<u8> for Value<u8> { fn from(_: u8) -> Self { loop {} } }
		impl From<bool> for Value<u8> { fn from(_: bool) -> Self { loop {} } }
		impl<T: Copy> Into<u8> for Value<T> { fn into(self) -> u8 { 0 } }
		/// With a comment.
		impl Default for Value<u8> { fn default() -> Self { loop {} } }
		impl<T> Drop for Value<T> where T: Send { fn drop(&mut self) {} }
		impl<T> Value<T> { pub fn get(&self) -> &T { &self.0 } }
	`})
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nvalues = \"1\"\n",
		"Cargo.lock": lockOf("values 1.0.0"), "src/lib.rs": "",
	})
	p, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: "values", ProjectDir: w.project}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range p.Symbols[0].Members {
		if m.From == "" {
			got = append(got, m.Path)
		}
	}
	want := []string{
		"Value::get", "Value::impl Clone, Debug, PartialEq for Value<T>", "Value::impl Default for Value<u8>", "Value::impl Drop for Value<T>",
		"Value::impl From<bool>, From<u8> for Value<u8>", "Value::impl Into<u8> for Value<T>",
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("the members are %q, want %q", got, want)
	}
}
