package apps

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/mcp"
)

const (
	// ID is the identifier of the extension.
	ID = "io.modelcontextprotocol/ui"
	// MIMEType is the MIME type of views.
	MIMEType = "text/html;profile=mcp-app"

	scheme     = "ui://"
	metaKey    = "ui"
	oldLinkKey = "ui/resourceUri" // key of the link to a view in drafts of the extension

	maxHTML    = 8 << 20 // maximum size of a view in bytes
	maxSources = 64      // maximum number of hosts in one list of a CSP
)

// A View is a page that a server provides and hosts show.
type View struct {
	// URI begins with ui://.
	URI  string
	Name string
	// Title and Description are shown to people.
	Title       string
	Description string
	// HTML is the whole page. See WithScript.
	HTML string
	Metadata
	Caching mcp.Caching
}

// Metadata describes how a view is to be shown and what it needs from the host.
type Metadata struct {
	CSP         CSP         `json:"csp,omitzero"`
	Permissions Permissions `json:"permissions,omitzero"`
	// Domain requests a separate origin. Its form depends on the host.
	Domain string `json:"domain,omitempty"`
	// PrefersBorder requests a border and a background if it is true, and none if it is false. If
	// it is nil, the host decides.
	PrefersBorder *bool `json:"prefersBorder,omitempty"`
}

// A CSP lists the hosts that a page uses, such as https://example.com or https://*.example.com, or
// with wss:// for connections. A page cannot use any others.
type CSP struct {
	Connect  []string `json:"connectDomains,omitempty"`  // hosts that scripts may send requests to and connect to
	Resource []string `json:"resourceDomains,omitempty"` // hosts from which scripts, styles, images, fonts and media may be loaded
	Frame    []string `json:"frameDomains,omitempty"`    // hosts of frames in the page
	BaseURI  []string `json:"baseUriDomains,omitempty"`  // hosts that the page may use as the base of its URLs
}

// IsZero reports whether the lists of hosts are all empty.
func (c CSP) IsZero() bool {
	return len(c.Connect)+len(c.Resource)+len(c.Frame)+len(c.BaseURI) == 0
}

// Permissions are browser features that a page requests. The page must also work without them.
type Permissions struct {
	Camera, Microphone, Geolocation, ClipboardWrite bool
}

type permission struct {
	Camera         *struct{} `json:"camera,omitempty"`
	Microphone     *struct{} `json:"microphone,omitempty"`
	Geolocation    *struct{} `json:"geolocation,omitempty"`
	ClipboardWrite *struct{} `json:"clipboardWrite,omitempty"`
}

// MarshalJSON encodes each permission as an empty object.
func (p Permissions) MarshalJSON() ([]byte, error) {
	value := func(on bool) *struct{} {
		if on {
			return &struct{}{}
		}
		return nil
	}
	return json.Marshal(permission{value(p.Camera), value(p.Microphone), value(p.Geolocation), value(p.ClipboardWrite)})
}

// UnmarshalJSON decodes the output of MarshalJSON.
func (p *Permissions) UnmarshalJSON(data []byte) error {
	var raw permission
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*p = Permissions{raw.Camera != nil, raw.Microphone != nil, raw.Geolocation != nil, raw.ClipboardWrite != nil}
	return nil
}

// Add adds a view to a server. Use Link to link tools to it.
func Add(s *mcp.Server, v View) error {
	if err := v.check(); err != nil {
		return fmt.Errorf("view %q: %w", clip(v.URI), err)
	}
	meta := mcp.Meta{metaKey: v.Metadata}
	res := mcp.Resource{
		URI: v.URI, Name: v.Name, Title: v.Title, Description: v.Description, MIMEType: MIMEType, Size: int64(len(v.HTML)), Meta: meta, Caching: v.Caching,
	}
	return s.AddResource(res, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{{URI: v.URI, MIMEType: MIMEType, Text: v.HTML, Meta: meta}}, nil
	})
}

// check returns an error if the view breaks a rule of the extension, or could change the policy of its frame.
func (v *View) check() error {
	u, err := url.Parse(v.URI)
	switch {
	case err != nil || !strings.HasPrefix(v.URI, scheme) || u.Host == "":
		return fmt.Errorf("the URI must begin with %s and a name", scheme)
	case strings.TrimSpace(v.HTML) == "":
		return errors.New("the page is empty")
	case len(v.HTML) > maxHTML:
		return fmt.Errorf("the page has more than %d bytes", maxHTML)
	case !utf8.ValidString(v.HTML):
		return errors.New("the page is not UTF-8")
	}
	return v.CSP.check()
}

func (c CSP) check() error {
	for _, list := range [][]string{c.Connect, c.Resource, c.Frame, c.BaseURI} {
		if len(list) > maxSources {
			return fmt.Errorf("the CSP has a list of more than %d hosts", maxSources)
		}
		for _, source := range list {
			if err := checkSource(source); err != nil {
				return fmt.Errorf("the CSP: %w", err)
			}
		}
	}
	return nil
}

// checkSource returns an error unless the source is the origin of a host. Any other text, such as a
// semicolon or 'unsafe-eval', could change the policy.
func checkSource(source string) error {
	fail := fmt.Errorf("%q is not a host such as https://example.com or https://*.example.com", clip(source))
	u, err := url.Parse(strings.Replace(source, "://*.", "://", 1))
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Path != "" && u.Path != "/" {
		return fail
	}
	if !slices.Contains([]string{"https", "http", "wss", "ws"}, u.Scheme) {
		return fail
	}
	for _, r := range u.Host {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.:[]", r) {
			return fail
		}
	}
	return nil
}

// Policy returns the Content-Security-Policy for the view's frame. It allows the page's own
// scripts and styles, and the hosts in m.CSP, which Read and Add check.
func (m Metadata) Policy() string {
	var b strings.Builder
	directive := func(name, value string, hosts []string) {
		sources := strings.Join(hosts, " ")
		if value != "" && sources != "" {
			sources = value + " " + sources
		}
		sources = cmp.Or(sources, value)
		sources = cmp.Or(sources, "'none'")
		b.WriteString(name + " " + sources + "; ")
	}
	b.WriteString("default-src 'none'; ")
	directive("script-src", "'self' 'unsafe-inline'", m.CSP.Resource)
	directive("style-src", "'self' 'unsafe-inline'", m.CSP.Resource)
	directive("img-src", "'self' data:", m.CSP.Resource)
	directive("font-src", "'self' data:", m.CSP.Resource)
	directive("media-src", "'self' data:", m.CSP.Resource)
	directive("connect-src", "", m.CSP.Connect)
	directive("frame-src", "", m.CSP.Frame)
	directive("base-uri", "", m.CSP.BaseURI)
	b.WriteString("object-src 'none'; form-action 'none'")
	return b.String()
}

// Allow returns the value of the allow attribute for the view's frame. It contains the permissions
// that the view requests and the host grants.
func (m Metadata) Allow(granted Permissions) string {
	var list []string
	for _, p := range []struct {
		name string
		on   bool
	}{
		{"camera", m.Permissions.Camera && granted.Camera},
		{"microphone", m.Permissions.Microphone && granted.Microphone},
		{"geolocation", m.Permissions.Geolocation && granted.Geolocation},
		{"clipboard-write", m.Permissions.ClipboardWrite && granted.ClipboardWrite},
	} {
		if p.on {
			list = append(list, p.name)
		}
	}
	return strings.Join(list, "; ")
}

// Visibility specifies who can call a tool.
type Visibility string

// The values of Visibility. If a tool has no visibility, both the model and views can call it.
const (
	ForModel Visibility = "model"
	ForView  Visibility = "app" // views from the same server
)

// Link returns the tool with a link to a view, which hosts show when the tool is called. With a visibility, only
// the model or only views can call it: ForView hides tools that refresh a view from the model.
func Link(t mcp.Tool, viewURI string, visibility ...Visibility) mcp.Tool {
	link := map[string]any{}
	if viewURI != "" {
		link["resourceUri"] = viewURI
	}
	if len(visibility) > 0 {
		link["visibility"] = visibility
	}
	meta := mcp.Meta{}
	maps.Copy(meta, t.Meta)
	meta[metaKey] = link
	t.Meta = meta
	return t
}

// Supported reports whether the client that sent r shows views.
func Supported(r *mcp.Request) bool {
	settings, declared := r.ClientExtension(ID)
	var s struct {
		MIMETypes []string `json:"mimeTypes"`
	}
	return declared && json.Unmarshal(settings, &s) == nil && slices.Contains(s.MIMETypes, MIMEType)
}

//go:embed view.js
var script string

// WithScript returns the page with a script in its head that defines mcpApp, the page's side of the messages.
//
//	const app = await mcpApp.connect({name, version})
//
// app.context describes the host and its appearance; its theme and colors are applied. Set
// app.oninput, app.oninputpartial, app.onresult, app.oncancelled and app.oncontext to functions
// that get the params of the host's messages, before the first await after connect: messages that
// arrive earlier are kept until then. app.onteardown is called before the page is removed. The
// functions callTool(name, arguments), readResource(uri), openLink(url), message(text),
// updateContext({content, structuredContent}), displayMode(mode) and log(level, data) return
// promises. The host is notified of the page's size automatically.
func WithScript(html string) string {
	tag := "<script>" + script + "</script>"
	lower := strings.ToLower(html)
	for _, before := range []string{"<head>", "<html>", "<!doctype html>"} {
		if i := strings.Index(lower, before); i >= 0 && len(lower) == len(html) {
			i += len(before)
			return html[:i] + tag + html[i:]
		}
	}
	return tag + html
}

func clip(text string) string {
	const maximum = 128
	if len(text) > maximum {
		text = text[:maximum] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
