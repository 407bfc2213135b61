package python

import (
	"bytes"
	"cmp"
	"errors"
	"html"
	"io"
	"iter"
	"net/url"
	"path"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	nethtml "golang.org/x/net/html"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// page contains the parts of an index's response about a project that docent uses. It is cached
// in this form.
type page struct {
	ecosystem.Validity

	Files  []release `json:"files"`
	Status string    `json:"status,omitempty"` // "quarantined", "archived", "deprecated" (PEP 792)

	byVersion []versionFiles // see versions
}

// versionFiles are the files of one version.
type versionFiles struct {
	version string          // as it is written in the file names
	parsed  *pep440.Version // nil if the text is not a version
	files   []int           // indexes of page.Files
}

// is reports whether two versions are the same, however they are written.
func (v *versionFiles) is(version string, parsed *pep440.Version) bool {
	return v.version == version || v.parsed != nil && parsed != nil && v.parsed.Compare(*parsed) == 0
}

func versionOf(text string) *pep440.Version {
	v, err := pep440.Parse(text)
	if err != nil {
		return nil
	}
	return &v
}

// release is a file on a page.
type release struct {
	File   string `json:"f"`
	URL    string `json:"u"`
	SHA256 string `json:"h,omitempty"`
	Size   int64  `json:"s,omitempty"` // 0 if the index does not specify it
	Python string `json:"p,omitempty"` // the value of requires-python: ">=3.8"
	Yanked string `json:"y,omitempty"` // reason for yanking, empty if it is not yanked
	Time   string `json:"d,omitempty"` // upload time (PEP 700), in RFC 3339
	// Metadata is true if the METADATA is at URL + ".metadata" (PEP 658). MetadataSHA256 is its
	// hash, if the index provides one.
	Metadata       bool   `json:"m,omitempty"`
	MetadataSHA256 string `json:"mh,omitempty"`
}

const (
	maxPage      = 128 << 20 // maximum size of a response, in bytes
	maxPageFiles = 200_000   // maximum number of files in a project
	// acceptPage is the Accept header of requests for pages. It prefers JSON to HTML.
	acceptPage = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01"
)

// errNoPage means that a response is not a page of an index.
var errNoPage = errors.New("it is not a page of a package index")

// parsePage reads the response from an index, JSON or HTML, about a project with a normalized
// name. It skips files named for other projects. base is the URL of the page, to which links
// are relative.
func parsePage(body io.Reader, base *url.URL, name string) (*page, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\uFEFF")), " \t\r\n")
	if bytes.HasPrefix(data, []byte("{")) {
		return parseJSONPage(data, base, name)
	}
	if !bytes.HasPrefix(data, []byte("<")) {
		return nil, errNoPage
	}
	return parseHTMLPage(data, base, name)
}

func parseJSONPage(data []byte, base *url.URL, name string) (*page, error) {
	var raw struct {
		Meta struct {
			Version string `json:"api-version"`
		} `json:"meta"`
		Status struct {
			Status string `json:"status"`
		} `json:"project-status"`
		Files []struct {
			File     string            `json:"filename"`
			URL      string            `json:"url"`
			Hashes   map[string]string `json:"hashes"`
			Size     int64             `json:"size"`
			Python   string            `json:"requires-python"`
			Yanked   jsontext.Value    `json:"yanked"`
			Time     string            `json:"upload-time"`
			Core     jsontext.Value    `json:"core-metadata"`
			DistInfo jsontext.Value    `json:"dist-info-metadata"`
		} `json:"files"`
	}
	if json.Unmarshal(data, &raw, lenient) != nil || raw.Meta.Version != "" && !strings.HasPrefix(raw.Meta.Version, "1.") || raw.Files == nil {
		return nil, errNoPage
	}
	p := &page{Files: []release{}, Status: raw.Status.Status}
	for _, f := range raw.Files {
		r := release{File: f.File, URL: f.URL, SHA256: f.Hashes["sha256"], Size: max(f.Size, 0), Python: f.Python, Time: f.Time}
		reason := ""
		switch {
		case f.Yanked.Kind() == '"' && json.Unmarshal(f.Yanked, &reason, lenient) == nil:
			r.Yanked = oneLine(reason)
			fallthrough
		case f.Yanked.Kind() == 't':
			r.Yanked = cmp.Or(r.Yanked, ecosystem.NoReason)
		}
		for _, v := range []jsontext.Value{f.DistInfo, f.Core} {
			var hashes map[string]string
			if v.Kind() == 't' || v.Kind() == '{' && json.Unmarshal(v, &hashes, lenient) == nil {
				r.Metadata, r.MetadataSHA256 = true, hashes["sha256"]
			}
		}
		p.add(r, base, name)
	}
	p.group()
	return p, nil
}

// add adds a file to the page if its name belongs to the project.
func (p *page) add(r release, base *url.URL, name string) {
	if f, ok := parseFileName(r.File); !ok || f.Name != name || len(p.Files) >= maxPageFiles {
		return
	}
	u, err := base.Parse(r.URL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "file" {
		return
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	r.URL = u.String()
	p.Files = append(p.Files, r)
}

// parseHTMLPage reads the anchors of a page as PEP 503 defines them.
func parseHTMLPage(data []byte, base *url.URL, name string) (*page, error) {
	p := &page{Files: []release{}}
	z := nethtml.NewTokenizer(bytes.NewReader(data))
	z.SetMaxBuf(1 << 20)
	anchors := 0
	title := false
	for {
		switch z.Next() {
		case nethtml.ErrorToken:
			if !errors.Is(z.Err(), io.EOF) || anchors == 0 && !title {
				return nil, errNoPage
			}
			p.group()
			return p, nil
		case nethtml.StartTagToken, nethtml.SelfClosingTagToken:
			tag, more := z.TagName()
			switch string(tag) {
			case "a":
				anchors++
				p.add(releaseOf(z, more), base, name)
			case "base":
				attributes := attributesOf(z, more)
				if u, err := base.Parse(attributes["href"]); err == nil && attributes["href"] != "" {
					base = u
				}
			case "title", "h1":
				title = true
			}
		}
	}
}

func attributesOf(z *nethtml.Tokenizer, more bool) map[string]string {
	attributes := map[string]string{}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		attributes[string(key)] = string(value)
	}
	return attributes
}

// releaseOf reads the attributes of an anchor.
func releaseOf(z *nethtml.Tokenizer, more bool) release {
	a := attributesOf(z, more)
	r := release{URL: a["href"], Python: html.UnescapeString(a["data-requires-python"])}
	u, err := url.Parse(r.URL)
	if err != nil {
		return release{}
	}
	r.File = path.Base(u.Path)
	if sum, ok := strings.CutPrefix(u.Fragment, "sha256="); ok {
		r.SHA256 = sum
	}
	if reason, ok := a["data-yanked"]; ok {
		if r.Yanked = oneLine(reason); r.Yanked == "" {
			r.Yanked = ecosystem.NoReason
		}
	}
	for _, key := range []string{"data-dist-info-metadata", "data-core-metadata"} {
		if v, ok := a[key]; ok && v != "false" {
			r.Metadata = true
			r.MetadataSHA256 = strings.TrimPrefix(v, "sha256=")
			if v == "true" {
				r.MetadataSHA256 = ""
			}
		}
	}
	return r
}

// group groups the files of the page by version. It must be called before the page is shared.
func (p *page) group() {
	index := map[string]int{}
	p.byVersion = nil
	for n := range p.Files {
		version := versionIn(p.Files[n].File)
		i, ok := index[version]
		if !ok {
			i = len(p.byVersion)
			index[version] = i
			p.byVersion = append(p.byVersion, versionFiles{version: version, parsed: versionOf(version)})
		}
		p.byVersion[i].files = append(p.byVersion[i].files, n)
	}
}

// versions returns the versions of the page's files, without duplicates.
func (p *page) versions() []string {
	versions := make([]string, len(p.byVersion))
	for i := range p.byVersion {
		versions[i] = p.byVersion[i].version
	}
	return versions
}

// filesOf returns the files of a version, however it is written.
func (p *page) filesOf(version string) iter.Seq2[*release, *fileName] {
	return func(yield func(*release, *fileName) bool) {
		parsed := versionOf(version)
		for i := range p.byVersion {
			if !p.byVersion[i].is(version, parsed) {
				continue
			}
			for _, n := range p.byVersion[i].files {
				r := &p.Files[n]
				if name, ok := parseFileName(r.File); ok && !yield(r, &name) {
					return
				}
			}
		}
	}
}

// validProject reports whether a name can be part of an index's URL.
func validProject(name string) bool { return pep508.ValidName(name) }
