package registry

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A Way is a way to use a server. It is a package that can be started, or an address.
type Way struct {
	// Kind is the package's registry type, or "remote".
	Kind    string
	Package *Package   // nil if the server is remote
	Remote  *Transport // nil if the server is started
}

// A Launch describes how a client starts a server or connects to it. It contains the user's values.
type Launch struct {
	Command string
	Args    []string
	Env     map[string]string
	// URL and Headers are set instead of the other fields if the server is remote. SSE is true if
	// it supports only HTTP with SSE, the transport of revision 2024-11-05.
	URL     string
	Headers map[string]string
	SSE     bool
}

// An Input is a value that the user can set.
type Input struct {
	// Name is the key for Way.Launch. It is the name of a variable, header or argument, without
	// leading hyphens. For an argument without a name, it is the hint.
	Name        string
	Description string
	Default     string
	Placeholder string // an example value
	Choices     []string
	Format      string // string, number, boolean or filepath
	Required    bool
	Secret      bool
}

// Ways returns the ways to use the server, in the publisher's order. Packages come first.
func (s *Server) Ways() []Way {
	var ways []Way
	for i := range s.Packages {
		ways = append(ways, Way{Kind: s.Packages[i].RegistryType, Package: &s.Packages[i]})
	}
	for i := range s.Remotes {
		ways = append(ways, Way{Kind: "remote", Remote: &s.Remotes[i]})
	}
	return ways
}

// Inputs returns the values that the user can set. Each name occurs once.
func (w Way) Inputs() []Input {
	r := resolver{}
	_, _ = w.resolve(&r) // missing values are allowed here
	return r.inputs
}

// Program returns the program that Launch starts, or "" if the server is remote or cannot be started by a
// command.
func (w Way) Program() string {
	l, err := w.resolve(&resolver{})
	if err != nil {
		return ""
	}
	return l.Command
}

// A MissingError lists the inputs that have no value.
type MissingError struct {
	Inputs []Input
}

func (e *MissingError) Error() string {
	names := make([]string, len(e.Inputs))
	for i, input := range e.Inputs {
		names[i] = input.Name
	}
	return "values are missing: " + strings.Join(names, ", ")
}

// Launch returns how to start the server or connect to it, with the given values for Inputs, by
// name. An input with neither a value nor a default is omitted. The error is a *MissingError if
// required inputs have no value. Launch also returns an error if the package cannot be started by a
// command, or if text from the publisher could be interpreted as something other than an argument.
func (w Way) Launch(values map[string]string) (*Launch, error) {
	r := resolver{values: values}
	l, err := w.resolve(&r)
	if err != nil {
		return nil, err
	}
	for name := range values {
		if !slices.ContainsFunc(r.inputs, func(i Input) bool { return i.Name == name }) {
			r.fail(fmt.Errorf("the server has no input %q", name))
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	if len(r.missing) > 0 {
		return nil, &MissingError{r.missing}
	}
	return l, nil
}

func (w Way) resolve(r *resolver) (*Launch, error) {
	if w.Remote != nil {
		return w.Remote.resolve(r)
	}
	return w.Package.resolve(r)
}

// resolver replaces variables by their values and collects the inputs.
type resolver struct {
	values  map[string]string
	inputs  []Input
	missing []Input
	err     error // the first error
}

func (r *resolver) fail(err error) {
	r.err = cmp.Or(r.err, err)
}

// ask returns the user's value of an input, and whether there is one.
func (r *resolver) ask(name string, v Value) (string, bool) {
	input := Input{
		Name: name, Description: v.Description, Default: v.Default, Placeholder: v.Placeholder, Choices: v.Choices,
		Format: v.Format, Required: v.Required, Secret: v.Secret,
	}
	first := !slices.ContainsFunc(r.inputs, func(i Input) bool { return i.Name == name })
	if first {
		r.inputs = append(r.inputs, input)
	}
	text, ok := r.values[name]
	if !ok {
		text, ok = v.Default, v.Default != ""
	}
	switch {
	case !ok && v.Required && first:
		r.missing = append(r.missing, input)
	case ok:
		if err := checkValue(input, text); err != nil {
			r.fail(err)
		}
	}
	return text, ok
}

func checkValue(input Input, text string) error {
	switch {
	case strings.ContainsAny(text, "\x00\r\n"):
		return fmt.Errorf("the value of %s must not have line breaks", input.Name)
	case len(input.Choices) > 0 && !slices.Contains(input.Choices, text):
		return fmt.Errorf("the value of %s must be one of %s", input.Name, strings.Join(input.Choices, ", "))
	case input.Format == "boolean" && text != "true" && text != "false":
		return fmt.Errorf("the value of %s must be true or false", input.Name)
	case input.Format == "number":
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return fmt.Errorf("the value of %s must be a number", input.Name)
		}
	}
	return nil
}

// value returns the publisher's value with its variables replaced, or the user's value if the
// publisher has set none.
func (r *resolver) value(name string, v Value, variables map[string]Value) (string, bool) {
	if v.Value == "" {
		return r.ask(name, v)
	}
	return r.expand(v.Value, variables), true
}

var variable = pattern(`\{[^{}]+\}`)

// expand replaces {variables}. It keeps undeclared variables unchanged, as the format requires.
func (r *resolver) expand(text string, variables map[string]Value) string {
	return variable().ReplaceAllStringFunc(text, func(match string) string {
		name := match[1 : len(match)-1]
		v, ok := variables[name]
		if !ok {
			return match
		}
		if v.Value != "" {
			return v.Value
		}
		value, _ := r.ask(name, v)
		return value
	})
}

// runner is a program that starts the packages of a registry.
type runner struct {
	program     string
	args        []string // arguments before the package
	versionMark string   // separator between the package and its version
	after       []string // arguments after the package
}

var runners = map[string]runner{
	"npm":   {"npx", []string{"-y"}, "@", nil},
	"pypi":  {"uvx", nil, "@", nil},
	"nuget": {"dnx", nil, "@", []string{"--yes"}},
	"oci":   {"docker", []string{"run", "-i", "--rm"}, ":", nil},
	"go":    {"go", []string{"run"}, "@", nil},
}

// others contains additional programs that a publisher can specify as the runtime, with their first
// arguments.
var others = map[string]runner{
	"bunx":   {"bunx", nil, "@", nil},
	"pnpm":   {"pnpm", []string{"dlx"}, "@", nil},
	"pipx":   {"pipx", []string{"run"}, "==", nil},
	"podman": {"podman", []string{"run", "-i", "--rm"}, ":", nil},
}

// reference is the name of a package or image, or the path of a module.
var reference = pattern(`^[A-Za-z0-9@][A-Za-z0-9@._:/+-]*$`)

func (p *Package) resolve(r *resolver) (*Launch, error) {
	run, ok := runners[p.RegistryType]
	switch hint := p.RuntimeHint; {
	case !ok:
		return nil, fmt.Errorf("packages of type %q cannot be started with a command", p.RegistryType)
	case p.Transport.Type != "stdio":
		return nil, fmt.Errorf("the package serves %s instead of standard input and output; start it yourself", p.Transport.Type)
	case !reference().MatchString(p.Identifier) || p.Version != "" && !reference().MatchString(p.Version):
		return nil, fmt.Errorf("the package %.200q in version %.100q has a name or version that a command could mistake for an option", p.Identifier, p.Version)
	case hint != "" && hint != run.program:
		if run, ok = others[hint]; !ok {
			return nil, fmt.Errorf("the publisher wants the package to be started with %.100q, which is not a known package runner", hint)
		}
	}
	l := &Launch{Command: run.program, Args: slices.Clone(run.args), Env: map[string]string{}}
	for _, variable := range p.EnvironmentVariables {
		if variable.Name == "" || strings.ContainsAny(variable.Name, "=\x00\r\n ") {
			return nil, fmt.Errorf("%.100q is not the name of a variable", variable.Name)
		}
		value, ok := r.value(variable.Name, variable.Value, variable.Variables)
		if !ok {
			continue
		}
		l.Env[variable.Name] = value
		if p.RegistryType == "oci" { // also pass the variable to the container
			l.Args = append(l.Args, "-e", variable.Name)
		}
	}
	for _, arg := range r.arguments(p.RuntimeArguments) {
		if !slices.Contains(run.args, arg) { // some publishers add -y themselves
			l.Args = append(l.Args, arg)
		}
	}
	name := p.Identifier
	if p.Version != "" && p.RegistryType != "oci" {
		name += run.versionMark + p.Version
	}
	l.Args = append(append(l.Args, name), run.after...)
	if arguments := r.arguments(p.PackageArguments); len(arguments) > 0 {
		if run.after != nil {
			l.Args = append(l.Args, "--")
		}
		l.Args = append(l.Args, arguments...)
	}
	return l, nil
}

// arguments returns the arguments of a command. A value follows the name of its argument.
func (r *resolver) arguments(list []Argument) []string {
	var args []string
	for _, a := range list {
		if a.Type != "named" {
			if value, ok := r.value(a.ValueHint, a.Value, a.Variables); ok {
				args = append(args, value)
			}
			continue
		}
		name := strings.TrimLeft(a.Name, "-")
		flag := a.Value.Value == "" && a.Default == "" && !a.Required && len(a.Choices) == 0 && a.Placeholder == "" && a.Format == "" && a.Description == ""
		if flag { // a flag has no value
			args = append(args, a.Name)
			continue
		}
		if value, ok := r.value(name, a.Value, a.Variables); ok {
			if args = append(args, a.Name); value != "" {
				args = append(args, value)
			}
		}
	}
	return args
}

func (t *Transport) resolve(r *resolver) (*Launch, error) {
	if t.Type != "streamable-http" && t.Type != "sse" {
		return nil, fmt.Errorf("the transport %.100q is unknown", t.Type)
	}
	l := &Launch{URL: r.expand(t.URL, t.Variables), Headers: map[string]string{}, SSE: t.Type == "sse"}
	for _, header := range t.Headers {
		if header.Name == "" || strings.ContainsAny(header.Name, ":\x00\r\n ") {
			return nil, fmt.Errorf("%.100q is not the name of a header", header.Name)
		}
		variables := header.Variables
		if variables == nil {
			variables = t.Variables
		}
		if value, ok := r.value(header.Name, header.Value, variables); ok {
			l.Headers[header.Name] = value
		}
	}
	if len(r.missing) > 0 {
		return l, nil
	}
	u, err := url.Parse(l.URL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return nil, errors.New("the address of the server is not an http or https URL without a user and password")
	}
	return l, nil
}
