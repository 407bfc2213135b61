package golang

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// Fact is one line of the output of `docent doctor`.
type Fact = ecosystem.Fact

// Doctor implements ecosystem.Language. It reports the settings, directories
// and registries used to find Go packages, without using the network.
// projectDir may be empty.
func (g *Golang) Doctor(projectDir string) []Fact {
	st := g.settings.load(g.env)
	facts := []Fact{g.goFact(st), commandFact(st), ecosystem.DirectoryFact("module cache", st.modCache, "set GOMODCACHE, GOPATH or HOME")}
	facts = append(facts, ecosystem.NetworkFact(g.options.Offline), proxyFact(st))
	for _, name := range []string{"GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOSUMDB", "GOTOOLCHAIN"} {
		if v := st.get(name); v != "" {
			facts = append(facts, Fact{Name: name, Value: withoutCredentials(v)})
		}
	}
	if mod := st.goflag("mod"); mod != "" {
		facts = append(facts, Fact{Name: "GOFLAGS", Value: "-mod=" + quote.Line(mod, 40)})
	}
	facts = append(facts, credentialFact(st))
	if projectDir != "" {
		facts = append(facts, g.projectFacts(projectDir)...)
	}
	return facts
}

func (g *Golang) goFact(st *settings) Fact {
	if st.goroot == "" {
		return Fact{Name: "Go", Value: "not found", Problem: "docent cannot show the standard library; install Go, add it to PATH or set GOROOT"}
	}
	if !isGoroot(st.goroot) {
		return Fact{Name: "Go", Value: st.goroot, Problem: "GOROOT is not the directory of a Go installation; unset or correct it"}
	}
	return Fact{Name: "Go", Value: st.goVersion + " in " + st.goroot}
}

func commandFact(st *settings) Fact {
	if st.goCommand == "" {
		return Fact{Name: "go command", Value: "not found", Problem: "docent downloads modules without version control and the checksum database; add go to PATH"}
	}
	return Fact{Name: "go command", Value: st.goCommand}
}

func proxyFact(st *settings) Fact {
	entries, err := st.proxies()
	if err != nil {
		var f *ecosystem.Error
		errors.As(err, &f)
		return Fact{Name: "GOPROXY", Value: "", Problem: f.What + ": " + f.Next}
	}
	var b strings.Builder
	for i, e := range entries {
		b.WriteString(e.String())
		if e.user != nil {
			b.WriteString(" (with credentials)")
		}
		if i < len(entries)-1 {
			b.WriteString(map[bool]string{false: ", then ", true: ", after any error then "}[e.onError])
		}
	}
	return Fact{Name: "GOPROXY", Value: b.String()}
}

// withoutCredentials removes the user name and password from URLs.
func withoutCredentials(s string) string {
	return credential().ReplaceAllString(quote.Line(s, 400), "$1")
}

func credentialFact(st *settings) Fact {
	auth := cmp.Or(st.get("GOAUTH"), "netrc")
	var methods []string
	for method := range strings.SplitSeq(auth, ";") {
		// Show only the program's name, since its arguments may contain a secret.
		if word, _, _ := strings.Cut(strings.TrimSpace(method), " "); word != "" {
			methods = append(methods, filepath.Base(word))
		}
	}
	f := Fact{Name: "credentials", Value: "GOAUTH is " + strings.Join(methods, ", ")}
	path := st.netrc()
	if path == "" {
		return f
	}
	if file, err := rootfs.OpenAnywhere(path); err == nil {
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
		return []Fact{{Name: "project", Value: dir, Problem: plainError(err)}}
	}
	f, err := g.newFinder(question{project: abs, dir: abs})
	if err != nil {
		if errors.Is(err, project.ErrNone) {
			return []Fact{{Name: "project", Value: abs, Problem: "no go.mod or go.work in this directory or any above it"}}
		}
		var e *ecosystem.Error
		errors.As(err, &e)
		return []Fact{{Name: "project", Value: abs, Problem: e.What}}
	}
	p := f.project
	tool := f.toolchain()
	names := make([]string, 0, len(p.Mains))
	for _, m := range p.Mains {
		names = append(names, m.Path)
	}
	facts := []Fact{
		{Name: "project", Value: p.Name()},
		{Name: "its modules", Value: quote.Line(strings.Join(names, ", "), 400)},
		{Name: "its dependencies", Value: fmt.Sprint(len(p.Dependencies()))},
		{Name: "its standard library", Value: tool.version + " (" + tool.why + ")"},
	}
	if v := p.VendorDir(); v != "" {
		facts = append(facts, Fact{Name: "its vendor directory", Value: v})
	}
	return facts
}
