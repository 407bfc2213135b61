package swiftpm

import (
	"net/url"
	"strings"
)

// Identity returns the identity of the package at a URL or path. It is the last element, in lower
// case and without ".git".
func Identity(location string) string { return strings.ToLower(LastElement(location)) }

// LastElement returns the last element of a URL or path without ".git".
func LastElement(location string) string {
	location = strings.TrimRight(location, `/\`)
	return strings.TrimSuffix(location[strings.LastIndexAny(location, `/\:`)+1:], ".git")
}

// Canonical returns a form of a URL or path that is the same for all locations of a repository. For
// example, "https://host.example/Mona/List.git" and "git@host.example:mona/list" both become
// "host.example/mona/list".
func Canonical(location string) string {
	s := strings.ToLower(location)
	scheme, rest, hasScheme := strings.Cut(s, "://")
	if hasScheme && scheme != "" && !strings.ContainsAny(scheme, "/@: ") {
		s = rest
	} else {
		scheme = ""
	}
	slash := strings.IndexByte(s, '/')
	if index := strings.IndexByte(s, '@'); index >= 0 && (slash < 0 || index < slash) {
		user, _, _ := strings.Cut(s[:index], ":")
		s = strings.Replace(s[index+1:], "/~/", "/~"+user+"/", 1)
	}
	s, _, _ = strings.Cut(s, "#")
	s, _, _ = strings.Cut(s, "?")
	host, below, _ := strings.Cut(s, "/")
	if name, port, ok := strings.Cut(host, ":"); ok {
		// This is a port, or the path in "host:path".
		if strings.Trim(port, "0123456789") == "" {
			s = name + "/" + below
		} else {
			s = name + "/" + port + "/" + below
		}
	}
	var elements []string
	for element := range strings.SplitSeq(s, "/") {
		if element == "" {
			continue
		}
		if plain, err := url.PathUnescape(element); err == nil {
			element = plain
		}
		elements = append(elements, element)
	}
	s = strings.TrimSuffix(strings.Join(elements, "/"), ".git")
	if scheme == "file" || strings.HasPrefix(location, "/") {
		s = "/" + s
	}
	return s
}

// RegistryID splits the identity of a package in a registry, such as "mona.LinkedList". ok is false
// if s is not such an identity.
func RegistryID(s string) (scope, name string, ok bool) {
	scope, name, ok = strings.Cut(s, ".")
	if !ok || !registryName(scope, 39, "-") || !registryName(name, 100, "-_") {
		return "", "", false
	}
	return scope, name, true
}

// registryName reports whether s consists of at most longest letters, digits and characters of
// marks, with marks only singly between letters or digits.
func registryName(s string, longest int, marks string) bool {
	if s == "" || len(s) > longest {
		return false
	}
	mark := true
	for _, c := range []byte(s) {
		switch {
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			mark = false
		case mark || strings.IndexByte(marks, c) < 0:
			return false
		default:
			mark = true
		}
	}
	return !mark
}
