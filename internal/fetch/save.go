package fetch

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // registries have nothing better for some old packages
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/quote"
)

// Digest is an expected hash of a download.
type Digest struct {
	Algorithm string // "sha512", "sha384", "sha256", "sha1"
	Sum       []byte
}

// ParseIntegrity parses a subresource integrity string, which consists of one or more values such
// as "sha512-…" separated by spaces, and returns the digests with its strongest algorithm.
func ParseIntegrity(s string) ([]Digest, error) {
	var best []Digest
	for field := range strings.FieldsSeq(s) {
		field, _, _ = strings.Cut(field, "?")
		algorithm, encoded, ok := strings.Cut(field, "-")
		sum, err := base64.StdEncoding.DecodeString(encoded)
		h := newHash(algorithm)
		if !ok || h == nil {
			continue // skip unknown algorithms
		}
		if err != nil || len(sum) != h.Size() {
			return nil, fmt.Errorf("%.80q is not an integrity string", s)
		}
		if len(best) > 0 && len(sum) != len(best[0].Sum) {
			if len(sum) < len(best[0].Sum) {
				continue
			}
			best = nil
		}
		best = append(best, Digest{algorithm, sum})
	}
	if best == nil {
		return nil, fmt.Errorf("%.80q does not contain a known kind of hash", s)
	}
	return best, nil
}

// ParseHex parses a hexadecimal digest. It fails if the algorithm is unknown or the digest has the
// wrong length.
func ParseHex(algorithm, s string) (Digest, error) {
	sum, err := hex.DecodeString(s)
	if h := newHash(algorithm); err != nil || h == nil || h.Size() != len(sum) {
		return Digest{}, fmt.Errorf("%.140q is not a %s", s, algorithm)
	}
	return Digest{algorithm, sum}, nil
}

func newHash(algorithm string) hash.Hash {
	switch algorithm {
	case "sha512":
		return sha512.New()
	case "sha384":
		return sha512.New384()
	case "sha256":
		return sha256.New()
	case "sha1":
		return sha1.New() //nolint:gosec // as above
	}
	return nil
}

// Check describes how to verify a download.
type Check struct {
	// AnyOf contains digests, one of which must match. If it is empty, any content is accepted.
	AnyOf []Digest
	// File checks the complete file. If it is nil, any file is accepted.
	File func(f *os.File, size int64) error
}

// Save downloads into an open file. If the error is nil, the file has passed
// the check. The error is an *Error.
func (c *Client) Save(ctx context.Context, r Request, f *os.File, check Check) error {
	r.ETag, r.LastModified = "", ""
	begun, saved := time.Now(), int64(0)
	// The hash covers the stored bytes, so the server must not compress them.
	err := c.retry(ctx, r, "identity", func(h http.Header, _ bool, body io.Reader) error {
		if e := h.Get("Content-Encoding"); e != "" && e != "identity" {
			return &Error{Kind: Failed, URL: Redact(r.URL), Status: http.StatusOK, Detail: "in an encoding that was not requested"}
		}
		if err := f.Truncate(0); err != nil {
			return &Error{Kind: Local, URL: Redact(r.URL), Err: err}
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return &Error{Kind: Local, URL: Redact(r.URL), Err: err}
		}
		size, err := copyChecked(f, body, check.AnyOf)
		saved = size
		if err == nil && check.File != nil {
			err = refused(check.File(f, size))
		}
		return located(err, r.URL)
	})
	err = located(err, r.URL)
	logRequest(ctx, r, begun, &Response{}, saved, err)
	return err
}

// refused marks an error of Check.File. Unlike a broken connection, it is not
// retried.
func refused(err error) error {
	if _, ok := errors.AsType[*Error](err); ok || err == nil {
		return err
	}
	return &Error{Kind: Mismatch, Detail: "is refused: " + quote.Error(err).Error(), Err: err}
}

// located adds the URL to errors that do not contain one.
func located(err error, url string) error {
	var e *Error
	if errors.As(err, &e) && e.URL == "" {
		e.URL = Redact(url)
	}
	return err
}

func copyChecked(f *os.File, body io.Reader, anyOf []Digest) (int64, error) {
	hashes := make([]hash.Hash, 0, len(anyOf))
	writers := []io.Writer{&localWriter{f}}
	for _, d := range anyOf {
		h := newHash(d.Algorithm)
		if h == nil {
			return 0, &Error{Kind: Mismatch, Detail: "has a digest of the unknown kind " + d.Algorithm}
		}
		hashes = append(hashes, h)
		writers = append(writers, h)
	}
	size, err := io.Copy(io.MultiWriter(writers...), body)
	if err != nil {
		return size, err
	}
	for i, h := range hashes {
		if bytes.Equal(h.Sum(nil), anyOf[i].Sum) {
			return size, nil
		}
	}
	if len(anyOf) > 0 {
		return size, &Error{Kind: Mismatch, Detail: "does not have the expected " + anyOf[0].Algorithm + " digest"}
	}
	return size, nil
}

// localWriter marks write errors, to distinguish a full disk from a broken
// connection.
type localWriter struct{ f *os.File }

func (w *localWriter) Write(p []byte) (int, error) {
	n, err := w.f.Write(p)
	if err != nil {
		err = &Error{Kind: Local, Err: err}
	}
	return n, err
}
