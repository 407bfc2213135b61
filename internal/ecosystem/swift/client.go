package swift

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
)

// Bounds on answers.
const (
	maxRefs    = 64 << 20 // bytes of a list of tags, or of an answer of a registry
	maxSetting = 1 << 20  // bytes of a file of settings
)

// Times for which answers hold.
const (
	answerTime = 10 * time.Minute
	newestAge  = 24 * time.Hour // the choice of the newest release
)

// kept is an answer of a host in the cache.
type kept struct {
	Body               []byte
	Link               string
	ETag, LastModified string
	Asked              time.Time
	MaxAge             int64 // seconds
}

func (k *kept) fresh() bool {
	if k == nil {
		return false
	}
	age := answerTime
	if k.MaxAge > 0 {
		age = time.Duration(k.MaxAge) * time.Second
	}
	return time.Since(k.Asked) < age && !k.Asked.After(time.Now())
}

// cacheName names a file of the cache by a hash: another one for each
// credential, so that none sees what was shown to another.
func cacheName(prefix string, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return prefix + hex.EncodeToString(sum[:16])
}

// answer returns the answer to a request: of the cache while it holds, else of
// the host. check says whether an answer is one.
func (f *finder) answer(ctx context.Context, ask fetch.Request, check func([]byte) error) (*kept, error) {
	cache := f.sw.options.Cache
	name := cacheName("swift/answers/", ask.URL, ask.Accept, ask.Authorization)
	known := f.readKept(name)
	if known.fresh() {
		return known, nil
	}
	unlock, err := cache.Lock(ctx, name)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if known = f.readKept(name); known.fresh() {
		return known, nil
	}
	if known != nil {
		ask.ETag, ask.LastModified = known.ETag, known.LastModified
	}
	ctx, cancel := context.WithTimeout(ctx, f.sw.options.Timeout)
	defer cancel()
	ask.Limit = maxRefs
	got, err := f.sw.client.Get(ctx, ask)
	if err == nil && !got.NotModified {
		if wrong := check(got.Body); wrong != nil {
			return nil, &fetch.Error{Kind: fetch.Mismatch, URL: fetch.Redact(ask.URL), Detail: "is not what is expected there: " + wrong.Error(), Err: wrong}
		}
	}
	if err != nil {
		if failed, ok := errors.AsType[*fetch.Error](err); ok && known != nil && temporary(failed.Kind) {
			f.warnings = append(f.warnings, "The host was not asked anew ("+failed.Error()+"): the versions are those known before.")
			return known, nil
		}
		return nil, err
	}
	k := &kept{Body: got.Body, Link: got.Link, ETag: got.ETag, LastModified: got.LastModified, Asked: time.Now(), MaxAge: int64(min(got.MaxAge, time.Hour) / time.Second)}
	if got.NotModified {
		k.Body, k.Link, k.ETag, k.LastModified = known.Body, known.Link, known.ETag, known.LastModified
	}
	_ = cache.Write(name, func(w *os.File) error { return json.MarshalWrite(w, k) }) // without it the host is asked again
	return k, nil
}

// readKept returns an answer of the cache, nil if there is none.
func (f *finder) readKept(name string) *kept {
	data, err := f.sw.options.Cache.Read(name, 2*maxRefs)
	k := &kept{}
	if err != nil || json.Unmarshal(data, k) != nil {
		return nil
	}
	return k
}

// temporary reports whether a failure says nothing about the package.
func temporary(k fetch.Kind) bool {
	switch k {
	case fetch.Offline, fetch.Unreachable, fetch.NoHost, fetch.Timeout, fetch.Busy, fetch.Failed:
		return true
	}
	return false
}

// login returns the user's entry for a host in their netrc file.
func (f *finder) login(host string) (fetch.Login, bool) {
	file := environ.Below(f.sw.env.Home(), ".netrc")
	if file == "" {
		return fetch.Login{}, false
	}
	data, err := project.ReadFile(file, maxSetting)
	if err != nil {
		return fetch.Login{}, false
	}
	for _, l := range fetch.ParseNetrc(data) {
		// The default entry would go to any host that a project names.
		if l.Machine != "" && strings.EqualFold(l.Machine, host) {
			return l, l.User != "" || l.Password != ""
		}
	}
	return fetch.Login{}, false
}

// request makes a request to a git host. configured is true if the project or
// the user's settings name the host.
func (f *finder) request(address string, configured bool) fetch.Request {
	ask := fetch.Request{URL: address, Configured: configured}
	u, err := url.Parse(address)
	if err != nil {
		return ask
	}
	if l, ok := f.login(u.Hostname()); ok {
		ask.Authorization, ask.Configured = fetch.Basic(l.User, l.Password), true
	}
	return ask
}
