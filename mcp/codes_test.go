package mcp_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// TestTheLibraryHasNoErrorCodesOfItsOwnInReservedRanges scans the source: every
// number from -32768 to -32000 must be a code that JSON-RPC or a revision of
// the specification defines.
func TestTheLibraryHasNoErrorCodesOfItsOwnInReservedRanges(t *testing.T) {
	proves(t, "base.error.legacy-range.no-new", "base.error.legacy-range.avoid", "base.error.reserved-range.no-undefined", "base.error.app-codes-outside")
	ranBeforeClients(t)
	defined := map[int]bool{
		-32700: true, -32600: true, -32601: true, -32602: true, -32603: true,
		-32002: true, // resource not found, up to revision 2025-11-25
		-32042: true, // an elicitation by URL is required, in revision 2025-11-25
		-32020: true, -32021: true, -32022: true,
	}
	found := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for node := range ast.Preorder(file) {
			minus, ok := node.(*ast.UnaryExpr)
			if !ok || minus.Op != token.SUB {
				continue
			}
			literal, ok := minus.X.(*ast.BasicLit)
			if !ok || literal.Kind != token.INT {
				continue
			}
			code, err := strconv.Atoi("-" + strings.ReplaceAll(literal.Value, "_", ""))
			if err != nil || code < -32768 || code > -32000 {
				continue
			}
			found++
			if !defined[code] {
				t.Errorf("%s: no specification defines the code %d", files.Position(node.Pos()), code)
			}
		}
		return nil
	})
	must(t, err)
	if found < 8 {
		t.Errorf("only %d codes were found", found)
	}
}

func TestMetaThatNobodyKnowsIsTolerated(t *testing.T) {
	proves(t, "meta.reserved.no-assumptions", "meta.passthrough", "lifecycle.capabilities.open-set")
	s := echoServer(t, nil)
	for _, revision := range revisions {
		p := connect(t, s)
		params := p.open(revision)
		for _, meta := range []string{`"io.modelcontextprotocol/unheard-of":{"x":[1]},`, `"dev.mcp/x":null,`, `"traceparent":"garbage","tracestate":7,"baggage":[],`, `"":1,`, `"a b/c":1,`, `"x":1,"x":2,`,
			`"io.modelcontextprotocol/subscriptionId":[],`, `"io.modelcontextprotocol/serverInfo":7,`, `"io.modelcontextprotocol/related-task":"x",`, `"progressToken":null,`,
			`"io.modelcontextprotocol/logLevel":7,`, `"io.modelcontextprotocol/logLevel":"loud",`, `"io.modelcontextprotocol/clientInfo":7,`, `"io.modelcontextprotocol/clientCapabilities":[],`} {
			if revision == latest && (strings.Contains(meta, "logLevel") || strings.Contains(meta, "/client")) {
				continue // this revision defines the meaning of the code
			}
			line := params(callParams("echo", `{"message":"x"}`) + `,"_meta":{` + strings.TrimSuffix(meta, ",") + `}`)
			if revision == "2026-07-28" {
				line = strings.Replace(params(callParams("echo", `{"message":"x"}`)), `"_meta":{`, `"_meta":{`+meta, 1)
			}
			if m := p.ask("1", "tools/call", line); m.text() != "x" {
				t.Errorf("%s, _meta %s: %s", revision, meta, m.line)
			}
		}
	}
	p := connect(t, s)
	m := p.ask("1", "tools/list", `{`+strings.Replace(modernMeta(""), `clientCapabilities":{}`, `clientCapabilities":{"unheardOf":{"x":1},"roots":{"new":1},"sampling":{"new":{}},"elicitation":{"new":{"x":[]}},"extensions":{"com.example/x":{}}}`, 1)+`}`)
	if m.Error != nil {
		t.Errorf("capabilities that nobody knows: %s", m.line)
	}
}

func TestCodesHaveTheNumbersOfTheSpecification(t *testing.T) {
	proves(t, "base.error.reserved-range.meaning", "base.error.parse", "base.error.invalid-request", "base.error.method-not-found",
		"base.error.invalid-params", "base.error.internal")
	ranBeforeClients(t)
	for want, got := range map[int]int{
		-32700: mcp.CodeParseError, -32600: mcp.CodeInvalidRequest, -32601: mcp.CodeMethodNotFound, -32602: mcp.CodeInvalidParams, -32603: mcp.CodeInternalError,
		-32020: mcp.CodeHeaderMismatch, -32021: mcp.CodeMissingCapability, -32022: mcp.CodeUnsupportedVersion,
	} {
		if got != want {
			t.Errorf("%d should be %d", got, want)
		}
	}
}

func TestAnErrorOfTheProtocolCanBeFound(t *testing.T) {
	e := &mcp.Error{Code: -1, Message: "no"}
	if e.Error() != "no (code -1)" {
		t.Errorf("it says %q", e)
	}
}

func TestTheNamesOfAClientAreStrings(t *testing.T) {
	proves(t, "meta.implementation.required")
	p := connect(t, echoServer(t, nil))
	for info, good := range map[string]bool{`{"name":"a","version":"1"}`: true, `{"name":"a","version":"1","icons":[],"more":1}`: true, `{}`: true,
		`{"name":7,"version":"1"}`: false, `{"name":"a","version":null}`: false, `[]`: false, `"me"`: false, `null`: false, `1`: false} {
		m := p.ask("1", "tools/list", strings.Replace("{"+modernMeta("")+"}", `{"name":"test","version":"1"}`, info, 1))
		if (m.Error == nil) != good || !good && m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("clientInfo %s: %s", info, m.line)
		}
	}
	// A response to initialize and a notification are expected first, although they may be empty.
	for _, revision := range revisions[:4] {
		for _, transport := range transportsOf(revision) {
			for info, good := range map[string]bool{`{"name":"a","version":"1"}`: true, `{"name":"","version":""}`: true, `{"name":"a"}`: false, `{"name":""}`: false,
				`{"version":"1"}`: false, `{"name":7,"version":"1"}`: false, `{"name":"a","version":null}`: false, `{}`: false, `[]`: false, `null`: false} {
				m := connectOver(t, echoServer(t, nil), revision, transport).ask("1", "initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"clientInfo":%s}`, revision, info))
				if (m.Error == nil) != good || !good && m.Error.Code != mcp.CodeInvalidParams {
					t.Errorf("%s over %s: clientInfo %s: %s", revision, transport, info, m.line)
				}
			}
		}
	}
}
