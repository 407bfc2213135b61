package python

import (
	"bytes"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestHostile_ServersThatLieAboutRanges uses servers that send parts of a large wheel
// other than those requested. None of these must be shown or cached.
func TestHostile_ServersThatLieAboutRanges(t *testing.T) {
	genuine := storedZip(t, wheel(t, "giant", "1.0", files{
		"giant/__init__.py": "'''Genuine.'''\ndef f(): 'F.'\n", "giant/lib.so": strings.Repeat("library", 200_000), "zest/__init__.py": "def g(): 'G.'\n",
	}))
	// Another wheel of the same size, whose directory is in the same place.
	other := bytes.ReplaceAll(genuine, []byte("Genuine"), []byte("Hostile"))
	part := func(_ http.ResponseWriter, r *http.Request, data []byte) (start, end int) {
		text := strings.TrimPrefix(r.Header.Get("Range"), "bytes=")
		if tail, ok := strings.CutPrefix(text, "-"); ok {
			n, _ := strconv.Atoi(tail)
			return len(data) - n, len(data)
		}
		from, to, _ := strings.Cut(text, "-")
		start, _ = strconv.Atoi(from)
		end, _ = strconv.Atoi(to)
		return start, end + 1
	}
	send := func(w http.ResponseWriter, contentRange string, body []byte) {
		w.Header().Set("Content-Range", contentRange)
		w.WriteHeader(http.StatusPartialContent)
		_, _ = w.Write(body)
	}
	isTail := func(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Range"), "bytes=-") }
	for name, lie := range map[string]func(w http.ResponseWriter, r *http.Request, start, end int){
		"a start further on": func(w http.ResponseWriter, _ *http.Request, start, end int) {
			send(w, fmt.Sprintf("bytes %d-%d/%d", start+1, end-1, len(genuine)), genuine[start:end])
		},
		"a part that is short": func(w http.ResponseWriter, _ *http.Request, start, end int) {
			send(w, fmt.Sprintf("bytes %d-%d/%d", start, end-1, len(genuine)), genuine[start:end-1])
		},
		"a part that is long": func(w http.ResponseWriter, _ *http.Request, start, end int) {
			send(w, fmt.Sprintf("bytes %d-%d/%d", start, end-1, len(genuine)), append(bytes.Clone(genuine[start:end]), "more"...))
		},
		"no range": func(w http.ResponseWriter, _ *http.Request, start, end int) { send(w, "", genuine[start:end]) },
		"an unknown size": func(w http.ResponseWriter, _ *http.Request, start, end int) {
			send(w, fmt.Sprintf("bytes %d-%d/*", start, end-1), genuine[start:end])
		},
		"a size beyond all": func(w http.ResponseWriter, _ *http.Request, start, end int) {
			send(w, fmt.Sprintf("bytes %d-%d/%d", start, end-1, 1<<62), genuine[start:end])
		},
		"a size beyond all, at its end": func(w http.ResponseWriter, _ *http.Request, start, end int) {
			send(w, fmt.Sprintf("bytes %d-%d/%d", 1<<62-(end-start), 1<<62-1, 1<<62), genuine[start:end])
		},
		"a negative start": func(w http.ResponseWriter, _ *http.Request, start, end int) {
			send(w, fmt.Sprintf("bytes -%d-%d/%d", start, end-1, len(genuine)), genuine[start:end])
		},
		"another size for each part": func(w http.ResponseWriter, r *http.Request, start, end int) {
			size := len(genuine)
			if !isTail(r) {
				size++
			}
			send(w, fmt.Sprintf("bytes %d-%d/%d", start, end-1, size), genuine[start:end])
		},
		"several parts": func(w http.ResponseWriter, _ *http.Request, start, end int) {
			w.Header().Set("Content-Type", "multipart/byteranges; boundary=x")
			send(w, "", fmt.Appendf(nil, "--x\r\nContent-Range: bytes %d-%d/%d\r\n\r\n%s\r\n--x--\r\n", start, end-1, len(genuine), genuine[start:end]))
		},
		"a compressed part": func(w http.ResponseWriter, _ *http.Request, start, end int) {
			w.Header().Set("Content-Encoding", "gzip")
			send(w, fmt.Sprintf("bytes %d-%d/%d", start, end-1, len(genuine)), genuine[start:end])
		},
		"the whole instead of a later part": func(w http.ResponseWriter, r *http.Request, start, end int) {
			if isTail(r) {
				send(w, fmt.Sprintf("bytes %d-%d/%d", start, end-1, len(genuine)), genuine[start:end])
				return
			}
			_, _ = w.Write(genuine)
		},
		"unsatisfiable": func(w http.ResponseWriter, _ *http.Request, _, _ int) {
			w.Header().Set("Content-Range", "bytes */0")
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		},
		"a file that changes": func(w http.ResponseWriter, r *http.Request, _, _ int) {
			data, tag := genuine, `"1"`
			if !isTail(r) {
				data, tag = other, `"2"`
			}
			w.Header().Set("Etag", tag)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		},
		"a file that changes without a tag": func(w http.ResponseWriter, r *http.Request, _, _ int) {
			data := genuine
			if !isTail(r) {
				data = other
			}
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		},
		"parts of zeros": func(w http.ResponseWriter, r *http.Request, start, end int) {
			body := make([]byte, end-start)
			if isTail(r) {
				body = genuine[start:end]
			}
			send(w, fmt.Sprintf("bytes %d-%d/%d", start, end-1, len(genuine)), body)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			s.add(giantName, genuine)
			s.answer = func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.HasPrefix(r.URL.Path, "/files/") {
					return false
				}
				start, end := part(w, r, genuine)
				lie(w, r, start, end)
				return true
			}
			w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
			w.options.MaxDownload = 100_000
			w.venv(filepath.Join(w.project, ".venv"), nil)
			if p, err := w.describe(w.query("giant")); err == nil {
				t.Errorf("it was read: %q", p.Doc)
			} else if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one sentence: %v", err)
			}
			if cached := w.options.Cache.List("python/files"); len(cached) > 0 {
				t.Errorf("%q is kept", cached)
			}
		})
	}
}

const giantName = "giant-1.0-py3-none-any.whl"
