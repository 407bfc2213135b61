package docserver

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

// TestReexportedModules requests symbols by a path that begins with a module of another crate, which
// the root of a crate exports.
func TestReexportedModules(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"Cargo.toml":       "[package]\nname = \"umbrella\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[dependencies]\nparts = { path = \"parts\" }\nall = { path = \"all\" }\n",
		"Cargo.lock":       "version = 3\n[[package]]\nname = \"all\"\nversion = \"1.0.0\"\ndependencies = [\"parts\"]\n[[package]]\nname = \"parts\"\nversion = \"1.0.0\"\n[[package]]\nname = \"umbrella\"\nversion = \"1.0.0\"\ndependencies = [\"all\", \"parts\"]\n",
		"src/lib.rs":       "pub use parts as tools;\npub use all::*;\n",
		"parts/Cargo.toml": "[package]\nname = \"parts\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
		"parts/src/lib.rs": "/// Cuts.\npub struct Saw;\npub mod small { pub mod sharp { pub struct Pin { pub length: u8 } } }\n",
		"all/Cargo.toml":   "[package]\nname = \"all\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[dependencies]\nparts = { path = \"../parts\" }\n",
		"all/src/lib.rs":   "pub mod below { pub fn dig() {} }\n",
	})
	language := rust.New(ecosystem.Options{Offline: true, Env: []string{"HOME=" + t.TempDir()}})
	cache := store.New(ecosystem.Languages{language}, store.Options{})
	s := &server{lookup: lookup.New(cache), store: cache, dir: t.TempDir()}
	about := func(symbol string) describeInput {
		return describeInput{Package: "umbrella", Symbol: symbol, ProjectPath: dir}
	}
	expectAnswers(t, s.describe(language.Info()), []toolCase[describeInput]{
		{"a crate as a module", about("tools::Saw"), "# Saw (struct) in umbrella::tools", false},
		{"a module of that crate", about("tools::small::sharp::Pin"), "# Pin (struct) in umbrella::tools::small::sharp", false},
		{"a module that a glob imports", about("below::dig"), "# dig (function) in umbrella::below", false},
		{"a missing symbol", about("tools::Hammer"), "no symbol tools::Hammer in umbrella", true},
		{"a missing module", about("nothing::Saw"), "no symbol nothing::Saw in umbrella", true},
	})
}
