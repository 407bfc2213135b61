package mcp

import (
	"strings"
	"testing"
)

func TestSecretsAreTakenOutOfTexts(t *testing.T) {
	for text, want := range map[string]string{
		"https://user:pw@h.example/x":                          "https://[redacted]@h.example/x",
		"see https://tok3n@h.example, or http://h.example/@me": "see https://[redacted]@h.example, or http://h.example/@me",
		"https://h.example/?a=1&access_token=abc&b=2#frag":     "https://h.example/?a=1&access_token=[redacted]&b=2#frag",
		"https://h.example/#id_token=abc":                      "https://h.example/#id_token=[redacted]",
		"https://h.example/?q=a=b&api_key=x=y":                 "https://h.example/?q=a=b&api_key=[redacted]",
		`href="https://h.example/?token=abc">token=1</a>`:      `href="https://h.example/?token=[redacted]">token=1</a>`,
		"https://h.example/?token=":                            "https://h.example/?token=",
		"Authorization: Bearer abcdef123456, and more":         "Authorization: Bearer [redacted], and more",
		"bearer abcdef123456 BASIC dXNlcjpwYXNzd29yZDE=":       "bearer [redacted] BASIC [redacted]",
		"DPoP abcdef.123456":                                   "DPoP [redacted]",
		"a basic understanding of bearer responsibilities":     "a basic understanding of bearer responsibilities",
		"what? a = b & token = c":                              "what? a = b & token = c",
		"user@example.com wrote: 1 = 1 & 2 = 2, see //a@b":     "user@example.com wrote: 1 = 1 & 2 = 2, see //a@b",
		"?password=1&password=2?password=3":                    "?password=[redacted]&password=[redacted]?password=[redacted]",
		"https://a:b@https://c:d@e":                            "https://[redacted]@https://[redacted]@e",
		"bearer bearer abcdef123456":                           "bearer bearer [redacted]",
		"":                                                     "",
	} {
		if got := redactText(text, isSecret); got != want {
			t.Errorf("%q\n  %q, want\n  %q", text, got, want)
		}
	}
	got := string(Redact([]byte(`{"text":"{\"uri\":\"https://h.example/?token=abc\"}","uri":"x://a:b@c"}`), nil))
	if want := `{"text":"{\"uri\":\"https://h.example/?token=[redacted]\"}","uri":"x://[redacted]@c"}`; got != want {
		t.Errorf("%s", got)
	}
}

func FuzzRedactText(f *testing.F) {
	for _, seed := range []string{"https://a:b@c/?token=x#secret=y", "Bearer abcdef123456 basic ", "://@?&#=", "\xff?token=\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := redactText(text, isSecret)
		if again := redactText(got, isSecret); again != got {
			t.Errorf("%q becomes %q, and then %q", text, got, again)
		}
		if !strings.Contains(got, redacted) && got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	})
}
