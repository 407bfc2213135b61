// Package registry is a client for registries of MCP servers, such as the official one. It also
// checks server.json, the file with which a server is published.
//
//	r := &registry.Client{}
//	for entry, err := range r.Search(ctx, &registry.Query{Text: "weather"}) {
//		…
//	}
//	entry, err := r.Get(ctx, "io.github.someone/weather", "")
//	for _, way := range entry.Server.Ways() { // how the server can be started or reached
//		launch, err := way.Launch(values) // the command, or the URL, with the user's values for way.Inputs()
//	}
//
// The descriptions of servers and the commands in a Launch come from publishers. Show a command to
// the user before you run it.
package registry

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// DefaultURL is the address of the official registry.
const DefaultURL = "https://registry.modelcontextprotocol.io"

const (
	apiPath       = "/v0.1"
	officialMeta  = "io.modelcontextprotocol.registry/official"
	publisherMeta = "io.modelcontextprotocol.registry/publisher-provided"

	requestTimeout  = 30 * time.Second
	maxAnswer       = 16 << 20 // maximum size in bytes of a response from a registry
	maxErrorText    = 512      // maximum length in bytes of the text in a registry's error
	maxPages        = 1000     // maximum number of pages in a search
	maxEntries      = 100_000  // maximum number of entries in a search
	defaultPageSize = 100
)

// A Client sends requests to a registry. The zero value uses the official one. Its methods are safe
// for concurrent use.
type Client struct {
	// URL is the address of the registry, without the version of its API; DefaultURL if empty.
	URL string
	// HTTP sends the requests. Nil means a client with a timeout of 30 seconds.
	HTTP *http.Client
	// UserAgent is sent with requests.
	UserAgent string
}

// A Query selects servers.
type Query struct {
	// Text is a part of the server's name. Registries do not search descriptions.
	Text string
	// Version selects a version of each server. Empty means the newest version. AllVersions selects
	// all of them.
	Version     string
	AllVersions bool
	// UpdatedSince selects entries that have changed since that time, including deleted ones.
	UpdatedSince time.Time
	// Deleted includes deleted entries.
	Deleted bool
	// PageSize is the number of entries per request; default 100. Registries may send fewer.
	PageSize int
}

// Status is the state of a version of a server in the registry.
type Status string

// The values of Status. A deleted version must not be installed, because it may be harmful.
const (
	StatusActive     Status = "active"
	StatusDeprecated Status = "deprecated"
	StatusDeleted    Status = "deleted"
)

// An Entry is a version of a server in a registry.
type Entry struct {
	Server Server
	// Status is empty if the registry does not specify it.
	Status Status
	// StatusMessage explains why a version is deprecated or deleted.
	StatusMessage string
	PublishedAt   time.Time
	UpdatedAt     time.Time
	Latest        bool // whether this is the newest version
	// Meta contains all metadata of the entry in the registry.
	Meta map[string]json.RawMessage
}

// UnmarshalJSON decodes an entry in a registry's response.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var raw struct {
		Server *Server                    `json:"server"`
		Meta   map[string]json.RawMessage `json:"_meta"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	if raw.Server == nil || raw.Server.Name == "" {
		return errors.New("an entry has no server, or the server has no name")
	}
	*e = Entry{Server: *raw.Server, Meta: raw.Meta}
	if raw.Meta[officialMeta] == nil {
		return nil
	}
	var official struct {
		Status        Status    `json:"status"`
		StatusMessage string    `json:"statusMessage"`
		PublishedAt   time.Time `json:"publishedAt"`
		UpdatedAt     time.Time `json:"updatedAt"`
		Latest        bool      `json:"isLatest"`
	}
	if err := json.Unmarshal(raw.Meta[officialMeta], &official); err != nil {
		return fmt.Errorf("the server %.200q: %s: %w", raw.Server.Name, officialMeta, err)
	}
	e.Status, e.StatusMessage, e.Latest = official.Status, official.StatusMessage, official.Latest
	e.PublishedAt, e.UpdatedAt = official.PublishedAt, official.UpdatedAt
	return nil
}

// ErrNotFound is wrapped by the errors of Client's methods if the registry does not contain the
// server or the version.
var ErrNotFound = errors.New("not in the registry")

// An Error is an unsuccessful response from the registry.
type Error struct {
	Status  int    // HTTP status
	Message string // the registry's text
}

func (e *Error) Error() string {
	text := fmt.Sprintf("the registry answered with status %d", e.Status)
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Is reports whether target is ErrNotFound and the registry does not contain the requested entry.
func (e *Error) Is(target error) bool {
	return target == ErrNotFound && e.Status == http.StatusNotFound
}

// Search returns an iterator over servers, which requests one page after another. A nil query
// selects the newest version of each server. If there is an error, it comes last, and the list is
// incomplete.
func (c *Client) Search(ctx context.Context, query *Query) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		params := query.params()
		seen, count := map[string]bool{}, 0
		for range maxPages {
			page, next, err := c.list(ctx, "/servers?"+params.Encode())
			if err != nil {
				yield(nil, err)
				return
			}
			for _, entry := range page {
				if count++; count > maxEntries {
					yield(nil, fmt.Errorf("the registry's list has more than %d entries", maxEntries))
					return
				}
				if !yield(entry, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			if seen[next] {
				yield(nil, errors.New("the registry repeats the cursor of an earlier page"))
				return
			}
			seen[next] = true
			params.Set("cursor", next)
		}
		yield(nil, fmt.Errorf("the registry's list has more than %d pages", maxPages))
	}
}

func (q *Query) params() url.Values {
	if q == nil {
		q = &Query{}
	}
	size := q.PageSize
	if size <= 0 {
		size = defaultPageSize
	}
	params := url.Values{"limit": {strconv.Itoa(size)}}
	if q.Text != "" {
		params.Set("search", q.Text)
	}
	switch {
	case q.AllVersions:
	case q.Version != "":
		params.Set("version", q.Version)
	default:
		params.Set("version", "latest")
	}
	if !q.UpdatedSince.IsZero() {
		params.Set("updated_since", q.UpdatedSince.UTC().Format(time.RFC3339))
	}
	if q.Deleted {
		params.Set("include_deleted", "true")
	}
	return params
}

// Get returns a version of a server; an empty version means the newest. It also returns deleted
// versions, so check the Status. The error wraps ErrNotFound if there is no such server or version.
func (c *Client) Get(ctx context.Context, name, version string) (*Entry, error) {
	version = cmp.Or(version, "latest")
	entry := &Entry{}
	if err := c.get(ctx, serverPath(name)+"/"+url.PathEscape(version)+"?include_deleted=true", entry); err != nil {
		return nil, fmt.Errorf("the server %.200q in version %.100q: %w", name, version, err)
	}
	if entry.Server.Name != name || version != "latest" && entry.Server.Version != version {
		return nil, fmt.Errorf("the registry answered with %.200q in version %.100q instead of %.200q in version %.100q", entry.Server.Name, entry.Server.Version, name, version)
	}
	return entry, nil
}

// Versions returns all versions of a server, newest first, including deleted ones. The error wraps
// ErrNotFound if there is no such server.
func (c *Client) Versions(ctx context.Context, name string) ([]*Entry, error) {
	entries, _, err := c.list(ctx, serverPath(name)+"?include_deleted=true")
	if err != nil {
		return nil, fmt.Errorf("the server %.200q: %w", name, err)
	}
	for _, e := range entries {
		if e.Server.Name != name {
			return nil, fmt.Errorf("the registry answered with versions of %.200q instead of %.200q", e.Server.Name, name)
		}
	}
	return entries, nil
}

func serverPath(name string) string { return "/servers/" + url.PathEscape(name) + "/versions" }

func (c *Client) list(ctx context.Context, path string) (entries []*Entry, next string, err error) {
	var page struct {
		Servers  []*Entry `json:"servers"`
		Metadata struct {
			NextCursor string `json:"nextCursor"`
		} `json:"metadata"`
	}
	if err := c.get(ctx, path, &page); err != nil {
		return nil, "", err
	}
	for _, e := range page.Servers {
		if e == nil {
			return nil, "", errors.New("the registry's list has an empty entry")
		}
	}
	return page.Servers, page.Metadata.NextCursor, nil
}

// get requests a path of the API and decodes the response.
func (c *Client) get(ctx context.Context, path string, result any) error {
	base := cmp.Or(strings.TrimSuffix(c.URL, "/"), DefaultURL)
	client := c.HTTP
	if client == nil {
		client = &http.Client{Timeout: requestTimeout}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+apiPath+path, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json")
	if c.UserAgent != "" {
		request.Header.Set("User-Agent", c.UserAgent)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return fmt.Errorf("reading the registry's response: %w", err)
	}
	if len(data) > maxAnswer {
		return fmt.Errorf("the registry's response has more than %d bytes", maxAnswer)
	}
	if response.StatusCode != http.StatusOK {
		return &Error{response.StatusCode, errorText(data)}
	}
	if err := json.Unmarshal(data, result); err != nil {
		return fmt.Errorf("the registry's response does not have the format of its API: %w", err)
	}
	return nil
}

// errorText returns the text of an error, which registries send in one of two formats.
func errorText(data []byte) string {
	var e struct {
		Error  string `json:"error"`
		Detail string `json:"detail"`
	}
	if json.Unmarshal(data, &e) != nil {
		return ""
	}
	text := cmp.Or(e.Detail, e.Error)
	if len(text) > maxErrorText {
		text = text[:maxErrorText] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
