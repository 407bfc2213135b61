package auth

import (
	"net/http"
	"testing"
)

func FuzzKeys(f *testing.F) {
	f.Add([]byte(`{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"},{"kty":"RSA","n":"AQAB","e":"AQAB"},{"kty":"OKP","crv":"Ed25519","x":""}]}`))
	f.Add([]byte(`{"keys":[{"kty":"EC","crv":"P-256","kid":"a","x":"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY","y":"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"}]}`))
	f.Add([]byte(`{"keys":null}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		keys, err := parseKeys(b)
		if err == nil && (keys == nil || len(keys) > maxKeys) {
			t.Errorf("%d keys", len(keys))
		}
		for _, k := range keys {
			if k.public == nil {
				t.Error("a key is nil")
			}
		}
	})
}

func FuzzBearer(f *testing.F) {
	f.Add("Bearer abc.def-_~+/=")
	f.Add("bearer  x ")
	f.Add("Basic YTpi")
	f.Add(`Bearer a b`)
	f.Fuzz(func(t *testing.T, s string) {
		token, err := bearer(http.Header{"Authorization": {s}})
		if err == nil && token != "" {
			again, err := bearer(http.Header{"Authorization": {"Bearer " + token}})
			if again != token || err != nil {
				t.Errorf("%q is read as %q, %v", token, again, err)
			}
		}
	})
}
