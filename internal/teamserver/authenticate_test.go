package teamserver

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/internal/teamserver/apikey"
)

func TestAuthentication_FloodsOfWrongKeysAreNotLogged(t *testing.T) {
	file, add := newKeys(t)
	good := add("alice", 0)
	keys, err := apikey.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		var logged bytes.Buffer
		a := &authenticator{keys: keys, log: slog.New(slog.NewTextHandler(&logged, nil))}
		h := a.protect(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		call := func(key string) int {
			r := httptest.NewRequest(http.MethodGet, "/v1/openapi.json", nil)
			r.Header.Set("Authorization", "Bearer "+key)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Code
		}
		flood := func(n int) (lines int) {
			logged.Reset()
			for i := range n {
				if status := call(fmt.Sprint(apikey.Prefix, i)); status != http.StatusUnauthorized {
					t.Fatalf("a wrong key: status %d", status)
				}
			}
			return strings.Count(logged.String(), "key refused")
		}
		if n := flood(1000); n != maxRefusalLines {
			t.Errorf("%d lines for 1000 wrong keys", n)
		}
		if status := call(good); status != http.StatusOK {
			t.Errorf("a valid key: status %d", status)
		}
		time.Sleep(59 * time.Second) // fake time
		if n := flood(1); n != 0 {
			t.Errorf("%d lines for another key in the same minute", n)
		}
		time.Sleep(time.Second) // fake time
		if n := flood(2); n != 2 || strings.Count(logged.String(), `"not logged"=981`) != 1 {
			t.Errorf("a minute later:\n%s", logged.String())
		}
	})
}
