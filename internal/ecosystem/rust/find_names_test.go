package rust

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestFindNames checks which names may be those of items that procedural macros declare in a module of a dependency.
func TestFindNames(t *testing.T) {
	const attribute = "#[proc_macro_attribute]\npub fn packet(args: TokenStream, input: TokenStream) -> TokenStream { "
	for _, c := range []struct {
		name, macros, item, path string
		want                     bool
	}{
		{"a struct beside the item", attribute + "quote! { #input pub struct #name<'a> { data: &'a [u8] } }.into() }", "#[marks::packet] pub struct Udp;", "UdpPacket", true},
		{"a module", attribute + "quote! { #input #vis mod #name {} }.into() }", "#[marks::packet] pub struct Udp;", "udp", true},
		{"a struct in a constant", attribute + "quote! { #input const _: () = { struct Guard; impl Drop for Guard { fn drop(&mut self) {} } }; }.into() }", "#[marks::packet] pub struct Udp;", "UdpPacket", false},
		{"implementations", attribute + "quote! { #input impl Mark for #name { type Of = u8; fn mark(&self) {} } impl #name { pub fn new() -> Self { loop {} } } }.into() }", "#[marks::packet] pub struct Udp;", "UdpPacket", false},
		{"a function of an implementation", attribute + "let new = quote!(pub fn new(n: u8) -> Self { loop {} }); quote! { #input impl #name { #new } }.into() }", "#[marks::packet] pub struct Udp;", "UdpPacket", false},
		{"a function", attribute + "quote! { #input pub fn #make(n: u8) -> u8 { n } }.into() }", "#[marks::packet] pub struct Udp;", "make_udp", true},
		{"a constant", attribute + "quote! { #input pub const SIZE: u8 = 1; }.into() }", "#[marks::packet] pub struct Udp;", "SIZE", true},
		{"another derive", attribute + "quote! { #[derive(::marks::Packet, Clone)] #input }.into() }", "#[marks::packet] pub struct Udp;", "UdpPacket", true},
		{"common derives", attribute + "quote! { #[derive(Clone, Debug)] #input impl Mark for #name {} }.into() }", "#[marks::packet] pub struct Udp;", "UdpPacket", false},
		{"the call of a macro", attribute + "quote! { #input ::flags::flags! { struct #name } }.into() }", "#[marks::packet] pub struct Udp;", "UdpPacket", true},
		{"code in a string", attribute + "let _ = quote!(#input); format!(\"{input} pub struct {name}Packet {{}}\").parse().unwrap() }", "#[marks::packet] pub struct Udp;", "UdpPacket", true},
		{"a message", attribute + "if fails { panic!(\"expected a struct with fields\") } quote! { #input }.into() }", "#[marks::packet] pub struct Udp;", "UdpPacket", false},
		{"a new name for the item", attribute + "let mut other = input.clone(); other.ident = format_ident!(\"{}Packet\", name); quote! { #input #other }.into() }", "#[marks::packet] pub struct Udp;", "UdpPacket", true},
		{"code of an unknown origin", attribute + "combine(args, input) }", "#[marks::packet] pub struct Udp;", "UdpPacket", true},
		{"a name in the arguments", attribute + "quote! { #input }.into() }", "#[marks::packet(name = UdpPacket)] pub struct Udp;", "UdpPacket", true},
		{"another name in the arguments", attribute + "quote! { #input }.into() }", "#[marks::packet(name = Other)] pub struct Udp;", "UdpPacket", false},
		{"an unknown attribute", "", "#[gone::packet] pub struct Udp;", "UdpPacket", true},
		{"attributes of the compiler", "", "#[repr(C)] #[derive(Clone)] #[must_use] pub struct Udp;", "UdpPacket", false},
		{"a derive that declares a type", "#[proc_macro_derive(Packet, attributes(field))]\npub fn packet(input: TokenStream) -> TokenStream { quote! { pub enum #name { One } }.into() }", "#[derive(marks::Packet)] pub struct Udp;", "UdpPacket", true},
		{"a derive that implements a trait", "#[proc_macro_derive(Packet, attributes(field))]\npub fn packet(input: TokenStream) -> TokenStream { quote! { impl Packet for #name {} }.into() }", "#[derive(marks::Packet)] #[field(UdpPacket)] pub struct Udp;", "UdpPacket", false},
		{"an attribute of a function", attribute + "quote! { #input pub struct #name; }.into() }", "#[marks::packet] pub fn udp() {}", "Udp", true},
		{"items that a glob imports", attribute + "quote! { #input pub struct #name; }.into() }", "mod inner { #[marks::packet] pub struct Udp; } pub use inner::*;", "UdpPacket", true},
		{"items in a private module", attribute + "quote! { #input pub struct #name; }.into() }", "mod inner { #[marks::packet] pub struct Udp; }", "UdpPacket", false},
	} {
		w := deriveWorld(t, c.macros, "")
		w.vendor("shapes", "1.0.0", "[dependencies]\nmarks = \"1\"\n", map[string]string{".cargo-checksum.json": `{"files":{}}`, "src/lib.rs": "pub mod wire;\n", "src/wire.rs": c.item})
		filetest.Write(t, w.project, map[string]string{
			"Cargo.lock": "version = 3\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"shapes\"]\n[[package]]\nname = \"shapes\"\nversion = \"1.0.0\"\nsource = \"" + lockedSource + "\"\ndependencies = [\"marks\"]\n[[package]]\nname = \"marks\"\nversion = \"1.0.0\"\nsource = \"" + lockedSource + "\"\n",
			"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nshapes = \"1\"\n",
		})
		find := w.rust().FindNames(t.Context(), w.project)
		for _, name := range []string{"src/lib.rs", "snippet.rs"} {
			if got := find(&ecosystem.SourceFile{Name: name, Dir: w.project}, "shapes::wire", c.path); got != c.want {
				t.Errorf("%s, in %s: the package may have the name: %v", c.name, name, got)
			}
		}
		if find(&ecosystem.SourceFile{Name: "src/lib.rs", Dir: w.project}, "shapes", "Gone") {
			t.Errorf("%s: the root of the package may have any name", c.name)
		}
	}
}
