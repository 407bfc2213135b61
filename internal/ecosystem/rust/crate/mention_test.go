package crate

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/naming"
)

func TestTypesOfOtherModulesComeWithFunctions(t *testing.T) {
	src := sourceOf("src/lib.rs", `
pub mod net {
    use crate::io::{Interest, ReadBuf as Buffer};
    use std::net::SocketAddr;
    pub struct Stream;
    impl Stream {
        pub fn ready(&self, interest: Interest, buf: &mut Buffer<'_>, other: Stream) {}
        pub fn bind(&self, addr: SocketAddr) {}
        pub fn unix(&self) -> crate::io::SocketAddr { loop {} }
        pub fn on<Interest>(&self, interest: Interest) {}
    }
    #[doc(hidden)] pub fn unseen(a: crate::io::Unused) {}
    pub fn private(a: crate::hidden::Secret) {}
}
pub mod io {
    /// What to wait for.
    pub struct Interest(u8);
    impl Interest {
        pub fn new() -> Self { Interest(0) }
        #[cfg(windows)] pub fn of_windows() -> Self { Interest(1) }
    }
    impl Clone for Interest { fn clone(&self) -> Self { Interest(0) } }
    pub struct ReadBuf<'a>(&'a u8);
    pub struct SocketAddr;
    pub struct Unused;
}
mod hidden { pub struct Secret; }
`)
	src.Module = "net"
	p := read(t, src)
	if got := names(p.Internal); got != "made::io::Interest made::io::ReadBuf made::io::SocketAddr" {
		t.Errorf("documented with the module are %s", got)
	}
	interest := &p.Internal[0]
	if interest.Doc != "`made::io::Interest`: What to wait for." || names(interest.Members) != "made::io::Interest::new" {
		t.Errorf("Interest has the comment %q and the members %s", interest.Doc, names(interest.Members))
	}
	for path, want := range map[string][]apidoc.Ref{
		"Stream::ready": {{Name: "Interest", Path: "made::io::Interest"}, {Name: "Buffer", Path: "made::io::ReadBuf"}},
		"Stream::bind":  {{Name: "SocketAddr", Package: "std::net", Path: "SocketAddr"}},
		"Stream::unix":  {{Name: "crate::io::SocketAddr", Path: "made::io::SocketAddr"}, {Name: "SocketAddr", Path: "made::io::SocketAddr"}},
		"Stream::on":    {{Name: "Interest"}},
		"private":       nil,
	} {
		s := find(t, p, path)
		if !slices.Equal(s.Refs, want) {
			t.Errorf("the names of %s mean %q, want %q", s.Signature, s.Refs, want)
		}
	}
}

// TestVeiledReexports reads a prelude whose documentation omits its re-exports.
func TestVeiledReexports(t *testing.T) {
	src := sourceOf("src/lib.rs", `
pub mod prelude {
    #[doc(hidden)] pub use crate::app::{App, Start as Begin, run, Secret};
    #[doc(hidden)] pub use std::fmt::Display;
}
pub mod app {
    pub struct App;
    pub trait Start {}
    pub fn run() {}
    #[doc(hidden)] pub struct Secret;
}`)
	src.Module = "prelude"
	p := read(t, src)
	want := []apidoc.Ref{
		{Name: "App", Package: "made::app", Path: "App"}, {Name: "Begin", Package: "made::app", Path: "Start"}, {Name: "run", Package: "made::app", Path: "run"},
		{Name: "Display", Package: "std::fmt", Path: "Display"},
	}
	if len(p.Symbols) > 0 || !slices.Equal(p.Imports, want) {
		t.Errorf("the module has the symbols %s and the imports %q, want none and %q", names(p.Symbols), p.Imports, want)
	}
	if !strings.Contains(strings.Join(p.Options, " "), "4 names that its documentation does not list: App, Begin, run, Display.") {
		t.Errorf("the notes are %q", p.Options)
	}
}

// TestAliasesComeWithWhatTheyStandFor reads a function that returns an alias. Its error
// type must be documented even though another type has the same name.
func TestAliasesComeWithWhatTheyStandFor(t *testing.T) {
	src := sourceOf("src/lib.rs", `
pub mod fs { pub fn read(of: crate::error::Error) -> crate::io::Result<u8> {} }
pub mod io {
    pub struct Error;
    impl Error { pub fn kind(&self) -> Kind {} }
    pub struct Kind;
    pub type Result<T> = std::result::Result<T, Error>;
}
pub mod error { pub struct Error; }
`)
	src.Module = "fs"
	p := read(t, src)
	if got := names(p.Internal); got != "made::error::Error made::io::Result made::io::Error" {
		t.Fatalf("documented with the module are %s", got)
	}
	if !slices.Contains(p.Imports, apidoc.Ref{Name: "std::result::Result", Package: "std::result", Path: "Result"}) {
		t.Errorf("the names of other modules are %q", p.Imports)
	}
	want := []apidoc.Ref{{Name: "Result", Package: "std::result", Path: "Result"}, {Name: "Error", Path: "made::io::Error"}}
	if got := p.Internal[1].Refs; !slices.Equal(got, want) {
		t.Errorf("the names of %s mean %q, want %q", p.Internal[1].Signature, got, want)
	}
}

// Functions such as nom::number::complete::u8 have the names of primitive types.
func TestMention_FunctionsNamedAsPrimitiveTypes(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `
pub fn u8(input: &[u8]) -> u16 { 0 }
pub mod char {}
pub fn letters(n: u8, c: char) {}
`))
	p.Style = apidoc.Style{Separator: "::", Syntax: signature.Syntax{}}
	resolver := naming.NewResolver(p)
	for path, want := range map[string]string{"u8": "u8 builtin, u16 builtin", "letters": "u8 builtin, char builtin"} {
		d := resolver.Decl(find(t, p, path))
		var got []string
		for i := range d.References(-1) {
			text := d.PartText(i) + " " + d.Parts[i].Flags.String()
			if target := d.Parts[i].Target; target != nil {
				text += " " + target.Path
			}
			got = append(got, text)
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("the names in %s are %s, want %s", path, s, want)
		}
	}
}
