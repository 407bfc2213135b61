package golang

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/memory"
	"github.com/docent-mcp/docent/internal/program"
	"github.com/docent-mcp/docent/internal/quote"
)

// goTool downloads modules with the user's go command, which honours the user's settings
// (proxies, private modules, credentials, version control) and verifies what it downloads. It
// only lists versions and downloads modules, and runs in an empty directory, so it does not
// build anything or change the project.
type goTool struct {
	g  *Golang
	st *settings
}

func (c *goTool) name() string { return "go command" }

// maxStdout is the maximum size of the go command's output, in bytes.
const maxStdout = 16 << 20

// goModule is the output of `go list -m -json` and `go mod download -json`.
type goModule struct {
	Path     string
	Version  string
	Versions []string
	Error    goError
	Dir      string
	Zip      string
}

// goError is the text of an error. It is an object in the output of one command, and a string in
// the output of the other.
type goError string

func (e *goError) UnmarshalJSON(data []byte) error {
	var object struct{ Err string }
	if json.Unmarshal(data, &object) == nil {
		*e = goError(object.Err)
		return nil
	}
	return json.Unmarshal(data, (*string)(e))
}

func (c *goTool) resolve(ctx context.Context, paths []string, query string) []answer {
	refused, _ := c.probe(ctx, paths, "@v/list")
	requests := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return refused[p] != nil })
	args := []string{"list", "-m", "-e", "-json"}
	switch {
	case query == "latest":
		args = append(args, "-versions")
	case exactVersion(query) != "":
		// With this flag, the go command also fetches the newest go.mod file, which
		// lists retracted versions, into the module cache.
		args = append(args, "-retracted")
	}
	for _, p := range requests {
		args = append(args, p+"@"+query)
	}
	var modules []goModule
	var err *ecosystem.Error
	if len(requests) > 0 {
		modules, err = c.run(ctx, c.reachOf(requests, false), nil, args...)
	}
	answers := make([]answer, len(paths))
	for i, p := range paths {
		answers[i] = answer{module: module.Version{Path: p}}
		j := slices.IndexFunc(modules, func(m goModule) bool { return m.Path == p })
		switch {
		case refused[p] != nil:
			answers[i].err = refused[p]
		case j < 0 && err != nil:
			answers[i].err = err
		case j < 0:
			answers[i].err = ecosystem.Fail(ecosystem.NotFound, "%s: no answer", p)
		case modules[j].Error != "" && !onlyRetractions(modules[j]) && err != nil:
			answers[i].err = err
		case modules[j].Error != "" && !onlyRetractions(modules[j]):
			answers[i].err = goFailure(string(modules[j].Error))
		default:
			answers[i].module.Version = modules[j].Version
			answers[i].versions = modules[j].Versions
		}
	}
	return answers
}

// onlyRetractions reports whether only the lookup of retractions failed.
func onlyRetractions(m goModule) bool {
	return strings.HasPrefix(string(m.Error), "loading module retractions") && exactVersion(m.Version) != ""
}

func (c *goTool) download(ctx context.Context, f *finder, m module.Version, sums []string) (*openModule, error) {
	watched, stop, reach := ctx, func() {}, c.reachOf([]string{m.Path}, false)
	if escaped, err := module.EscapeVersion(m.Version); err == nil {
		refused, served := c.probe(ctx, []string{m.Path}, "@v/"+escaped+".info")
		if refused[m.Path] != nil {
			return nil, refused[m.Path].WithTried(f.tried...)
		}
		if served[m.Path] { // Without a proxy, the module may come from version control.
			watched, stop = c.watch(ctx, m)
			reach = c.reachOf([]string{m.Path}, true)
		}
	}
	defer stop()
	modules, fails := c.run(watched, reach, sumLines(m, sums), "mod", "download", "-json", m.String())
	if errors.Is(context.Cause(watched), errSilent) {
		return nil, c.silent(m).WithTried(f.tried...)
	}
	if len(modules) != 1 {
		if fails == nil {
			fails = ecosystem.Fail(ecosystem.Unreadable, "the go command did not report the location of %s", m)
		}
		return nil, fails
	}
	got := modules[0]
	open := &openModule{version: m, provenance: apidoc.Provenance{Source: "proxy", ChosenBy: "requested", Integrity: c.integrity(m, sums)}}
	switch {
	case got.Dir != "":
		open.files, open.provenance.Location = openTree(got.Dir), got.Dir
		return open, nil
	case got.Zip != "":
		// The go command does not unpack a module that requires a newer Go release.
		zipped, err := f.openZip(m, got.Zip, archive.Limits{Packed: 500 << 20, Unpacked: 1 << 30})
		if err != nil {
			return nil, err
		}
		if zipped != nil {
			open.files, open.closer, open.provenance.Location = zipped.files, zipped.closer, got.Zip
			return open, nil
		}
	}
	if fails == nil {
		fails = goFailure(string(got.Error))
	}
	return nil, fails.WithTried(f.tried...)
}

// sumLines returns a go.sum file for one module version.
func sumLines(m module.Version, sums []string) []byte {
	var b bytes.Buffer
	for _, sum := range sums {
		fmt.Fprintf(&b, "%s %s %s\n", m.Path, m.Version, sum)
	}
	return b.Bytes()
}

// integrity describes how the go command verified a module.
func (c *goTool) integrity(m module.Version, sums []string) string {
	switch db := c.st.get("GOSUMDB"); {
	case len(sums) > 0:
		return "as recorded in go.sum of the project"
	case db == "" || db == "off":
		return "not verified: no go.sum on this machine contains it, and GOSUMDB is off"
	case module.MatchPrefixPatterns(c.st.private("GONOSUMDB"), m.Path):
		return "not verified: no go.sum on this machine contains it, and GONOSUMDB or GOPRIVATE excludes it from the checksum database"
	case module.MatchPrefixPatterns(c.st.get("GOINSECURE"), m.Path):
		return "not verified: no go.sum on this machine contains it, and GOINSECURE matches it"
	}
	return "as recorded in the checksum database"
}

// run runs the go command in an empty directory, with access to the hosts that reach allows, and
// parses the modules that it prints. An error about one module is recorded in that module; fails
// is the error if the command itself failed.
func (c *goTool) run(ctx context.Context, reach reach, sums []byte, args ...string) (modules []goModule, fails *ecosystem.Error) {
	if reach.loopback != "" {
		return nil, unnamedHost(reach.loopback + " is an address of this machine")
	}
	dir, err := os.MkdirTemp("", "docent-go-")
	if err != nil {
		return nil, ecosystem.Fail(ecosystem.Unreadable, "the directory for temporary files cannot be created").WithErr(err).WithNext("set TMPDIR to a writable directory")
	}
	defer os.RemoveAll(dir)
	files := map[string]string{"go.mod": "module docent.invalid/question\n", "go.sum": string(sums)}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return nil, ecosystem.Fail(ecosystem.Unreadable, "temporary files cannot be written").WithErr(err).WithNext("set TMPDIR to a writable directory")
		}
	}
	guard, err := c.g.client.StartGuard(reach.rules)
	if err != nil {
		return nil, ecosystem.Fail(ecosystem.Unreachable, "the proxy for the go command could not be started on this machine").WithErr(err)
	}
	defer guard.Close()
	patience, cancel := context.WithTimeout(ctx, c.g.options.Timeout)
	defer cancel()
	// The program is the go command in the user's PATH. The arguments are a module
	// path and a version that have been validated.
	cmd := exec.CommandContext(patience, c.st.goCommand, args...)
	cmd.Dir = dir
	cmd.Env = slices.Concat(c.environment(dir), reach.environment, guard.Environment())
	resume := memory.Idle(ctx)
	stdout, stderr, err := program.Output(cmd, maxStdout)
	resume()

	modules, bad := decodeModules(bytes.NewReader(stdout))
	switch {
	case ctx.Err() != nil:
		return nil, stopped(args[len(args)-1], ctx.Err())
	case patience.Err() != nil:
		return nil, ecosystem.Fail(ecosystem.Unreachable, "the go command took longer than %s for %s", c.g.options.Timeout, args[len(args)-1]).
			WithErr(patience.Err()).WithNext("try again, or check GOPROXY with go env")
	case errors.Is(err, program.ErrTooMuch):
		return nil, ecosystem.Fail(ecosystem.Unreadable, "the go command printed more than %d MiB about %s", maxStdout>>20, args[len(args)-1]).WithErr(err)
	case bad != nil:
		return nil, ecosystem.Fail(ecosystem.Unreadable, "the go command printed something that is not a list of modules").WithErr(bad)
	case guard.Refused() != nil && (err != nil || slices.ContainsFunc(modules, func(m goModule) bool { return m.Error != "" })):
		fails = unnamedHost(guard.Refused().Error())
	case err != nil && len(modules) == 0:
		return nil, goFailure(string(stderr))
	}
	return modules, fails
}

func decodeModules(r io.Reader) ([]goModule, error) {
	var list []goModule
	d := json.NewDecoder(r)
	for {
		var m goModule
		if err := d.Decode(&m); err == io.EOF {
			return list, nil
		} else if err != nil {
			return list, err
		}
		list = append(list, m)
	}
}

// environment returns the user's environment without the variables that could make
// the command use a project, build with another toolchain, or prompt.
func (c *goTool) environment(dir string) []string {
	var flags []string
	for f := range strings.FieldsSeq(c.st.get("GOFLAGS")) {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		switch name {
		case "mod", "modfile", "overlay", "exec", "toolexec", "C":
		default:
			flags = append(flags, f)
		}
	}
	return append(slices.Clone(c.st.env.List()),
		"PWD="+dir, "GOWORK=off", "GO111MODULE=on", "GOTOOLCHAIN=local", "GIT_TERMINAL_PROMPT=0",
		"GOFLAGS="+strings.Join(flags, " "))
}

// credential matches the user name and password in a URL.
var credential = lazyregexp.New(`([a-z+]+://)[^/@\s"']*@`)

// goFailure converts the go command's error output to an error that can be shown to users.
func goFailure(text string) *ecosystem.Error {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	messages := make([]string, 0, len(lines))
	for _, l := range lines {
		l = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(l), "go: "), ":")
		if l == "" || strings.HasPrefix(l, "For more information") || strings.HasPrefix(l, "downloading ") {
			continue
		}
		messages = append(messages, l)
	}
	what := credential().ReplaceAllString(quote.Line(strings.Join(messages, ": "), 500), "$1")
	what = cmp.Or(what, "the go command failed without an error message")
	f := ecosystem.Fail(ecosystem.NotFound, "%s", what).WithErr(errors.New(what))
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(what, w) })
	}
	switch {
	case has("SECURITY ERROR", "checksum mismatch"):
		f.Reason = ecosystem.Unreadable
		f.Next = "before you use the module, determine whether go.sum or the download is incorrect"
	case has("GOPROXY=off", "disabled by GOPROXY"):
		f.Reason = ecosystem.Refused
		f.Next = "set GOPROXY to a module proxy, or request a version that is on this machine"
	case has("GOPROXY list is", "GOPROXY is"):
		f.Reason = ecosystem.Invalid
		f.Next = "set GOPROXY, as described by go help environment"
	case has("dial tcp", "no such host", "timeout", "timed out", "connection re", "TLS handshake", "EOF", "500 Internal", "502 Bad", "503 Service", "504 Gateway", "x509:"):
		f.Reason = ecosystem.Unreachable
		f.Next = "check the network connection and GOPROXY (go env GOPROXY), or try again later"
	case has("401 Unauthorized", "407 Proxy"):
		f.Reason = ecosystem.Refused
		f.Next = "check the credentials for the host in netrc or GOAUTH"
	case has("refusing to"):
		f.Reason = ecosystem.Refused
	case has("zip file", "zip: ", "too large"):
		f.Reason = ecosystem.Unreadable
	}
	return f
}
