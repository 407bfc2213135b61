package openapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/mcp"
)

// maxShaped is the maximum size in bytes of a response that is passed to Options.Shape.
const maxShaped = 16 << 20

// errLate is the cause of a context whose request has taken longer than Options.Timeout.
var errLate = errors.New("the request took too long")

// do sends the request for the arguments and returns the API's response as a result.
func (c *call) do(ctx context.Context, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.opts.Timeout, errLate)
	defer cancel()
	req, err := c.request(ctx, arguments)
	if err != nil {
		return nil, err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok { // the error's text contains the URL, which may contain a key
			err = failed.Err
		}
		if isLate(ctx, err) {
			err = fmt.Errorf("no response within %v", c.opts.Timeout)
		}
		return nil, fmt.Errorf("%s %s: %w", c.operation.Method, c.operation.Path, err)
	}
	defer resp.Body.Close()
	return c.result(ctx, resp)
}

// isLate reports whether a request failed because of Options.Timeout and not because of an earlier
// deadline of the call. Some versions of net/http return the cause, and others return the context's
// error.
func isLate(ctx context.Context, err error) bool {
	return errors.Is(context.Cause(ctx), errLate) && (errors.Is(err, errLate) || errors.Is(err, context.DeadlineExceeded))
}

// result returns the response in the form that the model receives.
func (c *call) result(ctx context.Context, resp *http.Response) (*mcp.CallToolResult, error) {
	limit := c.opts.MaxResponseBytes
	isJSON, isText := kindOf(resp.Header.Get("Content-Type"))
	if isJSON && c.opts.Shape != nil {
		limit = max(limit, maxShaped)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
	if isLate(ctx, err) {
		err = fmt.Errorf("it did not end within %v", c.opts.Timeout)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: reading the response: %w", c.operation.Method, c.operation.Path, err)
	}
	more := len(body) > limit
	failed := resp.StatusCode < 200 || resp.StatusCode > 299
	if isJSON && more && c.opts.Shape != nil && !failed { // even the beginning of the body may contain data that Shape would omit
		return nil, fmt.Errorf("%s %s: the response is larger than %d bytes, so it cannot be shaped; ask for less", c.operation.Method, c.operation.Path, limit)
	}
	if isJSON && !more {
		if c.opts.Shape != nil && !failed {
			if body, err = c.opts.Shape(c.operation.Operation, body); err != nil {
				return nil, fmt.Errorf("%s %s: the response cannot be shaped: %w", c.operation.Method, c.operation.Path, err)
			}
		}
		var compact bytes.Buffer
		if json.Compact(&compact, body) == nil {
			body = compact.Bytes()
		}
	}
	var text string
	switch {
	case !isJSON && !isText && len(body) > 0 && !utf8.Valid(body):
		text, more = fmt.Sprintf("The response is binary (%s) and is not shown.", clean(resp.Header.Get("Content-Type"), 100)), false
	default:
		if len(body) > c.opts.MaxResponseBytes {
			body, more = body[:c.opts.MaxResponseBytes], true
		}
		text = strings.ToValidUTF8(string(body), "\ufffd")
	}
	if more {
		text += fmt.Sprintf("\n\n[The response is longer; only the first %d bytes are shown. Ask for less, such as one page or fewer entries.]", c.opts.MaxResponseBytes)
	}
	if failed || text == "" {
		head := "HTTP " + clean(resp.Status, 100)
		if location := resp.Header.Get("Location"); location != "" && resp.StatusCode/100 == 3 {
			head += " to another address, which is not followed"
		}
		text = strings.TrimSpace(head + "\n" + text)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(text)}, IsError: failed}, nil
}

// kindOf reports whether a content type is JSON and whether it is text.
func kindOf(contentType string) (isJSON, isText bool) {
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false, false
	}
	isJSON = mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")
	return isJSON, strings.HasPrefix(mediaType, "text/") || mediaType == "application/xml" || strings.HasSuffix(mediaType, "+xml")
}
