package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/mcp"
)

// A ServerConfig describes how to connect to a server.
type ServerConfig struct {
	Name string

	// Command is the program of a server on standard input and output, and Args are its arguments.
	// Dir is its working directory. Env contains environment variables in addition to those that
	// all programs get. EnvFile is a file with further variables, in lines of the form NAME=VALUE.
	// Its path may be relative to Dir. Env takes precedence over EnvFile.
	Command string
	Args    []string
	Env     map[string]string
	EnvFile string
	Dir     string

	// URL is the endpoint of a server on the web. Headers are sent with each
	// request.
	URL     string
	Headers map[string]string

	// Disabled is true for a server to which the host does not connect.
	Disabled bool
}

// Limits of a configuration: its size in bytes and the number of its servers.
const (
	maxConfigBytes = 1 << 20
	maxServers     = 1000
)

// configWire is a configuration in the formats of hosts.
type configWire struct {
	MCPServers map[string]json.RawMessage `json:"mcpServers"`
	Servers    map[string]json.RawMessage `json:"servers"` // format of VS Code
	// MCP is a member of VS Code's settings.json.
	MCP struct {
		Servers map[string]json.RawMessage `json:"servers"`
	} `json:"mcp"`
}

type serverWire struct {
	Type     string            `json:"type"`
	Command  string            `json:"command"`
	Args     []string          `json:"args"`
	Env      map[string]scalar `json:"env"`
	EnvFile  string            `json:"envFile"`
	Dir      string            `json:"cwd"`
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers"`
	Disabled bool              `json:"disabled"`
}

// scalar is a string. It can be decoded from a number or a boolean, because people write "PORT":
// 8080.
type scalar string

func (s *scalar) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(s))
	}
	if data[0] == '{' || data[0] == '[' || string(data) == "null" {
		return errors.New("a variable must be a string, a number or a boolean")
	}
	*s = scalar(data)
	return nil
}

// ParseConfig parses a configuration in the format that most hosts use:
//
//	{"mcpServers": {
//	  "files": {"command": "files-server", "args": ["--root", "${HOME}"], "env": {"LEVEL": "${LEVEL:-info}"}, "cwd": "/srv"},
//	  "issues": {"type": "http", "url": "https://mcp.example.com/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}
//	}}
//
// It also accepts the format of VS Code, with "servers" instead of "mcpServers". It allows comments
// and trailing commas, and ignores unknown members. It does not expand variables; see
// ServerConfig.Expand. The servers are sorted by name.
func ParseConfig(data []byte) ([]ServerConfig, error) {
	if len(data) > maxConfigBytes {
		return nil, fmt.Errorf("host: the configuration has %d bytes; the limit is %d", len(data), maxConfigBytes)
	}
	var w configWire
	if err := json.Unmarshal(plainJSON(data), &w); err != nil {
		return nil, fmt.Errorf("host: the configuration does not have the expected form: %w", err)
	}
	all := w.MCPServers
	for _, other := range []map[string]json.RawMessage{w.Servers, w.MCP.Servers} {
		if all == nil {
			all = other
		}
	}
	if all == nil {
		return nil, errors.New(`host: the configuration has neither "mcpServers" nor "servers"`)
	}
	if len(all) > maxServers {
		return nil, fmt.Errorf("host: the configuration has %d servers; the limit is %d", len(all), maxServers)
	}
	var servers []ServerConfig
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c, err := readServer(name, all[name])
		if err != nil {
			return nil, fmt.Errorf("host: server %q of the configuration: %w", name, err)
		}
		servers = append(servers, c)
	}
	return servers, nil
}

func readServer(name string, data []byte) (ServerConfig, error) {
	var w serverWire
	if name == "" {
		return ServerConfig{}, errors.New("it needs a name")
	}
	if err := json.Unmarshal(data, &w); err != nil {
		return ServerConfig{}, err
	}
	c := ServerConfig{Name: name, Command: w.Command, Args: w.Args, EnvFile: w.EnvFile, Dir: w.Dir, URL: w.URL, Headers: w.Headers, Disabled: w.Disabled}
	if w.Env != nil {
		c.Env = make(map[string]string, len(w.Env))
		for key, value := range w.Env {
			c.Env[key] = string(value)
		}
	}
	switch kind := strings.ToLower(w.Type); kind {
	case "":
	case "stdio", "local":
		c.URL = ""
	case "http", "sse", "streamable-http", "streamablehttp", "remote":
		c.Command = ""
	default:
		return c, fmt.Errorf(`"type" must be "stdio", "http" or "sse", not %q`, w.Type)
	}
	switch {
	case c.Command == "" && c.URL == "":
		return c, errors.New(`it needs a "command" or, for a server on the web, a "url"`)
	case c.Command != "" && c.URL != "":
		return c, errors.New(`it has both "command" and "url"; remove one, or add "type"`)
	}
	return c, nil
}

// Expand returns the configuration with each ${NAME} and ${NAME:-default} replaced by the value
// that lookup returns. lookup may be os.LookupEnv. ${env:NAME} is the same as ${NAME}. For
// ${input:NAME}, which VS Code asks the user for, lookup is called with "input:NAME". Expand fails
// if lookup returns no value and there is no default.
func (c ServerConfig) Expand(lookup func(name string) (string, bool)) (ServerConfig, error) {
	e := expander{lookup: lookup}
	c.Command, c.Dir, c.URL, c.EnvFile = e.expand(c.Command), e.expand(c.Dir), e.expand(c.URL), e.expand(c.EnvFile)
	c.Args = slices.Clone(c.Args)
	for i := range c.Args {
		c.Args[i] = e.expand(c.Args[i])
	}
	c.Env, c.Headers = maps.Clone(c.Env), maps.Clone(c.Headers)
	for _, values := range []map[string]string{c.Env, c.Headers} {
		for key := range values {
			values[key] = e.expand(values[key])
		}
	}
	if len(e.missing) > 0 {
		slices.Sort(e.missing)
		return c, fmt.Errorf("the configuration of server %q uses variables that are not set: %s", c.Name, strings.Join(slices.Compact(e.missing), ", "))
	}
	return c, nil
}

type expander struct {
	lookup  func(string) (string, bool)
	missing []string
}

func (e *expander) expand(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		inner, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before)
		name, fallback, hasFallback := strings.Cut(inner, ":-")
		value, set := e.lookup(strings.TrimPrefix(name, "env:"))
		switch {
		case set && value != "":
		case hasFallback:
			value = fallback
		case !set:
			e.missing = append(e.missing, name)
		}
		b.WriteString(value)
		text = after
	}
}

// Transport returns the transport for the server. Variables must be expanded first. The caller may
// change the fields of the transport before using it.
func (c ServerConfig) Transport() (mcp.Transport, error) {
	if c.URL == "" {
		t := &mcp.CommandTransport{Command: c.Command, Args: c.Args, Dir: c.Dir}
		variables, err := c.readEnvFile()
		if err != nil {
			return nil, err
		}
		if variables == nil {
			variables = c.Env
		} else {
			maps.Copy(variables, c.Env)
		}
		for _, name := range slices.Sorted(maps.Keys(variables)) {
			t.Env = append(t.Env, name+"="+variables[name])
		}
		return t, nil
	}
	if u, err := url.Parse(c.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("the URL of server %q must begin with https:// or http:// and have a host", c.Name)
	}
	t := &mcp.HTTPTransport{URL: c.URL, Header: http.Header{}}
	for name, value := range c.Headers {
		if strings.ContainsAny(name+value, "\r\n") {
			return nil, fmt.Errorf("the header %q of server %q contains a line break", name, c.Name)
		}
		t.Header.Set(name, value)
	}
	return t, nil
}

// plainJSON returns data with spaces in place of comments and trailing commas.
func plainJSON(data []byte) []byte {
	out := bytes.Clone(bytes.TrimPrefix(data, []byte("\uFEFF")))
	comma := -1 // index of the last comma if only white space has followed it, or -1
	for i := 0; i < len(out); {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
			i++
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := len(out)
			mark, length := []byte("\n"), 0
			if out[i+1] == '*' {
				mark, length = []byte("*/"), 2
			}
			if n := bytes.Index(out[i+2:], mark); n >= 0 {
				end = i + 2 + n + length
			} else if length > 0 {
				return out // the comment is not closed, so data is not valid JSON
			}
			for ; i < end; i++ {
				out[i] = ' '
			}
		default:
			switch {
			case c == ',':
				comma = i
			case (c == '}' || c == ']') && comma >= 0:
				out[comma], comma = ' ', -1
			case c != ' ' && c != '\t' && c != '\n' && c != '\r':
				comma = -1
			}
			i++
		}
	}
	return out
}
