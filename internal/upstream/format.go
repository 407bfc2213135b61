package upstream

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apicodec"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/quote"
)

// MediaType is the media type of encoded packages.
const MediaType = "application/vnd.docent.package"

// magic begins an encoded package. The number of its format and a line feed follow, then the SHA-256
// sum of the rest, then the package as apicodec.Decode reads it.
const magic = "docent package "

// Encode returns a package as servers send it.
func Encode(p *apidoc.Package) ([]byte, error) {
	e, err := apicodec.Encode(p)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s%d\n", magic, apicodec.Format)
	begin := out.Len() + sha256.Size
	out.Grow(sha256.Size + e.Len())
	out.Write(make([]byte, sha256.Size))
	w := bufio.NewWriter(&out)
	if err := errors.Join(e.Write(w), w.Flush()); err != nil {
		return nil, err
	}
	data := out.Bytes()
	sum := sha256.Sum256(data[begin:])
	copy(data[begin-sha256.Size:], sum[:])
	return data, nil
}

// decode is the inverse of Encode. It accepts no package that a reader could not have made.
func decode(data string) (*apidoc.Package, error) {
	head, _, ok := strings.Cut(data[:min(len(data), len(magic)+20)], "\n")
	format, found := strings.CutPrefix(head, magic)
	number, err := strconv.Atoi(format)
	if !ok || !found || err != nil {
		return nil, errors.New("it is not an encoded package")
	}
	if number != apicodec.Format {
		return nil, fmt.Errorf("its packages have format %d, but this version of docent reads format %d; update the older of the two", number, apicodec.Format)
	}
	rest := data[len(head)+1:]
	if len(rest) < sha256.Size {
		return nil, errors.New("it is incomplete")
	}
	if sum := sha256.Sum256([]byte(rest[sha256.Size:])); string(sum[:]) != rest[:sha256.Size] {
		return nil, errors.New("its checksum does not match")
	}
	p, err := apicodec.Decode(rest[sha256.Size:])
	if err == nil {
		err = apicodec.Check(p)
	}
	return p, err
}

// A Failure is the form in which servers send an ecosystem.Error.
type Failure struct {
	Reason   ecosystem.Reason    `json:"reason"`
	What     string              `json:"what"`
	Next     string              `json:"next,omitempty"`
	Near     []string            `json:"near,omitempty"`
	Unsure   bool                `json:"unsure,omitempty"`
	Foreign  bool                `json:"foreign,omitempty"`
	Packages []SubpackageFailure `json:"packages,omitempty"`
}

// A SubpackageFailure is a package of a module that has no package at its root.
type SubpackageFailure struct {
	Name     string `json:"name"`
	Synopsis string `json:"synopsis,omitempty"`
	Command  bool   `json:"command,omitempty"`
}

// maxFailurePackages is the maximum number of packages in a Failure.
const maxFailurePackages = 2000

// NewFailure returns err in the form in which servers send it, or nil if it is not an error of
// package ecosystem.
func NewFailure(err error) *Failure {
	e, ok := errors.AsType[*ecosystem.Error](err)
	if !ok {
		return nil
	}
	f := &Failure{Reason: e.Reason, What: e.What, Next: e.Next, Near: e.Near, Unsure: e.Unsure, Foreign: e.Foreign}
	for _, p := range e.Packages[:min(len(e.Packages), maxFailurePackages)] {
		f.Packages = append(f.Packages, SubpackageFailure(p))
	}
	return f
}

const (
	maxSentence = 1000 // maximum size in bytes of a sentence of a server
	maxNear     = 20   // maximum number of names that a server suggests
	maxName     = 300  // maximum size in bytes of such a name
)

// asError returns the error that the server at host sent. The server's text is cleaned.
func (f *Failure) asError(host string) *ecosystem.Error {
	e := &ecosystem.Error{Reason: f.Reason, What: text(f.What, maxSentence) + ", according to " + host, Next: text(f.Next, maxSentence), Unsure: f.Unsure, Foreign: f.Foreign}
	for _, name := range f.Near[:min(len(f.Near), maxNear)] {
		e.Near = append(e.Near, text(name, maxName))
	}
	for _, p := range f.Packages[:min(len(f.Packages), maxFailurePackages)] {
		if len(p.Name) <= maxName {
			e.Packages = append(e.Packages, apidoc.Subpackage{Name: text(p.Name, maxName), Synopsis: text(p.Synopsis, maxSentence), Command: p.Command})
		}
	}
	switch f.Reason {
	case ecosystem.NotFound, ecosystem.Refused, ecosystem.Unreachable, ecosystem.Invalid, ecosystem.Unreadable, ecosystem.NoneExported:
	default:
		e.Reason = ecosystem.Unreadable
	}
	return e
}

// text returns text of a server on one line, without characters that control a terminal.
func text(s string, limit int) string {
	return quote.Line(markup.Clean(s[:min(len(s), 2*limit)]), limit)
}
