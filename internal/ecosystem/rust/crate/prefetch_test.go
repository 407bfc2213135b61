package crate

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/rootfs"
	"github.com/docent-mcp/docent/internal/work"
)

// onDisk returns a crate with many modules in a directory.
func onDisk(t *testing.T) *Source {
	t.Helper()
	files := map[string]string{}
	lib := "#[cfg(none)]\npub mod absent;\npub mod missing;\n"
	for i := range 40 {
		name := fmt.Sprintf("m%d", i)
		lib += "/// Module.\npub mod " + name + ";\npub use " + name + "::T" + name + ";\n"
		files["src/"+name+".rs"] = "//! About " + name + ".\npub mod inner;\npub struct T" + name + ";\nimpl inner::I { pub fn f" + name + "(&self) {} }"
		files["src/"+name+"/inner.rs"] = "pub struct I;\nmacro_rules! own { () => { pub struct FromMacro; } }\nown!();\nimpl super::T" + name + " { /** It is far away. */ pub fn inner(&self) -> I { I } }"
	}
	files["src/lib.rs"] = lib
	src := sourceOf("src/lib.rs", "")
	src.Dir = filetest.Dir(t, files)
	src.FS = rootfs.New(src.Dir)
	return src
}

// TestPrefetch_SameDocumentation compares the documentation of a crate whose files are read
// concurrently with that of the crate if they are read one after the other.
func TestPrefetch_SameDocumentation(t *testing.T) {
	src := onDisk(t)
	document := func(processors int) any {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		p, err := Read(t.Context(), src, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s := find(t, p, "Tm7"); len(s.Members) != 1 || s.Members[0].Doc != "It is far away." {
			t.Errorf("the members are %+v", s.Members)
		}
		return p
	}
	one := document(1)
	for range 5 {
		if many := document(4); !reflect.DeepEqual(one, many) {
			t.Fatalf("on one processor: %+v\n\non four: %+v", one, many)
		}
	}
}

func TestPrefetch(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	src := onDisk(t)
	w := newWorld(t.Context(), nil)
	k := &krate{w: w, src: src, existing: map[string]bool{}}
	p := newPrefetch(k)
	if p == nil {
		t.Fatal("files are not read ahead")
	}
	p.request([]string{"src/m1.rs", "src/m2.rs", "src/none.rs"})
	p.group.Wait()
	if f := p.take("src/m1.rs"); f == nil || len(f.file.Items) != 3 || f.file.Items[0].Kind != source.Module || f.info.Size() != int64(f.size) {
		t.Errorf("src/m1.rs is %+v", f)
	}
	for _, name := range []string{"src/m1.rs", "src/none.rs", "src/m3.rs"} {
		if f := p.take(name); f != nil {
			t.Errorf("%s is read ahead once more: %+v", name, f)
		}
	}
	if p.take("src/m2.rs"); p.ahead != 0 {
		t.Errorf("%d bytes are still ahead", p.ahead)
	}
	p.ahead = maxAhead
	p.request([]string{"src/m4.rs"})
	if p.readers != 0 || p.take("src/m4.rs") != nil {
		t.Error("more than maxAhead is read")
	}
	p.stop()

	src.Dir = ""
	if newPrefetch(k) != nil {
		t.Error("files in an archive are read concurrently")
	}
}

func TestPrefetch_PanicOfTheParser(t *testing.T) {
	p := &prefetch{
		files: fstest.MapFS{"a.rs": {Data: []byte("fn a() {}")}}, limit: 1, parsed: map[string]*prefetchedFile{},
		parse: func(*work.Meter, string) *source.File { panic("a fault of the parser") },
	}
	p.request([]string{"a.rs"})
	p.group.Wait()
	if f := p.take("a.rs"); f != nil {
		t.Errorf("take returns %+v, want nil: the caller reads the file", f)
	}
}
