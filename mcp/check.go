package mcp

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkName returns an error if name is not valid as the name of a prompt, a resource or an
// argument.
func checkName(name string) error {
	if len(name) == 0 || len(name) > 256 || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return errors.New("a name must have 1 to 256 bytes of UTF-8 without control characters")
	}
	return nil
}

// checkMIMEType returns an error if mime lacks a type or a subtype or contains control characters.
func checkMIMEType(mime string) error {
	kind, sub, _ := strings.Cut(mime, "/")
	if kind == "" || sub == "" || strings.ContainsFunc(mime, unicode.IsControl) {
		return fmt.Errorf("%q is not a MIME type such as text/plain", mime)
	}
	return nil
}

// checkAnnotations returns an error if the annotations of an entry are not
// valid. It is called at registration; the annotations of results are checked
// when they are encoded.
func checkAnnotations(a *Annotations) error {
	if a == nil {
		return nil
	}
	for _, role := range a.Audience {
		if !isRole(role) {
			return fmt.Errorf("annotations: the audience must be user or assistant, not %q", role)
		}
	}
	if a.Priority != nil && !(0 <= *a.Priority && *a.Priority <= 1) {
		return fmt.Errorf("annotations: the priority must be between 0 and 1, not %v", *a.Priority)
	}
	return nil
}

// checkContent returns an error if c, a block of a tool's result or of a
// prompt's message, is nil or lacks a valid MIME type or URI.
func checkContent(c Content) error {
	missing := false
	switch c := c.(type) {
	case nil:
		return errors.New("there is no content")
	case *TextContent:
		missing = c == nil
	case *ImageContent:
		if missing = c == nil; !missing {
			return checkMIMEType(c.MIMEType)
		}
	case *AudioContent:
		if missing = c == nil; !missing {
			return checkMIMEType(c.MIMEType)
		}
	case *ResourceLink:
		if missing = c == nil; !missing {
			return checkURI(c.URI)
		}
	case *EmbeddedResource:
		if missing = c == nil; !missing {
			return checkURI(c.Resource.URI)
		}
	case *ToolUseContent, *ToolResultContent:
		return fmt.Errorf("a %T is allowed only in a Sampling", c)
	}
	if missing {
		return fmt.Errorf("it is a nil %T", c)
	}
	return nil
}

func isDecimal(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// checkURI returns an error if the length or syntax of a resource's URI is not valid. The URI comes
// from a client or from a user of the library. It also refuses a URI whose path leaves the root of
// a file system; handlers that serve files rely on that.
func checkURI(uri string) error {
	if uri == "" || len(uri) > maxURI {
		return fmt.Errorf("a URI must have 1 to %d bytes", maxURI)
	}
	if err := checkURISyntax(uri); err != nil {
		return err
	}
	if len(uri) > 5 && strings.EqualFold(uri[:5], "file:") {
		return checkFilePath(uri[5:])
	}
	return nil
}

// checkFilePath returns an error for a path that contains "..", in any encoding, or NUL, which ends
// strings in C.
func checkFilePath(path string) error {
	for code, c := range map[string]string{"%2e": ".", "%2E": ".", "%2f": "/", "%2F": "/", "%5c": "/", "%5C": "/"} {
		path = strings.ReplaceAll(path, code, c)
	}
	if strings.Contains(path, "%00") {
		return errors.New("a file URI must not contain %00")
	}
	path, _, _ = strings.Cut(path, "#")
	path, _, _ = strings.Cut(path, "?")
	for segment := range strings.SplitSeq(path, "/") {
		if segment == ".." {
			return errors.New("the path of a file URI must not contain \"..\"")
		}
	}
	return nil
}

// checkURISyntax returns an error if the URI has no scheme or the rest does not
// follow RFC 3986.
func checkURISyntax(uri string) error {
	colon := strings.IndexByte(uri, ':')
	if colon < 0 || !isScheme(uri[:colon]) {
		return fmt.Errorf("%q has no scheme; a URI begins with one, as in file:///readme.md", clip(uri, 64))
	}
	rest := uri[colon+1:]
	if authority, ok := strings.CutPrefix(rest, "//"); ok {
		end := strings.IndexAny(authority, "/?#")
		if end < 0 {
			end = len(authority)
		}
		if err := checkAuthority(authority[:end]); err != nil {
			return err
		}
		rest = authority[end:]
	}
	hash := false
	for i, r := range rest {
		switch {
		case r == '%' && !isTriplet(rest[i:]):
			return errors.New("a % in a URI must be followed by two hexadecimal digits")
		case r == '#' && hash:
			return errors.New("a URI must not contain more than one #")
		case r == '%', r == '/', r == '?', isURIChar(r), r == ':', r == '@':
		case r == '#':
			hash = true
		default:
			return errNotInURI(r)
		}
	}
	return nil
}

func errNotInURI(r rune) error {
	return fmt.Errorf("%q must be percent-encoded in a URI", r)
}

func isScheme(s string) bool {
	for i, c := range []byte(s) {
		if !isAlphanumeric(c) && (c != '+' && c != '-' && c != '.') || i == 0 && c|0x20-'a' >= 26 {
			return false
		}
	}
	return s != ""
}

// checkAuthority returns an error if the part of a URI between // and the path,
// with user, host and port, is not valid.
func checkAuthority(s string) error {
	user, host, ok := strings.Cut(s, "@")
	if !ok {
		user, host = "", s
	}
	name, port, hasPort := strings.Cut(host, ":")
	if strings.HasPrefix(host, "[") {
		address, after, closed := strings.Cut(host[1:], "]")
		if ip, err := netip.ParseAddr(address); err != nil || !closed || !ip.Is6() || ip.Zone() != "" {
			return fmt.Errorf("%q is not an IPv6 address", clip(address, 64))
		}
		name, port, hasPort = strings.Cut(after, ":")
		if name != "" {
			return fmt.Errorf("%q cannot follow an IPv6 address", clip(name, 64))
		}
	}
	if hasPort && port != "" && !isDecimal(port) {
		return fmt.Errorf("a colon after the host name must be followed by a port number, not %q", clip(port, 64))
	}
	for i, r := range user + name {
		if r == '%' && isTriplet((user + name)[i:]) || isURIChar(r) || r == ':' && i < len(user) {
			continue
		}
		return errNotInURI(r)
	}
	return nil
}

// isURIChar reports whether r may occur unescaped in any part of a URI after
// the scheme.
func isURIChar(r rune) bool {
	return r < utf8.RuneSelf && (isAlphanumeric(byte(r)) || strings.IndexByte("-._~!$&'()*+,;=", byte(r)) >= 0)
}

func isTriplet(s string) bool {
	return len(s) >= 3 && s[0] == '%' && isHex(s[1]) && isHex(s[2])
}

func isHex(c byte) bool { return c-'0' < 10 || c|0x20-'a' < 6 }

// checkTemplateScheme returns an error unless the template begins with a scheme or an expression;
// otherwise, no URI could match it.
func checkTemplateScheme(template string) error {
	end := strings.IndexAny(template, ":{/?#")
	if end < 0 || template[end] != '{' && (template[end] != ':' || !isScheme(template[:end])) {
		return errors.New("a template must begin with a scheme, as in docs://{name}")
	}
	return nil
}
