package mcp

import "testing"

func TestSecretsAreTakenOutOfWhatIsLogged(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"what is no secret stays", `{"user":"ada","n":12345678901234567890,"list":[1,null,true]}`, `{"user":"ada","n":12345678901234567890,"list":[1,null,true]}`},
		{"a member of a telling name", `{"password":"p"}`, `{"password":"[redacted]"}`},
		{"whatever its value is", `{"secret":{"a":[1]},"token":17,"b":1}`, `{"secret":"[redacted]","token":"[redacted]","b":1}`},
		{"however it is written", `{"API-Key":"x","apiKey":"y","X-Api_Key":"z","dbPassword":"w","Set-Cookie":"v","access_token":"u"}`,
			`{"API-Key":"[redacted]","apiKey":"[redacted]","X-Api_Key":"[redacted]","dbPassword":"[redacted]","Set-Cookie":"[redacted]","access_token":"[redacted]"}`},
		{"however deep it is", `[{"a":[{"client_secret":"x"}]}]`, `[{"a":[{"client_secret":"[redacted]"}]}]`},
		{"a number of tokens is none", `{"maxTokens":5,"total_tokens":7}`, `{"maxTokens":5,"total_tokens":7}`},
		{"a value that is a secret's name", `{"field":"password"}`, `{"field":"password"}`},
		{"a bearer token", `{"header":"Bearer abc.def"}`, `{"header":"[redacted]"}`},
		{"a bearer token alone", `"bearer abc"`, `"[redacted]"`},
		{"a sentence about a bearer", `"bearer of news"`, `"bearer of news"`},
		{"the protocol's own token", `{"progressToken":3}`, `{"progressToken":3}`},
		{"JSON in a string", `{"text":"{\"token\": \"x\"}"}`, `{"text":"{\"token\":\"[redacted]\"}"}`},
		{"JSON in a string without secrets", `{"text":"[ 1 ]"}`, `{"text":"[ 1 ]"}`},
		{"a string that only begins like JSON", `"{token"`, `"{token"`},
		{"a text", `"password"`, `"password"`},
		{"a number", `1.50`, `1.50`},
		{"nothing", `null`, `null`},
		{"an empty object", `{}`, `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := redact([]byte(tt.in), isSecret)
			if err != nil || string(got) != tt.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

func TestRedactNeverShowsWhatIsNotJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"token":"x"}`:    `{"token":"[redacted]"}`,
		`{"token":"x"`:     `"[not JSON]"`,
		`secret`:           `"[not JSON]"`,
		`{"a":1} secret`:   `{"a":1}`,
		``:                 `"[not JSON]"`,
		`"a \xff b"`:       `"[not JSON]"`,
		"{\"a\":\"\xff\"}": `"[not JSON]"`,
	} {
		if got := Redact([]byte(in), nil); string(got) != want {
			t.Errorf("%q becomes %s, want %s", in, got, want)
		}
	}
}

func TestWhatIsSecretCanBeSaidAnew(t *testing.T) {
	got, err := redact([]byte(`{"ssn":"1","password":"2"}`), func(key string) bool { return key == "ssn" })
	if want := `{"ssn":"[redacted]","password":"2"}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}
