package inspector

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/quote"
)

// maxShown is the maximum number of bytes of text or of JSON that a page shows. The whole text can
// be downloaded.
const maxShown = 256 << 10

// maxBlocks is the maximum number of content blocks that are shown.
const maxBlocks = 500

// resultView is a result on a page.
type resultView struct {
	IsError     bool // the tool has reported an error
	Description string
	Blocks      []blockView
	// Left is the number of blocks that are not shown.
	Left int
	// Structured is the structured content.
	Structured string
	// Raw is the result as the server sent it. If RawCut is true, Raw is only its beginning.
	Raw    string
	RawCut bool
	Size   int
}

// blockView is a content block on a page.
type blockView struct {
	N    int
	Type string
	// Role is the role of a prompt's message.
	Role string
	// Text is the text, or its beginning if Cut is true.
	Text string
	Cut  bool
	JSON bool // whether the text is JSON
	// Media is "image" or "audio" if the page shows the data. Data is true if the block contains
	// data.
	Media string
	Data  bool
	MIME  string
	Size  int
	// URI, Name and About describe a resource.
	URI, Name, About string
	// Notes holds the annotations and the metadata.
	Notes string
}

// block is a content block as a server sends it. The contents of a resource have the same members.
type block struct {
	Type        string          `json:"type"`
	Text        *string         `json:"text"`
	Data        string          `json:"data"`
	Blob        string          `json:"blob"`
	MIMEType    string          `json:"mimeType"`
	URI         string          `json:"uri"`
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Resource    *block          `json:"resource"`
	Annotations json.RawMessage `json:"annotations"`
	Meta        json.RawMessage `json:"_meta"`

	role string
	raw  json.RawMessage
}

// result is a result of a tool, a prompt or a resource.
type result struct {
	Content     []json.RawMessage `json:"content"`
	Structured  json.RawMessage   `json:"structuredContent"`
	Description string            `json:"description"`
	Messages    []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Contents []json.RawMessage `json:"contents"`
}

// blocks returns the blocks of a result.
func (r *result) blocks() []block {
	var all []block
	read := func(raw json.RawMessage, role string) {
		b := block{role: role, raw: raw}
		_ = json.Unmarshal(raw, &b) // malformed parts are shown as JSON
		all = append(all, b)
	}
	for _, raw := range r.Content {
		read(raw, "")
	}
	for _, m := range r.Messages {
		read(m.Content, m.Role)
	}
	for _, raw := range r.Contents {
		read(raw, "")
	}
	return all
}

// readResult reads a result as far as it is well formed.
func readResult(raw json.RawMessage) *resultView {
	var r result
	_ = json.Unmarshal(raw, &r) // malformed content is shown as JSON
	v := &resultView{Description: r.Description, Size: len(raw)}
	blocks := r.blocks()
	if len(blocks) > maxBlocks {
		v.Left = len(blocks) - maxBlocks
		blocks = blocks[:maxBlocks]
	}
	for n := range blocks {
		v.Blocks = append(v.Blocks, blocks[n].view(n))
	}
	if r.Structured != nil {
		v.Structured, _ = shorten(r.Structured)
	}
	v.Raw, v.RawCut = shorten(raw)
	return v
}

// shorten returns JSON, with line breaks if it is not too long, and reports whether the end is
// missing.
func shorten(raw json.RawMessage) (string, bool) {
	if len(raw) > maxShown {
		text, _ := cut(string(raw), maxShown)
		return show(text), true
	}
	return cut(pretty(raw), 2*maxShown)
}

// view returns a block in the form that a page shows.
func (b *block) view(n int) blockView {
	inner := b
	if b.Resource != nil {
		inner = b.Resource
	}
	v := blockView{N: n, Type: b.Type, Role: b.role, MIME: inner.MIMEType, URI: inner.URI, Name: inner.Name, About: inner.Description, Notes: notes(b)}
	if inner.Title != "" {
		v.Name = inner.Title
	}
	data := inner.encoded()
	switch {
	case b.Type == "" && b.URI != "":
		v.Type = "resource"
	case b.Type == "":
		v.Type = "malformed"
	}
	switch {
	case data != "":
		v.Data, v.Size = true, len(strings.TrimRight(data, "="))*3/4
		v.Media = mediaOf(inner.MIMEType)
	case inner.Text != nil:
		v.Text, v.Cut = cut(*inner.Text, maxShown)
		v.Size = len(*inner.Text)
		if trimmed := strings.TrimSpace(v.Text); !v.Cut && strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
			if json.Valid([]byte(trimmed)) {
				v.JSON, v.Text = true, trimmed
			}
		}
	case b.Type != "resource_link":
		v.Text, v.Cut = shorten(b.raw)
		v.Size = len(b.raw)
	}
	if v.JSON {
		v.Text = pretty(json.RawMessage(v.Text))
	} else {
		v.Text = show(v.Text)
	}
	return v
}

// encoded returns the data of a block in base64, or "" if it has none.
func (b *block) encoded() string {
	if b.Data != "" {
		return b.Data
	}
	return b.Blob
}

// notes returns the annotations and the metadata of a block as JSON.
func notes(b *block) string {
	var all []string
	for _, raw := range []json.RawMessage{b.Annotations, b.Meta} {
		if raw != nil {
			text, _ := cut(string(raw), 1<<10)
			all = append(all, show(text))
		}
	}
	return strings.Join(all, " ")
}

// mediaOf returns how a page shows data of a MIME type, "image" or "audio", or "" if it does not
// show it. It does not show SVG, which can contain scripts and links.
func mediaOf(mime string) string {
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	switch strings.TrimSpace(mime) {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp":
		return "image"
	case "audio/mpeg", "audio/mp3", "audio/mp4", "audio/wav", "audio/x-wav", "audio/wave", "audio/ogg", "audio/webm", "audio/aac", "audio/flac":
		return "audio"
	}
	return ""
}

// serveContent serves the data or the text of a block. Images and sounds are served for the page,
// and everything else as a file to download. No browser treats any of it as a page.
func (i *Inspector) serveContent(w http.ResponseWriter, r *http.Request) {
	found := i.requests.find(r.PathValue("id"))
	n, err := strconv.Atoi(r.PathValue("n"))
	if found == nil || err != nil || n < -1 {
		http.NotFound(w, r)
		return
	}
	found.mu.Lock()
	raw := found.result
	found.mu.Unlock()
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	if n == -1 && raw != nil {
		h.Set("Content-Type", "application/octet-stream")
		h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="result-%d.json"`, found.ID))
		_, _ = w.Write(raw)
		return
	}
	var res result
	_ = json.Unmarshal(raw, &res) // a malformed result has no blocks
	blocks := res.blocks()
	if n < 0 || n >= len(blocks) {
		http.NotFound(w, r)
		return
	}
	b := &blocks[n]
	if b.Resource != nil {
		b = b.Resource
	}
	var data []byte
	if encoded := b.encoded(); encoded != "" {
		if data, err = base64.StdEncoding.DecodeString(encoded); err != nil {
			http.Error(w, "The data is not base64: "+quote.Error(err).Error(), http.StatusBadGateway)
			return
		}
	} else if b.Text != nil {
		data = []byte(*b.Text)
	}
	kind := strings.ToLower(b.MIMEType)
	if b.encoded() == "" || mediaOf(kind) == "" {
		kind = "application/octet-stream"
		h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="content-%d-%d"`, found.ID, n))
	}
	h.Set("Content-Type", kind)
	_, _ = w.Write(data)
}
