package golang

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/project"
)

// Fact is one line of what `docent doctor` tells about this machine.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"` // what was found; never a secret
	// Problem says what is wrong and what to do; empty if nothing is.
	Problem string `json:"problem,omitempty"`
}

// Doctor tells what Go packages would be looked for with. It reads settings
// and directories, runs nothing and asks no network. projectDir may be empty.
func (g *Golang) Doctor(projectDir string) []Fact {
	st := g.settings.load(g.env)
	facts := []Fact{g.goFact(st), commandFact(st), directoryFact("module cache", st.modCache, "set GOMODCACHE, GOPATH or HOME")}
	facts = append(facts, directoryFact("docent's downloads", g.downloads(), "set HOME or XDG_CACHE_HOME"))
	facts = append(facts, g.networkFact(), proxyFact(st))
	for _, name := range []string{"GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOSUMDB", "GOTOOLCHAIN"} {
		if v := st.get(name); v != "" {
			facts = append(facts, Fact{Name: name, Value: withoutCredentials(v)})
		}
	}
	if mod := st.goflag("mod"); mod != "" {
		facts = append(facts, Fact{Name: "GOFLAGS", Value: "-mod=" + plainLine(mod, 40)})
	}
	facts = append(facts, credentialFact(st))
	if projectDir != "" {
		facts = append(facts, g.projectFacts(projectDir)...)
	}
	return facts
}

func (g *Golang) goFact(st *settings) Fact {
	if st.goroot == "" {
		return Fact{"Go", "not found", "the standard library cannot be shown: install Go, put it in PATH or set GOROOT"}
	}
	if !isGoroot(st.goroot) {
		return Fact{"Go", st.goroot, "GOROOT names a directory that holds no Go: unset it or correct it"}
	}
	return Fact{"Go", st.goVersion + " in " + st.goroot, ""}
}

func commandFact(st *settings) Fact {
	if st.goCommand == "" {
		return Fact{"go command", "not found", "modules are downloaded without it, which leaves out version control and the checksum database: put go in PATH"}
	}
	return Fact{"go command", st.goCommand, ""}
}

func directoryFact(name, dir, remedy string) Fact {
	if dir == "" {
		return Fact{name, "nowhere", remedy}
	}
	d, err := os.Open(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return Fact{name, dir + " (not there yet)", ""}
	case err != nil:
		return Fact{name, dir, "it cannot be read: " + plainError(err)}
	}
	defer d.Close()
	if info, err := d.Stat(); err == nil && !info.IsDir() {
		return Fact{name, dir, "it is not a directory"}
	}
	return Fact{name, dir, ""}
}

func (g *Golang) networkFact() Fact {
	if g.offline {
		return Fact{"network", "switched off", ""}
	}
	return Fact{"network", "allowed", ""}
}

func proxyFact(st *settings) Fact {
	entries, err := st.proxies()
	if err != nil {
		var f *failure
		errors.As(err, &f)
		return Fact{"GOPROXY", "", f.What + ": " + f.Next}
	}
	var b strings.Builder
	for i, e := range entries {
		b.WriteString(e.String())
		if e.user != nil {
			b.WriteString(" (with credentials)")
		}
		if i < len(entries)-1 {
			b.WriteString(map[bool]string{false: ", then ", true: ", on any error then "}[e.onError])
		}
	}
	return Fact{"GOPROXY", b.String(), ""}
}

// withoutCredentials takes what stands before the host out of URLs.
func withoutCredentials(s string) string {
	return credential.ReplaceAllString(plainLine(s, 400), "$1")
}

func credentialFact(st *settings) Fact {
	auth := st.get("GOAUTH")
	if auth == "" {
		auth = "netrc"
	}
	var methods []string
	for method := range strings.SplitSeq(auth, ";") {
		// Only the program's name: what follows may be a secret.
		if word, _, _ := strings.Cut(strings.TrimSpace(method), " "); word != "" {
			methods = append(methods, filepath.Base(word))
		}
	}
	f := Fact{Name: "credentials", Value: "GOAUTH is " + strings.Join(methods, ", ")}
	path := st.netrc()
	if path == "" {
		return f
	}
	if file, err := os.Open(path); err == nil {
		file.Close()
		f.Value += "; netrc file present"
	} else if errors.Is(err, os.ErrNotExist) {
		f.Value += "; no netrc file"
	} else {
		f.Problem = "the netrc file cannot be read: " + plainError(err)
	}
	return f
}

func (g *Golang) projectFacts(dir string) []Fact {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return []Fact{{"project", dir, plainError(err)}}
	}
	f, err := g.newFinder(question{project: abs, dir: abs})
	if err != nil {
		if errors.Is(err, project.ErrNone) {
			return []Fact{{"project", abs, "neither go.mod nor go.work is there or in any directory above"}}
		}
		var e *failure
		errors.As(err, &e)
		return []Fact{{"project", abs, e.What}}
	}
	p := f.project
	tool := f.toolchain()
	names := make([]string, 0, len(p.Mains))
	for _, m := range p.Mains {
		names = append(names, m.Path)
	}
	facts := []Fact{
		{"project", p.Name(), ""},
		{"its modules", plainLine(strings.Join(names, ", "), 400), ""},
		{"its dependencies", fmt.Sprint(len(p.Dependencies())), ""},
		{"its standard library", tool.version + " (" + tool.why + ")", ""},
	}
	if v := p.VendorDir(); v != "" {
		facts = append(facts, Fact{"its vendor directory", v, ""})
	}
	return facts
}
