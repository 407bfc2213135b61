package fetch

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestAPartOfAFileIsAskedFor(t *testing.T) {
	content := []byte(strings.Repeat("0123456789", 100))
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/whole":
			_, _ = w.Write(content)
		case "/moved":
			http.Redirect(w, r, "/file", http.StatusFound)
		default:
			w.Header().Set(locationHeader, "https://elsewhere.example/")
			http.ServeContent(w, r, "file", time.Time{}, bytes.NewReader(content))
		}
	})
	c, _ := client(Options{})
	for _, tt := range []struct {
		path, part, want string
		start            int64
	}{
		{"/file", "bytes=5-8", "5678", 5},
		{"/file", "bytes=-3", "789", 997},
		{"/moved", "bytes=0-0", "0", 0},
	} {
		r, err := c.Get(t.Context(), Request{URL: s.URL + tt.path, Configured: true, Range: tt.part})
		if err != nil || string(r.Body) != tt.want || r.Start != tt.start || r.Total != 1000 || r.URL != s.URL+"/file" {
			t.Errorf("%s of %s: %+v, %v", tt.part, tt.path, r, err)
		}
	}
	_, err := c.Get(t.Context(), Request{URL: s.URL + "/whole", Configured: true, Range: "bytes=0-9"})
	if failed, ok := errors.AsType[*Error](err); !ok || failed.Kind != Whole || !strings.Contains(err.Error(), "does not support range requests") {
		t.Error(err)
	}
	for header, want := range map[string][2]int64{"bytes 0-9/10": {0, 10}, "bytes 0-9/*": {-1, -1}, "bytes 9-0/10": {-1, -1}, "bytes 0-10/10": {-1, -1}, "": {-1, -1}} {
		if start, total := contentRange(header); start != want[0] || total != want[1] {
			t.Errorf("%q is %d of %d", header, start, total)
		}
	}
}
