package godoc_test

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/apidoc/decltest"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
)

func TestSyntax_Parts(t *testing.T) {
	for _, tt := range []struct {
		kind      apidoc.Kind
		signature string
		want      []string // the parts below the declaration, one per line
	}{
		{apidoc.Method, "func (c *Client[T]) Do(ctx context.Context, a, b T, opts ...Option) (r *Response, err error)", []string{
			"receiver c *Client[T]", "  name c", "  type *Client[T]", "    reference Client", "    reference T [local]",
			"name Do",
			"parameter ctx context.Context", "  name ctx", "  type context.Context", "    reference context.Context",
			"parameter a [shared]", "  name a", "parameter b T", "  name b", "  type T", "    reference T [local]",
			"parameter opts ...Option [variadic]", "  name opts", "  type ...Option", "    reference Option",
			"result r *Response", "  name r", "  type *Response", "    reference Response",
			"result err error", "  name err", "  type error", "    reference error [builtin]",
		}},
		{apidoc.Func, "func Map[K comparable, V any](f func(K) V) map[K]V", []string{
			"name Map",
			"type parameter K comparable", "  name K", "  constraint comparable", "    reference comparable [builtin]",
			"type parameter V any", "  name V", "  constraint any", "    reference any [builtin]",
			"parameter f func(K) V", "  name f", "  type func(K) V", "    parameter K", "      type K", "        reference K [local]",
			"    result V", "      type V", "        reference V [local]",
			"result map[K]V", "  type map[K]V", "    reference K [local]", "    reference V [local]",
		}},
		{apidoc.Type, "type T struct {\n\t// A is the first.\n\tA, B int `json:\"a\"`\n\n\tio.Reader\n\t// Has unexported fields.\n}", []string{
			"name T", "keyword struct", "comment // A is the first.", "member A [shared]", "  name A",
			"member B int `json:\"a\"`", "  name B", "  type int", "    reference int [builtin]", "  attribute `json:\"a\"`",
			"base io.Reader", "  reference io.Reader", "comment // Has unexported fields.",
		}},
		{apidoc.Type, "type I interface {\n\tio.Reader\n\t~int | ~string\n\tDo(x int) error\n}", []string{
			"name I", "keyword interface", "base io.Reader", "  reference io.Reader",
			"constraint ~int | ~string", "  reference int [builtin]", "  reference string [builtin]",
			"member Do(x int) error", "  name Do", "  parameter x int", "    name x", "    type int", "      reference int [builtin]",
			"  result error", "    type error", "      reference error [builtin]",
		}},
		{apidoc.Method, "Read(p []byte) (n int, err error)", []string{
			"name Read", "parameter p []byte", "  name p", "  type []byte", "    reference byte [builtin]",
			"result n int", "  name n", "  type int", "    reference int [builtin]", "result err error", "  name err", "  type error", "    reference error [builtin]",
		}},
		{apidoc.Field, "Transport http.RoundTripper `json:\"-\"`", []string{
			"name Transport", "type http.RoundTripper", "  reference http.RoundTripper", "attribute `json:\"-\"`",
		}},
		{apidoc.Field, "UserID int `json:\"user_id,omitempty\"`", []string{
			"name UserID", "type int", "  reference int [builtin]", "attribute `json:\"user_id,omitempty\"` [redundant]",
		}},
		{apidoc.Const, "const Monday Weekday = 1", []string{"name Monday", "type Weekday", "  reference Weekday", "value 1"}},
		{apidoc.Var, "var ErrLine = &Error{\"line\"}", []string{"name ErrLine", "value &Error{\"line\"}", "  reference Error"}},
		{apidoc.Type, "type HandlerFunc = func(ResponseWriter, *Request)", []string{
			"name HandlerFunc", "type func(ResponseWriter, *Request)",
			"  parameter ResponseWriter", "    type ResponseWriter", "      reference ResponseWriter",
			"  parameter *Request", "    type *Request", "      reference Request",
		}},
		{apidoc.Func, "func Deep(…)", nil},
	} {
		decltest.Expect(t, godoc.Syntax{}, tt.kind, tt.signature, strings.Join(tt.want, "\n"))
	}
}

func FuzzSyntax(f *testing.F) {
	for _, seed := range []string{"func (c *C[T]) Do(a, b T) (r *R, err error)", "type T struct {\n\tA, B int // of\n}", "A int `x`", "const a, b = 1, 2", "func f(\x00", "// x"} {
		for _, kind := range []apidoc.Kind{apidoc.Func, apidoc.Method, apidoc.Field, apidoc.Type} {
			f.Add(string(kind), seed)
		}
	}
	f.Fuzz(func(t *testing.T, kind, signature string) {
		s := &apidoc.Symbol{Kind: apidoc.Kind(kind), Signature: signature}
		d := apidoc.Decl{Text: signature, Parts: godoc.Syntax{}.Parts(s)}
		if err := d.Check(); err != nil {
			t.Error(err)
		}
	})
}
