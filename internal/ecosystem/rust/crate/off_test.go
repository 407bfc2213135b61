package crate

import (
	"slices"
	"testing"
)

// TestWhatIsOffIsDocumentedByItsPublicPaths reads a module, its re-exports and the
// items that macros in it declare, all of which depend on a feature that is off.
func TestWhatIsOffIsDocumentedByItsPublicPaths(t *testing.T) {
	src := sourceOf("src/lib.rs", `
		#[macro_use] mod macros;
		pub mod net;
		#[cfg(feature = "sync")] pub mod sync { pub struct Mutex; }
		#[cfg(feature = "sync")] pub mod task { pub fn other() {} }
		#[cfg(not(feature = "sync"))] pub mod task { pub fn spawn() {} }`,
		"src/macros.rs", `
		macro_rules! cfg_net { ($($item:item)*) => { $( #[cfg(feature = "net")] $item )* } }`,
		"src/net.rs", `
		cfg_net! {
			pub mod tcp;
			pub use tcp::stream::TcpStream;
			pub use tcp::Listener;
			mod udp;
			pub use udp::UdpSocket;
		}`,
		"src/net/tcp.rs", `
		pub(crate) mod stream;
		cfg_net! { pub struct Listener; }`,
		"src/net/tcp/stream.rs", `cfg_net! { pub struct TcpStream { fd: u8 } }`,
		"src/net/udp.rs", `pub struct UdpSocket;`)
	src.Declared = []string{"net", "sync"}

	index, err := index(t, src, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(index.Symbols), "made made::net made::net::tcp made::sync made::task"; got != want {
		t.Errorf("the index has %s, want %s", got, want)
	}
	if got, want := names(index.Symbols[3].Members), "Mutex"; got != want {
		t.Errorf("the index has %s of a module that is off, want %s", got, want)
	}
	if got, want := names(index.Symbols[4].Members), "spawn"; got != want {
		t.Errorf("the index has %s of a module that has two declarations, want %s", got, want)
	}

	root := read(t, src)
	if got, want := names(root.Elsewhere), "sync"; got != want {
		t.Errorf("off are %s, want %s", got, want)
	}
	src.Module = "net"
	p := read(t, src)
	got := []string{}
	for _, s := range p.Elsewhere {
		if s.Constraint != `feature = "net" (off)` {
			t.Errorf("%s needs %q", s.Path, s.Constraint)
		}
		got = append(got, s.Path)
	}
	if slices.Sort(got); !slices.Equal(got, []string{"Listener", "TcpStream", "UdpSocket", "tcp"}) {
		t.Errorf("off are %q", got)
	}
	if len(p.Warnings) > 0 {
		t.Errorf("warnings %q", p.Warnings)
	}
}
