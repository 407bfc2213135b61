package setup

import (
	"cmp"
	"maps"
	"slices"
)

// Server is a server of others that is written into the configuration of hosts.
type Server struct {
	Name        string // of the entry
	Description string
	Command     string
	Args        []string
	Env         map[string]string
	// URL is set instead of Command for a server that is reached over HTTP. SSE is true if it
	// supports only the transport of 2024-11-05.
	URL     string
	Headers map[string]string
	SSE     bool
}

// fill returns the settings of the entry for a host. If the host cannot reach servers by their URL, it starts docent
// as a proxy.
func (s *Server) fill(h *host, program string) []field {
	if s.URL != "" && (h.remote == nil || s.SSE) {
		args := []string{"mcp", "proxy", s.URL}
		for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
			args = append(args, "--header", name+": "+s.Headers[name])
		}
		s = &Server{Name: s.Name, Description: s.Description, Command: program, Args: args}
	}
	template := h.entry
	if s.URL != "" {
		template = h.remote
	}
	env := cmp.Or(h.env, "env")
	var fields []field
	for _, f := range template {
		switch {
		case f.value == command:
			f.value = s.Command
		case f.value == arguments:
			f.value = append([]string{}, s.Args...)
		case f.value == argv:
			f.value = append([]string{s.Command}, s.Args...)
		case f.value == address:
			f.value = s.URL
		case f.value == headers:
			if len(s.Headers) == 0 {
				continue
			}
			f.value = fieldsOf(s.Headers)
		case f.name == "name":
			f.value = s.Name
		case f.name == "description":
			f.value = s.Description
		case f.name == env:
			continue
		}
		fields = append(fields, f)
	}
	if len(s.Env) > 0 && s.URL == "" {
		fields = append(fields, field{env, fieldsOf(s.Env)})
	}
	return fields
}

// fieldsOf returns a map in the order of its names.
func fieldsOf(m map[string]string) []field {
	var fields []field
	for _, name := range slices.Sorted(maps.Keys(m)) {
		fields = append(fields, field{name, m[name]})
	}
	return fields
}
