package git

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/filetest"
)

// hashOf returns the name of an object.
func hashOf(kind string, data []byte) Hash {
	return sha1.Sum(append(fmt.Appendf(nil, "%s %d\x00", kind, len(data)), data...))
}

// played is a repository that a test makes.
type played struct {
	t       testing.TB
	dir     string
	objects map[Hash]object
}

type object struct {
	kind string
	data []byte
}

func play(t testing.TB) *played {
	t.Helper()
	p := &played{t: t, dir: t.TempDir(), objects: map[Hash]object{}}
	p.write("HEAD", "ref: refs/heads/main\n")
	if err := os.MkdirAll(filepath.Join(p.dir, "objects", "pack"), 0o750); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *played) write(name, text string) {
	p.t.Helper()
	filetest.Write(p.t, p.dir, map[string]string{name: text})
}

func (p *played) add(kind string, data []byte) Hash {
	h := hashOf(kind, data)
	p.objects[h] = object{kind, data}
	return h
}

// entry is an entry of a tree: "40000", "100644", "120000" or "160000".
func item(mode, name string, h Hash) string { return mode + " " + name + "\x00" + string(h[:]) }

func (p *played) tree(items ...string) Hash {
	return p.add("tree", []byte(strings.Join(items, "")))
}

func (p *played) commit(tree Hash) Hash {
	return p.add("commit", []byte("tree "+tree.String()+"\nauthor A <a@host.example> 0 +0000\n\nA commit.\n"))
}

func deflate(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// loose writes all objects as files of their own.
func (p *played) loose() {
	for h, o := range p.objects {
		name := h.String()
		p.write("objects/"+name[:2]+"/"+name[2:], string(deflate(p.t, append(fmt.Appendf(nil, "%s %d\x00", o.kind, len(o.data)), o.data...))))
	}
}

// varint returns a size at the beginning of a delta.
func varint(n int) []byte {
	var b []byte
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(b, byte(n))
}

// deltaTo makes a delta that copies the whole base and adds the rest.
func deltaTo(base, data []byte) []byte {
	d := append(varint(len(base)), varint(len(data))...)
	d = append(d, 0x80|0x01|0x10|0x20, 0, byte(len(base)), byte(len(base)>>8))
	rest := data[len(base):]
	return append(append(d, byte(len(rest))), rest...)
}

func head(kind kind, size int) []byte {
	c := byte(kind)<<4 | byte(size&15)
	size >>= 4
	var b []byte
	for ; size > 0; size >>= 7 {
		b = append(b, c|0x80)
		c = byte(size & 0x7f)
	}
	return append(b, c)
}

// pack writes all objects into a pack. An object whose content begins with that
// of another is a delta: of one kind if byName is true, else of the other.
func (p *played) pack(byName bool) {
	p.t.Helper()
	hashes := make([]Hash, 0, len(p.objects))
	for h := range p.objects {
		hashes = append(hashes, h)
	}
	slices.SortFunc(hashes, func(a, b Hash) int { return len(p.objects[a].data) - len(p.objects[b].data) })
	body := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(hashes)))
	position := map[Hash]int{}
	for n, h := range hashes {
		o := p.objects[h]
		position[h] = len(body)
		base, isDelta := Hash{}, false
		for _, other := range hashes[:n] {
			if b := p.objects[other]; b.kind == o.kind && len(b.data) > 3 && len(o.data)-len(b.data) < 127 && bytes.HasPrefix(o.data, b.data) {
				base, isDelta = other, true
			}
		}
		if !isDelta {
			body = append(append(body, head(kinds[o.kind], len(o.data))...), deflate(p.t, o.data)...)
			continue
		}
		delta := deltaTo(p.objects[base].data, o.data)
		if byName {
			body = append(append(body, head(named, len(delta))...), base[:]...)
		} else {
			back := len(body) - position[base]
			distance := []byte{byte(back & 0x7f)}
			for back >>= 7; back > 0; back >>= 7 {
				back--
				distance = append([]byte{byte(back&0x7f) | 0x80}, distance...)
			}
			body = append(append(body, head(offset, len(delta))...), distance...)
		}
		body = append(body, deflate(p.t, delta)...)
	}
	sum := sha1.Sum(body)
	body = append(body, sum[:]...)
	slices.SortFunc(hashes, func(a, b Hash) int { return bytes.Compare(a[:], b[:]) })
	index := []byte("\377tOc\x00\x00\x00\x02")
	for first := range 256 {
		n := 0
		for _, h := range hashes {
			if int(h[0]) <= first {
				n++
			}
		}
		index = binary.BigEndian.AppendUint32(index, uint32(n))
	}
	for _, h := range hashes {
		index = append(index, h[:]...)
	}
	index = append(index, make([]byte, 4*len(hashes))...) // checksums, which nobody reads
	for _, h := range hashes {
		index = binary.BigEndian.AppendUint32(index, uint32(position[h]))
	}
	index = append(append(index, sum[:]...), make([]byte, 20)...)
	p.write("objects/pack/pack-x.pack", string(body))
	p.write("objects/pack/pack-x.idx", string(index))
}

// fill adds a commit with files, links and a submodule, and returns it.
func (p *played) fill() Hash {
	a := p.add("blob", []byte("let a = 1\n"))
	longer := p.add("blob", []byte("let a = 1\nlet b = 2\n"))
	longest := p.add("blob", []byte("let a = 1\nlet b = 2\nlet c = 3\n"))
	large := p.add("blob", bytes.Repeat([]byte("x"), 5000))
	link := func(to string) Hash { return p.add("blob", []byte(to)) }
	sources := p.tree(item("100644", "a.swift", a), item("120000", "around", link("..")), item("100644", "b.swift", longer), item("120000", "link.swift", link("b.swift")))
	docs := p.tree(item("100644", "\xff.md", longest), item("100644", "c.md", longest), item("120000", "up.swift", link("../Sources/link.swift")))
	root := p.tree(
		item("120000", "Code", link("Sources")), item("40000", "Docs", docs), item("100755", "Package.swift", large), item("40000", "Sources", sources),
		item("120000", "absolute", link("/etc/passwd")), item("120000", "circle", link("circle")), item("120000", "outside", link("../../x")), item("120000", "rooted", link("/Sources/a.swift")), item("160000", "submodule", a))
	return p.commit(root)
}

func TestFilesOfACommit(t *testing.T) {
	for name, store := range map[string]func(*played){
		"loose objects": (*played).loose, "a pack": func(p *played) { p.pack(false) }, "a pack with deltas by name": func(p *played) { p.pack(true) },
	} {
		t.Run(name, func(t *testing.T) {
			p := play(t)
			commit := p.fill()
			tagged := p.add("tag", []byte("object "+commit.String()+"\ntype commit\ntag 1.0.0\n\nA tag.\n"))
			store(p)
			p.write("packed-refs", "# pack-refs with: peeled fully-peeled sorted\n"+strings.Repeat("0", 40)+" refs/heads/main\n"+tagged.String()+" refs/tags/1.0.0\n^"+commit.String()+"\n")
			p.write("refs/tags/v2.0.0", tagged.String()+"\n")
			p.write("refs/heads/main", commit.String()+"\n")
			p.write("refs/heads/feature/x", commit.String()+"\n")
			r, err := Open(p.dir)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			files, err := r.Files(tagged)
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]string{
				"Sources/a.swift": "let a = 1\n", "Sources/b.swift": "let a = 1\nlet b = 2\n", "Docs/c.md": "let a = 1\nlet b = 2\nlet c = 3\n",
				"Sources/link.swift": "let a = 1\nlet b = 2\n", "Code/a.swift": "let a = 1\n", "Docs/up.swift": "let a = 1\nlet b = 2\n", "Package.swift": strings.Repeat("x", 5000),
			} {
				got, err := fs.ReadFile(files, name)
				if err != nil || string(got) != want {
					t.Errorf("%s: %q, %v", name, got, err)
				}
				if info, err := fs.Stat(files, name); err != nil || info.Size() != int64(len(want)) || info.IsDir() {
					t.Errorf("%s: %v, %v", name, info, err)
				}
			}
			for _, name := range []string{"absolute", "circle", "outside", "rooted", "submodule", "Sources/around", "Sources/a.swift/x", "none/x", "../x"} {
				if _, err := files.Stat(name); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
					t.Errorf("%s: %v", name, err)
				}
			}
			if err := fstest.TestFS(files, "Sources/a.swift", "Docs/c.md"); err != nil {
				t.Error(err)
			}
			refs, err := r.Refs()
			if err != nil || len(refs) != 4 || slices.ContainsFunc(refs, func(ref Ref) bool { return ref.Commit != commit }) {
				t.Errorf("%v, %v", refs, err)
			}
			if h, err := r.Head(); err != nil || h != commit {
				t.Errorf("HEAD is %v, %v", h, err)
			}
			if _, err := r.Files(Hash{1}); !errors.Is(err, errMissing) {
				t.Errorf("a commit that is not there: %v", err)
			}
		})
	}
}

func TestObjectsOfAnotherRepository(t *testing.T) {
	p, borrower := play(t), play(t)
	commit := p.fill()
	p.pack(false)
	borrower.write("objects/info/alternates", filepath.Join(p.dir, "objects")+"\n")
	r, err := Open(borrower.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if files, err := r.Files(commit); err != nil || !fs.ValidPath("x") || files == nil {
		t.Errorf("%v", err)
	}
}

func TestDamagedRepositories(t *testing.T) {
	commit := func(p *played) Hash { return p.commit(p.tree(item("100644", "a", p.add("blob", []byte("a"))))) }
	for name, spoil := range map[string]func(p *played) Hash{
		"an index that is cut": func(p *played) Hash {
			h := commit(p)
			p.pack(false)
			p.write("objects/pack/pack-x.idx", "\377tOc")
			return h
		},
		"a pack that is another file": func(p *played) Hash {
			h := commit(p)
			p.pack(false)
			p.write("objects/pack/pack-x.pack", "x")
			return h
		},
		"an object that is not packed": func(p *played) Hash {
			h := commit(p)
			p.write("objects/"+h.String()[:2]+"/"+h.String()[2:], "x")
			return h
		},
		"a commit without a tree": func(p *played) Hash { h := p.add("commit", []byte("x")); p.loose(); return h },
		"a tree that is cut":      func(p *played) Hash { h := p.commit(p.add("tree", []byte("100644 a\x00xx"))); p.loose(); return h },
		"a name that leads out":   func(p *played) Hash { h := p.commit(p.tree(item("100644", "..", Hash{}))); p.loose(); return h },
		"a name with a slash":     func(p *played) Hash { h := p.commit(p.tree(item("100644", "a/../b", Hash{}))); p.loose(); return h },
		"tags that lead in a circle": func(p *played) Hash {
			h := hashOf("tag", nil)
			p.write("objects/"+h.String()[:2]+"/"+h.String()[2:], string(deflate(p.t, []byte("tag 49\x00object "+h.String()+"\n\n"))))
			return h
		},
		"an object that grows": func(p *played) Hash {
			h := Hash{7}
			p.write("objects/"+h.String()[:2]+"/"+h.String()[2:], string(deflate(p.t, append([]byte("commit 10\x00"), make([]byte, 1<<20)...))))
			return h
		},
	} {
		p := play(t)
		h := spoil(p)
		r, err := Open(p.dir)
		if err == nil {
			_, err = r.Files(h)
			r.Close()
		}
		if !errors.Is(err, errDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty directory: %v", err)
	}
}

func TestGitAgrees(t *testing.T) {
	program, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed, with which this test compares the reader; to run it, install git")
	}
	dir := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		c := exec.CommandContext(t.Context(), program, append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@host.example"}, args...)...)
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("init", "-q", "-b", "main")
	want := ""
	for n := range 20 {
		want += strings.Repeat(fmt.Sprintf("let line%d = %d\n", n, n), 40)
		filetest.Write(t, dir, map[string]string{"a.swift": want})
		run("add", "a.swift")
		run("commit", "-q", "-m", "c")
		run("tag", "-a", "-m", "t", fmt.Sprintf("1.%d.0", n))
	}
	run("gc", "-q", "--aggressive")
	run("commit", "-q", "--allow-empty", "-m", "a loose object")
	run("checkout", "-q", "-b", "side", "HEAD~2")
	run("commit", "-q", "--allow-empty", "-m", "another branch")
	run("checkout", "-q", "main")
	run("merge", "-q", "-m", "a merge", "side")
	run("remote", "add", "origin", ".")
	run("fetch", "-q", "origin")
	run("remote", "set-head", "origin", "main")
	run("branch", "-q", "-u", "origin/side")
	run("branch", "-q", "-u", "main", "side")
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	refs, err := r.Refs()
	if err != nil || len(refs) != 24 {
		t.Fatalf("%d branches and tags, %v", len(refs), err)
	}
	for _, ref := range refs {
		files, err := r.Files(ref.Commit)
		if err != nil {
			t.Fatal(err)
		}
		got, err := files.ReadFile("a.swift")
		if err != nil || strings.TrimSpace(string(got)) != run("show", ref.Name+":a.swift") {
			t.Errorf("%s: %v", ref.Name, err)
		}
	}
	for _, revision := range []string{"HEAD~1", "HEAD^^", "main~3^", "1.7.0~2", run("rev-parse", "--short", "HEAD"), run("rev-parse", "--short=6", "1.3.0^") + "~1",
		"@", "@~1", "HEAD^0", "HEAD^2", "HEAD^1~1", "HEAD^2^", "HEAD~", "HEAD^{}", "1.3.0^{}", "1.3.0^{commit}^", "@{u}", "@{upstream}~1", "main@{U}", "side@{u}", "HEAD@{u}", "origin", "origin/side"} {
		want := run("rev-parse", revision+"^{commit}")
		if got, err := r.Resolve(revision); err != nil || got.String() != want {
			t.Errorf("%s is %s, %v; want %s", revision, got, err, want)
		}
	}
	for _, revision := range []string{"HEAD~400", "HEAD~x", "HEAD^3", "HEAD^00x", "HEAD^{tree}", "HEAD~~x", "main..side", "main...side", "1.3.0@{u}", "\u023a\u023a\u023a\u023a\u023a\u023a@{u}", "..", "00", "~1", "", run("rev-parse", "--short", "HEAD^{tree}")} {
		if got, err := r.Resolve(revision); err == nil {
			t.Errorf("%q is %s", revision, got)
		}
	}
}

func TestConfig(t *testing.T) {
	got := parseConfig("lost = 1\n[Core]\n\tBare = false # no\n[branch \"a.b \\\"c\\\"\"] remote = origin\r\n  merge = \"refs/heads/a;b\" ; comment\n# x = 1\n; y = 1\n[a]b\n[unclosed \"x\n z = 1\n[old.Name]\nlong = one\\\ntwo\n")
	want := map[string]string{"core.bare": "false", `branch.a.b "c".remote`: "origin", `branch.a.b "c".merge`: "refs/heads/a;b", "a.b": "", "old.name.long": "onetwo"}
	if !maps.Equal(got, want) {
		t.Errorf("the variables are %q, want %q", got, want)
	}
}

func TestUnsupportedFormats(t *testing.T) {
	for config, want := range map[string]string{
		"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n": "sha256 hashes",
		"[extensions]\n\trefStorage = reftable\n":                                        "the format reftable",
	} {
		p := play(t)
		p.write("config", config)
		if _, err := Open(p.dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", config, err)
		}
	}
}

func TestShallowClones(t *testing.T) {
	p := play(t)
	p.write("shallow", "")
	r, err := Open(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Files(Hash{1}); !errors.Is(err, errMissing) || !strings.Contains(err.Error(), "git fetch --unshallow") {
		t.Error(err)
	}
}

const (
	first  = "0123456789012345678901234567890123456789"
	second = "abcdefabcdefabcdefabcdefabcdefabcdefabcd"
)

func packet(s string) string { return fmt.Sprintf("%04x%s", len(s)+4, s) }

func TestWhatAServerAdvertises(t *testing.T) {
	service := packet("# service=git-upload-pack\n") + "0000"
	lines := packet(first+" HEAD\x00multi_ack symref=HEAD:refs/heads/main agent=x\n") + packet(first+" refs/heads/main\n") + packet(second+" refs/tags/1.0.0\n") + packet(first+" refs/tags/1.0.0^{}\n") + "0000"
	for name, body := range map[string]string{"protocol 0": service + lines, "protocol 1": service + packet("version 1\n") + lines} {
		a, err := ParseAdvertisement([]byte(body))
		if err != nil || a.Head != "refs/heads/main" || len(a.Refs) != 3 {
			t.Fatalf("%s: %+v, %v", name, a, err)
		}
		for _, name := range []string{"1.0.0", "main", "refs/tags/1.0.0"} {
			if ref, ok := a.Find(name); !ok || ref.Commit.String() != first {
				t.Errorf("%s: %v %v", name, ref, ok)
			}
		}
	}
	if a, err := ParseAdvertisement([]byte(service + packet("version 2\n") + packet("ls-refs\n") + "0000")); err != nil || a.Protocol != 2 {
		t.Errorf("protocol 2: %+v, %v", a, err)
	}
	if a, err := ParseAdvertisement([]byte(service + packet(strings.Repeat("0", 40)+" capabilities^{}\x00x\n") + "0000")); err != nil || len(a.Refs) != 0 {
		t.Errorf("an empty repository: %+v, %v", a, err)
	}
	for name, body := range map[string]string{
		"nothing": "", "HTML": "<!DOCTYPE html><html>", "cut": service + lines[:30], "a service alone": service, "no hash": service + packet("x refs/heads/main\n"),
		"a length that is too long": "ffff" + first, "an error": service + packet("ERR access denied\n"),
	} {
		if a, err := ParseAdvertisement([]byte(body)); err == nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

func FuzzAdvertisement(f *testing.F) {
	f.Add([]byte(packet("# service=git-upload-pack\n") + "0000" + packet(first+" HEAD\x00symref=HEAD:refs/heads/main\n") + packet(second+" refs/tags/v1^{}\n") + "0000"))
	f.Add([]byte("0000000e version 2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ParseAdvertisement(data)
		if err == nil && len(a.Refs) > len(data) {
			t.Fatal(len(a.Refs))
		}
	})
}

func FuzzConfig(f *testing.F) {
	f.Add("[branch \"a\\\"b\"]\n\tmerge = \"x # y\" ; z\n[core] bare\n")
	f.Fuzz(func(t *testing.T, text string) {
		for name := range parseConfig(text) {
			if !strings.Contains(name, ".") {
				t.Fatalf("%q has no section", name)
			}
		}
	})
}

func FuzzDelta(f *testing.F) {
	f.Add([]byte("let a = 1\n"), deltaTo([]byte("let a = 1\n"), []byte("let a = 1\nmore")))
	f.Add([]byte{}, []byte{0, 0x7f, 0xff})
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		out, err := applyDelta(base, delta)
		if size, _, ok := deltaSize(delta); err == nil && (!ok || size != int64(len(base))) {
			t.Fatalf("%d bytes of a delta for %d", len(out), size)
		}
	})
}

func FuzzObjects(f *testing.F) {
	f.Add([]byte("100644 a.swift\x00" + strings.Repeat("x", 20)))
	f.Add([]byte("40000 ..\x00" + strings.Repeat("x", 20)))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parseTree(nil, data)
		for _, e := range entries {
			if err != nil || !fs.ValidPath(e.name) || strings.Contains(e.name, "/") {
				t.Fatalf("%q, %v", e.name, err)
			}
		}
		_, _, _ = readLoose(bytes.NewReader(data))
	})
}

func FuzzPack(f *testing.F) {
	p := play(f)
	commit := p.fill()
	p.pack(false)
	data := filetest.Read(f, filepath.Join(p.dir, "objects", "pack", "pack-x.pack"))
	index := filetest.Read(f, filepath.Join(p.dir, "objects", "pack", "pack-x.idx"))
	f.Add(index, data, hex.EncodeToString(commit[:]))
	f.Fuzz(func(t *testing.T, index, data []byte, name string) {
		dir := t.TempDir()
		pack := filepath.Join(dir, "objects", "pack")
		if err := os.MkdirAll(pack, 0o750); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(filepath.Join(pack, "p.idx"), index, 0o600), os.WriteFile(filepath.Join(pack, "p.pack"), data, 0o600)); err != nil {
			t.Fatal(err)
		}
		r, err := Open(dir)
		if err != nil {
			return
		}
		defer r.Close()
		h, _ := ParseHash(name)
		files, err := r.Files(h)
		if err != nil {
			return
		}
		n := 0
		_ = fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
			if n++; n > 1000 {
				return fs.SkipAll
			}
			if err == nil && !d.IsDir() {
				_, _ = files.ReadFile(path)
			}
			return nil
		})
	})
}

func TestResolve(t *testing.T) {
	p := play(t)
	first := p.commit(p.tree())
	second := p.commit(p.tree(item("100644", "a.txt", p.add("blob", []byte("a")))))
	p.loose()
	p.write("refs/heads/main", second.String()+"\n")
	p.write("refs/heads/topic/x", first.String()+"\n")
	p.write("refs/tags/v1", first.String()+"\n")
	p.write("HEAD", "ref: refs/heads/main\n")
	tree := t.TempDir() // This is a separate work tree, on the branch topic/x.
	admin := filepath.Join(p.dir, "worktrees", "w")
	if err := errors.Join(os.MkdirAll(admin, 0o700), os.WriteFile(filepath.Join(admin, "HEAD"), []byte("ref: refs/heads/topic/x\n"), 0o600),
		os.WriteFile(filepath.Join(admin, "commondir"), []byte("../..\n"), 0o600), os.WriteFile(filepath.Join(tree, ".git"), []byte("gitdir: "+admin+"\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		dir, revision string
		want          Hash
	}{
		{p.dir, "HEAD", second}, {p.dir, "main", second}, {p.dir, "topic/x", first}, {p.dir, "v1", first}, {p.dir, "heads/main", second}, {p.dir, first.String(), first}, {p.dir, first.String()[:8], first},
		{tree, "HEAD", first}, {tree, "main", second},
	} {
		r, err := Open(tt.dir)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.Resolve(tt.revision); got != tt.want || err != nil {
			t.Errorf("%s is %s, %v; want %s", tt.revision, got, err, tt.want)
		}
		if _, err := r.Resolve("gone"); !errors.Is(err, errMissing) {
			t.Errorf("a branch that does not exist gives %v", err)
		}
		r.Close()
	}
	filetest.Write(t, tree, map[string]string{".git": "gitdir: nowhere\n"})
	if _, err := Open(tree); err == nil {
		t.Error("a work tree without its repository opens")
	}
}
