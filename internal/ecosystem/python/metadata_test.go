package python

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// addMetadata adds METADATA next to a wheel in an index (PEP 658).
func (s *server) addMetadata(file, text string) {
	sum := sha256.Sum256([]byte(text))
	s.files[file+".metadata"] = []byte(text)
	if s.fields[file] == nil {
		s.fields[file] = map[string]string{}
	}
	s.fields[file]["core-metadata"] = "sha256=" + hex.EncodeToString(sum[:])
}

func TestMetadataIsReadBeforeTheWheel(t *testing.T) {
	const file = "till-2.5-py3-none-any.whl"
	newer := strings.Replace(metadataOf("till", "2.5"), "Summary:", "Requires-Python: >=3.12\nSummary:", 1)
	for _, tt := range []struct {
		name string
		edit func(*server)
		want string // version, or words in the error
		read bool   // the wheel of version 2.5
	}{
		{"it says that Python is too old", func(s *server) { s.addMetadata(file, newer) }, "2.0", false},
		{"it says that Python will do", func(s *server) { s.addMetadata(file, metadataOf("till", "2.5")) }, "2.5", true},
		{"it speaks of another version", func(s *server) { s.addMetadata(file, metadataOf("till", "9.9")) }, file + ".metadata claims to be till 9.9", false},
		{"it is not what its hash says", func(s *server) {
			s.addMetadata(file, metadataOf("till", "2.5"))
			s.files[file+".metadata"] = []byte(newer)
		}, file + ".metadata does not match the sha256 that the index gives", false},
		{"it is not there", func(s *server) { s.addMetadata(file, newer); delete(s.files, file+".metadata") }, "2.5", true},
		{"the index says which Python itself", func(s *server) {
			s.addMetadata(file, newer)
			s.fields[file]["requires-python"] = ">=3.8"
		}, "2.5", true},
	} {
		for _, html := range []bool{false, true} {
			s := shop(t)
			s.html = html
			s.add(file, wheel(t, "till", "2.5", files{"till/__init__.py": module}))
			tt.edit(s)
			w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
			w.venv(filepath.Join(w.project, ".venv"), nil)
			if got := w.refusedOr(w.query("till")); !strings.Contains(got, tt.want) {
				t.Errorf("%s: %s", tt.name, got)
			}
			if read := slices.Contains(s.requests(), "/files/"+file); read != tt.read {
				t.Errorf("%s: asked for %q", tt.name, s.requests())
			}
		}
	}
}

func TestMetadataOfAWheelInPartsIsVerified(t *testing.T) {
	const name = "giant-1.0-cp311-cp311-manylinux_2_17_x86_64.whl"
	s := newServer(t)
	s.add(name, storedZip(t, wheel(t, "giant", "1.0", files{"giant/__init__.py": module, "giant/lib.so": strings.Repeat("library", 200_000)})))
	s.addMetadata(name, strings.Replace(metadataOf("giant", "1.0"), "About giant", "The verified one", 1))
	w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	w.options.MaxDownload = 100_000
	if p := w.must(w.query("giant")); p.Synopsis != "The verified one" {
		t.Errorf("%q", p.Synopsis)
	}
}

func TestDocsOfTheSourceDistributionStandInForThoseThatAWheelLacks(t *testing.T) {
	const source = "till-2.0.tar.gz"
	archived := files{"docs/guide.md": "# Guide\n\nHow to count.\n", "examples/coins.py": "print('coins')\n", "till/__init__.py": module, "docs/huge.bin": strings.Repeat("x", 1000)}
	for _, tt := range []struct {
		name    string
		request string
		edit    func(*server)
		guide   bool
		note    string
		read    bool
	}{
		{"beside the wheel", "till", func(*server) {}, true, "", true},
		{"for a module within it", "till.coins", func(*server) {}, false, "", false},
		{"of another content", "till", func(s *server) { s.fields[source] = map[string]string{"sha256": strings.Repeat("ab", 32)} }, false, "docent could not read the docs and examples of till-2.0.tar.gz", true},
		{"of a size that the index does not say", "till", func(s *server) { s.fields[source] = map[string]string{"no size": "yes"} }, false, "", false},
	} {
		s := shop(t)
		s.add("till-2.0-py3-none-any.whl", wheel(t, "till", "2.0", files{"till/__init__.py": module, "till/coins.py": module}))
		s.add(source, sdist(t, "till", "2.0", archived))
		tt.edit(s)
		w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
		p := w.must(w.query(tt.request))
		guide, example := false, false
		for _, section := range p.Sections {
			guide = guide || section.ID == "docs/guide"
			example = example || strings.HasPrefix(section.ID, "examples/")
		}
		if guide != tt.guide || example != tt.guide || !strings.Contains(strings.Join(p.Omissions, " "), tt.note) {
			t.Errorf("%s: %v %v %q", tt.name, guide, example, p.Omissions)
		}
		if read := slices.Contains(s.requests(), "/files/"+source); read != tt.read {
			t.Errorf("%s: asked for %q", tt.name, s.requests())
		}
		if p.Provenance.Integrity != "sha256 of the index" || !strings.HasSuffix(p.Provenance.Location, ".whl") {
			t.Errorf("%s: %+v", tt.name, p.Provenance)
		}
	}
}
