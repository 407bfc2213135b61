package setup

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/quote"
)

// Status describes how docent is set up in a host, for the user or in a project.
type Status struct {
	Host, Title string
	Path        string   // configuration file, or "" if the host has none in projects
	Command     []string // command and arguments of docent's entry, or nil if there is none
	Env         []string // variables of the entry, NAME=value
	Disabled    bool
	Rule        string // rule file, or "" if the host has none
	RuleState   string // "current", "out of date" or "missing"
	Hook        string // file of the hook, or "" if docent has none for the host
	HookCommand string // command line of docent's hook, or "" if there is none
	HookProgram string // program that HookCommand runs, or "" if only the shell knows it
	Err         error  // why the configuration cannot be read
	HookErr     error  // why the file of the hook cannot be read
}

// Inspect returns the status of all hosts on the machine for the user. If project is not empty, it returns that of the hosts
// for which docent is set up in the files of that directory.
func Inspect(m Machine, project string) []Status {
	var list []Status
	for _, h := range hosts() {
		if project == "" && !m.installed(&h) {
			continue
		}
		if s := m.inspect(&h, project); project == "" || s.Command != nil || s.HookCommand != "" {
			list = append(list, s)
		}
	}
	return list
}

func (m Machine) inspect(h *host, project string) Status {
	s := Status{Host: h.name, Title: h.title}
	config, place := h.user, &h.userRule
	if project != "" {
		config, place = h.project, &h.projectRule
	}
	if s.Path = m.inspected(config, project); s.Path != "" {
		s.readEntry(h)
	}
	if s.Rule = m.inspected(place.paths, project); s.Rule != "" {
		s.RuleState = place.state(s.Rule)
	}
	if h.hook != nil {
		files := h.hook.user
		if project != "" {
			files = h.hook.project
		}
		if s.Hook = m.inspected(files, project); s.Hook != "" {
			s.readHook(h.hook)
		}
	}
	return s
}

// inspected returns the path of a file that is read, or "" if there is none. Links in a project do not lead out of it.
func (m Machine) inspected(p paths, project string) string {
	path := m.choose(p, project)
	if path != "" && project != "" {
		if _, err := follow(path, project); err != nil {
			return ""
		}
	}
	return path
}

// readTree decodes a file. If the file does not exist, the result is empty.
func readTree(f format, path string) (map[string]any, error) {
	data, err := readFile(path)
	if err != nil || data == nil {
		return nil, err
	}
	tree, err := decode(f, data)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, quote.Error(err))
	}
	return tree, nil
}

func (s *Status) readHook(h *hook) {
	var tree map[string]any
	tree, s.HookErr = readTree(jsonFormat, s.Hook)
	element, _ := h.find(tree)
	s.HookCommand = h.commandOf(element)
	s.HookProgram = programOf(s.HookCommand)
}

// programOf returns the program that a command line starts, or "" if it depends on the shell or on
// the working directory.
func programOf(line string) string {
	if rest, ok := strings.CutPrefix(line, "'"); ok {
		program, _, _ := strings.Cut(strings.ReplaceAll(rest, `'\''`, "\x00"), "'")
		return strings.ReplaceAll(program, "\x00", "'")
	}
	program, _, _ := strings.Cut(line, " ")
	if rest, ok := strings.CutPrefix(line, `"`); ok {
		program, _, _ = strings.Cut(rest, `"`)
	}
	if strings.ContainsAny(program, "~$%`=") || !filepath.IsAbs(program) && strings.ContainsAny(program, `/\`) {
		return ""
	}
	return program
}

func (s *Status) readEntry(h *host) {
	var tree map[string]any
	tree, s.Err = readTree(h.format, s.Path)
	current, ok := lookUp(tree, append(slices.Clone(h.key), serverName)).(map[string]any)
	if !ok {
		return
	}
	for _, f := range h.entry {
		switch f.value {
		case command, arguments, argv:
			s.Command = append(s.Command, stringsOf(current[f.name])...)
		}
	}
	s.Disabled = current["disabled"] == true || current["enabled"] == false
	for _, name := range []string{"env", "envs", "environment"} {
		variables, _ := current[name].(map[string]any)
		for name, value := range variables {
			s.Env = append(s.Env, fmt.Sprintf("%s=%v", name, value))
		}
	}
	slices.Sort(s.Env)
}

func stringsOf(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var list []string
		for _, item := range v {
			list = append(list, fmt.Sprint(item))
		}
		return list
	}
	return nil
}
