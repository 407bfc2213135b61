package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func TestShellsCompleteWhatAServerHas(t *testing.T) {
	url := everything(t)
	config := filepath.Join(t.TempDir(), "mcp.json")
	text := fmt.Sprintf(`{"mcpServers":{"web":{"url":%q},"dead":{"command":"no-such-command-anywhere"}}}`, url)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const (
		noFiles = "\n:4\n"
		open    = "\n:6\n" // without a space
		files   = ":0\n"
	)
	for words, want := range map[string]string{
		"call URL ''":                            "add\tAdds.\nask\nbreak\nfail\nvisit" + noFiles,
		"call URL f":                             "fail" + noFiles,
		"call --config FILE --server web a":      "add\tAdds.\nask" + noFiles,
		"call --config FILE --server dead ''":    ":6\n",
		"call --config FILE --server ''":         "dead\nweb" + noFiles,
		"call URL add ''":                        "a=\tone number\nb=\nwords=\non=\ntoken=" + open,
		"call URL add a=1 w":                     "words=" + open,
		"call URL none ''":                       ":4\n",
		"tools URL b":                            "break" + noFiles,
		"tools URL break ''":                     ":4\n",
		"prompts URL ''":                         "greet\tGreets." + noFiles,
		"prompt URL g":                           "greet\tGreets." + noFiles,
		"prompt URL greet ''":                    "who=" + open,
		"prompt URL greet who=A":                 "who=Ada\nwho=Alan" + noFiles,
		"read URL doc":                           "doc://blob\tblob\ndoc://one\tone" + noFiles,
		"ping URL ''":                            ":4\n",
		"call ''":                                files,
		"tools -- ''":                            files,
		"tools -- no-such-command-anywhere --a ": files,
		"tools http://127.0.0.1:1/mcp ''":        ":6\n",
	} {
		args := []string{"__complete", "mcp"}
		for word := range strings.SplitSeq(words, " ") {
			args = append(args, strings.Trim(strings.NewReplacer("URL", url, "FILE", config).Replace(word), "'"))
		}
		if got := docent(args...); got.code != 0 || got.out != want {
			t.Errorf("%s: exit %d\n%q, want\n%q", words, got.code, got.out, want)
		}
	}
}

func TestShellsGetNoControlCharacters(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "hostile", Version: "1"}, &mcp.ServerOptions{Logger: discard})
	for _, name := range []string{"plain", "two words", "line\nbreak", "tab\there", "bell\x07", "\u202eback"} {
		err := s.AddPrompt(mcp.Prompt{Name: name, Description: "about\x1b[2J\tit\nall"}, func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
			return &mcp.PromptResult{}, nil
		})
		if err != nil {
			t.Log(err) // the library does not have this name either
		}
	}
	c, err := mcp.Connect(t.Context(), &mcp.ServerTransport{Server: s}, &mcp.ClientOptions{Logger: discard})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	count := 0
	for range completePrompts(t.Context(), c, nil, "") {
		count++
	}
	if count < 2 {
		t.Fatalf("%d prompts", count)
	}
	web := httptest.NewServer(s.HTTPHandler(nil))
	defer web.Close()
	if got := docent("__complete", "mcp", "prompt", web.URL, ""); got.out != "plain\tabout[2J it\n:4\n" {
		t.Errorf("%q", got.out)
	}
}
