package pipconf

import (
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

// uv adds the settings of uv: from variables, then the project's, the user's
// and the machine's.
func (r *reader) uv() {
	r.uvVariables()
	if r.project != nil && ToolOf(r.project) == "uv" {
		r.manifest("uv")
	}
	if isTrue(r.env.Get("UV_NO_CONFIG")) {
		return
	}
	if file := r.env.Get("UV_CONFIG_FILE"); file != "" {
		r.uvFile(file)
		return
	}
	if r.project != nil {
		for _, dir := range project.Upwards(r.project.Dir) {
			if dir == r.env.Home() {
				break
			}
			if file := filepath.Join(dir, "uv.toml"); project.Exists(file) {
				r.uvFile(file)
				break
			}
		}
	}
	r.uvFile(environ.Below(r.env.ConfigDir(), "uv", "uv.toml"))
	for _, dir := range r.systemDirs() {
		r.uvFile(environ.Below(dir, "uv", "uv.toml"))
	}
	r.uvLogins()
}

func (r *reader) uvVariables() {
	l := layer{tool: "uv", name: "the environment", strategy: r.env.Get("UV_INDEX_STRATEGY"), links: commas(r.env.Get("UV_FIND_LINKS"))}
	for field := range strings.FieldsSeq(r.env.Get("UV_INDEX")) {
		l.indexes = append(l.indexes, named(field, l.name))
	}
	for field := range strings.FieldsSeq(r.env.Get("UV_EXTRA_INDEX_URL")) {
		l.indexes = append(l.indexes, named(field, l.name))
	}
	for _, name := range []string{"UV_DEFAULT_INDEX", "UV_INDEX_URL"} {
		if address := r.env.Get(name); address != "" {
			index := named(address, l.name)
			index.Default = true
			l.indexes = append(l.indexes, index)
			break
		}
	}
	l.trusted = strings.Fields(r.env.Get("UV_INSECURE_HOST"))
	l.cert = r.env.Get("SSL_CERT_FILE")
	l.clientCert = r.env.Get("SSL_CLIENT_CERT")
	l.noIndex = isTrue(r.env.Get("UV_NO_INDEX"))
	r.add(l)
}

// named reads an index in the form used in environment variables of uv: "URL" or "name=URL".
func named(text, by string) pylock.Index {
	if name, address, ok := strings.Cut(text, "="); ok && !strings.ContainsAny(name, ":/?") {
		return pylock.Index{Name: name, URL: address, By: by}
	}
	return pylock.Index{URL: text, By: by}
}

func commas(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
}

func (r *reader) uvFile(file string) {
	var raw struct {
		pylock.UVIndexes
		Insecure []string         `toml:"allow-insecure-host"`
		Pip      pylock.UVIndexes `toml:"pip"`
	}
	if file == "" || !r.decode(file, &raw) {
		return
	}
	l := layer{
		tool: "uv", name: file, dir: filepath.Dir(file), project: r.inProject(file), indexes: raw.Indexes(file), links: raw.FindLinks, noIndex: raw.NoIndex,
		strategy: raw.Strategy, trusted: raw.Insecure,
	}
	if len(l.indexes) == 0 {
		l.indexes = raw.Pip.Indexes(file)
	}
	r.add(l)
}

// uvLogins reads the credentials that "uv auth login" stores in a file.
func (r *reader) uvLogins() {
	dir := r.env.Get("UV_CREDENTIALS_DIR")
	if dir == "" {
		data := r.env.Get("XDG_DATA_HOME")
		if data == "" {
			data = environ.Below(r.env.Home(), ".local", "share")
		}
		dir = environ.Below(data, "uv", "credentials")
	}
	var raw struct {
		Credential []struct {
			Service  string `toml:"service"`
			Username string `toml:"username"`
			Scheme   string `toml:"scheme"`
			Password string `toml:"password"`
			Token    string `toml:"token"`
		} `toml:"credential"`
	}
	file := environ.Below(dir, "credentials.toml")
	if file == "" || !r.decode(file, &raw) {
		return
	}
	for _, c := range raw.Credential {
		r.stored = append(r.stored, storedLogin{url: c.Service, user: c.Username, password: c.Password, token: c.Token, file: file})
	}
}
