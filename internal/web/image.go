package web

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

const (
	// fileView is the view of an image of the package. address.Name is the file.
	fileView = "file"
	// maxImages is the maximum number of images that a document shows, and maxImageBytes the maximum
	// number of bytes that are read for them. Additional images become links.
	maxImages     = 60
	maxImageBytes = 64 << 20
)

// file returns the address of an image of the same package.
func (a address) file(name string) address {
	a.Symbol, a.View, a.Name = "", fileView, name
	return a
}

// picture is an image of the package that text shows.
type picture struct {
	name string // name of the file
	href string
	kind imageKind
}

// imageKind is the media type of an image and the extension of its file name.
type imageKind struct{ mediaType, extension string }

var (
	png  = imageKind{"image/png", ".png"}
	jpeg = imageKind{"image/jpeg", ".jpg"}
	gif  = imageKind{"image/gif", ".gif"}
	webp = imageKind{"image/webp", ".webp"}
	svg  = imageKind{"image/svg+xml", ".svg"}
)

// kindOf returns the kind of an image. It is determined by the first bytes and not by the name,
// except that an SVG image, which is text, also needs the extension .svg. For other files, the kind
// is empty.
func kindOf(name string, data []byte) imageKind {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return png
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return jpeg
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		return gif
	case len(data) > 12 && bytes.HasPrefix(data, []byte("RIFF")) && string(data[8:12]) == "WEBP":
		return webp
	case strings.EqualFold(path.Ext(name), ".svg") && bytes.Contains(data[:min(len(data), 4096)], []byte("<svg")):
		return svg
	}
	return imageKind{}
}

// imageName returns the file that src, the source of an image in text in dir, refers to. It returns
// "" if the image is on another host or outside the package.
func imageName(src, dir string) string {
	u, err := url.Parse(strings.TrimSpace(src))
	if err != nil || u.Scheme != "" || u.Host != "" || u.Opaque != "" || u.Path == "" || strings.ContainsAny(u.Path, "\\\x00") {
		return ""
	}
	name, fromRoot := strings.CutPrefix(u.Path, "/")
	if name = path.Clean(name); !fromRoot {
		name = path.Join(dir, name)
	}
	if !fs.ValidPath(name) || name == "." {
		return ""
	}
	return name
}

// repositoryOf returns the owner and the name of the package's repository on GitHub as a path, or ""
// if it is elsewhere or unknown.
func (v *packageView) repositoryOf() string {
	text := strings.TrimPrefix(v.Repository, "git+")
	if text == "" {
		text = "https://" + v.Module // a Go module is named after its repository
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() != "github.com" {
		return ""
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(parts) < 2 {
		return ""
	}
	return strings.ToLower(parts[0] + "/" + strings.TrimSuffix(parts[1], ".git"))
}

// inRepository returns the file of a repository on GitHub that src, the source of an image, refers to
// by the address of a branch or tag. It returns "" for any other address.
func inRepository(src, repository string) string {
	u, err := url.Parse(strings.TrimSpace(src))
	if err != nil || u.Scheme != "https" || repository == "" {
		return ""
	}
	parts := strings.Split(strings.TrimPrefix(u.Path, "/"), "/")
	if len(parts) < 4 || strings.ToLower(parts[0]+"/"+parts[1]) != repository {
		return ""
	}
	parts = parts[2:]
	switch {
	case u.Host == "github.com" && (parts[0] == "raw" || parts[0] == "blob"):
		parts = parts[1:]
	case u.Host != "raw.githubusercontent.com":
		return ""
	}
	if parts[0] == "refs" && len(parts) > 2 {
		parts = parts[2:] // refs/heads/main
	}
	return imageName("/"+(&url.URL{Path: strings.Join(parts[1:], "/")}).EscapedPath(), ".")
}

// images returns a function that finds the images in a document in dir. The function returns nil
// if src is not an image of the package.
func (v *packageView) images(read func(string) ([]byte, error), dir string) func(src string) *picture {
	pictures := map[string]*picture{}
	size := 0
	return func(src string) *picture {
		name := imageName(src, dir)
		if name == "" {
			name = inRepository(src, v.repositoryOf())
		}
		if name == "" {
			return nil
		}
		if p, ok := pictures[name]; ok {
			return p
		}
		if len(pictures) == maxImages || size > maxImageBytes {
			return nil
		}
		pictures[name] = nil
		data, err := read(name)
		size += len(data)
		if err != nil {
			return nil
		}
		if kind := kindOf(name, data); kind != (imageKind{}) {
			pictures[name] = &picture{name, v.address.file(name).String(), kind}
		}
		return pictures[name]
	}
}

// imagePolicy is the Content-Security-Policy of an image. It stops an SVG image that is opened by
// itself from running scripts and loading anything.
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// serveFile serves an image of a package.
func (s *Site) serveFile(w http.ResponseWriter, r *http.Request, v *packageView, a address) {
	var data []byte
	err := s.lookup.Files(r.Context(), v.question, v.Package, func(read func(string) ([]byte, error)) (err error) {
		data, err = read(a.Name)
		return err
	})
	kind := kindOf(a.Name, data)
	if err != nil || kind == (imageKind{}) {
		if _, ok := errors.AsType[*ecosystem.Error](err); !ok {
			err = ecosystem.Fail(ecosystem.NotFound, "%s has no image %.200q", v.Name, a.Name)
		}
		s.fail(w, r, err)
		return
	}
	if to := v.address.file(a.Name); to.String() != r.URL.EscapedPath() {
		redirect(w, r, to, "")
		return
	}
	w.Header().Set("Content-Type", kind.mediaType)
	w.Header().Set("Content-Security-Policy", imagePolicy)
	_, _ = w.Write(data)
}

// inertElements are the elements of SVG that do not run scripts, link, embed documents or change
// attributes.
var inertElements = strings.Fields(`svg g defs symbol use title desc metadata path rect circle ellipse line polyline polygon text tspan textPath image marker pattern mask clipPath switch style
	linearGradient radialGradient stop filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood
	feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`)

// inertNamespaces are the namespaces of elements in which editors store their own data. Browsers do
// not show these elements.
var inertNamespaces = []string{
	"http://www.inkscape.org/namespaces/inkscape", "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd", "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://creativecommons.org/ns#",
	"http://web.resource.org/cc/", "http://purl.org/dc/elements/1.1/",
}

// isInert reports whether an SVG image is harmless even if it is opened by itself without a policy
// that stops its scripts, as in a static site. Such an image contains only elements of the lists
// above, and no event handlers, links, entity declarations or styles that load something.
func isInert(data []byte) bool {
	d := xml.NewDecoder(bytes.NewReader(data))
	var text strings.Builder // The text of all elements is joined, because a comment can split a word of a style sheet.
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return !leadsOut(text.String())
		case err != nil:
			return false
		}
		switch t := token.(type) {
		case xml.CharData:
			text.Write(t)
		case xml.Directive:
			if bytes.ContainsAny(t, "[&%") {
				return false
			}
		case xml.ProcInst:
			if t.Target != "xml" {
				return false
			}
		case xml.StartElement:
			inSVG := t.Name.Space == "http://www.w3.org/2000/svg" && slices.Contains(inertElements, t.Name.Local)
			if !inSVG && !slices.Contains(inertNamespaces, t.Name.Space) || strings.Contains(t.Name.Local, ":") || slices.ContainsFunc(t.Attr, isActive) {
				return false
			}
		}
	}
}

// isActive reports whether an SVG attribute runs a script or refers to something outside the image.
func isActive(a xml.Attr) bool {
	name := strings.ToLower(a.Name.Local)
	switch {
	case strings.HasPrefix(name, "on"), name == "base", strings.Contains(name, ":"):
		return true
	case name == "href" || name == "src":
		return !isLocalReference(a.Value)
	}
	return leadsOut(a.Value)
}

// leadsOut reports whether an attribute value or a style sheet may load something from outside the
// image. It returns true for any escape, which may hide a reference.
func leadsOut(style string) bool {
	style = strings.ToLower(style)
	if strings.Contains(style, "@import") || strings.Contains(style, `\`) || strings.Contains(style, "image-set(") {
		return true
	}
	for _, rest := range strings.Split(style, "url(")[1:] {
		if !strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n\"'"), "#") {
			return true
		}
	}
	return false
}

// isLocalReference reports whether a reference in an image refers to a part of the image, or is a
// data URL of an image of a safe type.
func isLocalReference(value string) bool {
	value = strings.TrimSpace(value)
	if strings.HasPrefix(value, "#") {
		return true
	}
	for _, kind := range []imageKind{png, jpeg, gif, webp} {
		if strings.HasPrefix(value, "data:"+kind.mediaType+";") {
			return true
		}
	}
	return false
}
