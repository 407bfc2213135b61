package fetch

import "strings"

// Login is the entry of a netrc file for one host.
type Login struct {
	Machine  string // host name; empty for the default entry
	User     string
	Password string
}

// ParseNetrc parses a netrc file. It skips macros and unknown keywords.
func ParseNetrc(data []byte) []Login {
	var logins []Login
	var words []string
	macro, value := false, false // macro is true if the line is in a macro, and value if the next word is a value.
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if macro {
			macro = len(fields) > 0 // a macro ends with an empty line
			continue
		}
		if len(fields) > 0 && strings.HasPrefix(fields[0], "#") {
			continue
		}
		for _, f := range fields {
			// A password may be "macdef"; only a keyword position begins a
			// macro.
			if macro = f == "macdef" && !value; macro {
				break
			}
			words = append(words, f)
			value = !value && f != "default"
		}
	}
	for len(words) > 0 {
		key := words[0]
		words = words[1:]
		value := ""
		if key != "default" && len(words) > 0 {
			value, words = words[0], words[1:]
		}
		switch {
		case key == "machine", key == "default":
			logins = append(logins, Login{Machine: value})
		case len(logins) == 0:
		case key == "login":
			logins[len(logins)-1].User = value
		case key == "password":
			logins[len(logins)-1].Password = value
		}
	}
	return logins
}

// LoginFor returns the first entry for a host, without port, or the default
// entry. It returns false if there is none, or if the entry has neither user nor
// password.
func LoginFor(logins []Login, host string) (Login, bool) {
	for _, l := range logins {
		if l.Machine == "" || strings.EqualFold(l.Machine, host) {
			return l, l.User != "" || l.Password != ""
		}
	}
	return Login{}, false
}
