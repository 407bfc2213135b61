package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestATypeThatACallTakesComesWithWhatMakesIt(t *testing.T) {
	method := func(signature string) apidoc.Symbol {
		name, _, _ := strings.Cut(strings.TrimPrefix(signature, "pub fn "), "(")
		name, _, _ = strings.Cut(name, "<")
		return apidoc.Symbol{Path: "Login::" + name, Kind: apidoc.Method, Signature: signature}
	}
	made := []string{
		"pub fn new(user: String) -> Login", "pub fn parse(text: &str) -> Result<Self, Error>", "pub fn load<P>(path: P) -> Option<Self>\nwhere\n    P: Path,",
		"pub fn with_realm(self, realm: &str) -> Self", "pub fn guest() -> Self\nwhere\n    Login: Sized,",
	}
	other := []string{"pub fn user(&self) -> &str", "pub fn copy(&self) -> Option<Self>", "pub fn again(\n    &mut self,\n    n: u8,\n) -> Result<Login, Error>", "pub fn count() -> usize", "pub fn drop(self)"}
	login := apidoc.Symbol{Path: "Login", Kind: "struct", Signature: "pub struct Login { /* private fields */ }"}
	for _, signature := range append(append([]string{}, made...), other...) {
		login.Members = append(login.Members, method(signature))
	}
	p := &apidoc.Package{Ecosystem: "rust", Style: apidoc.Style{Syntax: rustSyntax, Rules: apidoc.Rules{Self: "Self"}, Name: "Rust", Separator: "::", FollowTypes: true}, Name: "mail", Symbols: []apidoc.Symbol{
		login, {Path: "send", Kind: "function", Signature: "pub fn send(login: Login)"},
	}}
	text := describe(t, p, Options{Guide: guide}, "send").Text
	for _, signature := range made {
		if !strings.Contains(text, signature) {
			t.Errorf("no %q in\n%s", signature, text)
		}
	}
	for _, signature := range other {
		if strings.Contains(text, signature) {
			t.Errorf("%q is in\n%s", signature, text)
		}
	}
}
