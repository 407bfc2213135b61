package header

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/apidoc/decltest"
)

// syntax parses declarations of headers.
type syntax struct{}

func (syntax) Parts(s *apidoc.Symbol) []apidoc.Part { return Parts(s) }

func TestSyntax_Parts(t *testing.T) {
	for _, tt := range []struct {
		signature string
		want      []string // the parts below the declaration, one per line
	}{
		{"- (BOOL)fireTo:(double)celsius completion:(void (^)(NSError *_Nullable))done, ...", []string{
			"result BOOL", "  type BOOL", "    reference BOOL [builtin]", "name fireTo",
			"parameter :(double)celsius", "  type double", "  name celsius",
			"parameter completion:(void (^)(NSError *_Nullable))done", "  label completion", "  type void (^)(NSError *_Nullable)", "    reference NSError", "  name done",
			"parameter ... [variadic]",
		}},
		{"+ (instancetype)stop", []string{"result instancetype", "  type instancetype", "    reference instancetype [builtin]", "name stop"}},
		{"@property (nonatomic, getter=isOn) NSArray<Zone *> *zones", []string{
			"modifier nonatomic", "modifier getter=isOn", "type NSArray<Zone *> *", "  reference NSArray", "  reference Zone", "name zones",
		}},
		{"@interface Kiln<Zone : id<NSCopying>> : NSObject <NSCopying, KilnDelegate>", []string{
			"name Kiln", "type parameter Zone : id<NSCopying>", "  name Zone", "  constraint id<NSCopying>", "    reference id [builtin]", "    reference NSCopying",
			"base NSObject", "  reference NSObject", "base NSCopying", "  reference NSCopying", "base KilnDelegate", "  reference KilnDelegate",
		}},
		{"@interface NSString (Kiln)", []string{"name NSString", "modifier Kiln"}},
		{"@protocol KilnDelegate <NSObject>", []string{"name KilnDelegate", "base NSObject", "  reference NSObject"}},
		{"int kiln_stop(kiln_t *kiln)", nil}, {"- (void", nil}, {"@property int", nil}, {"@interface A <B", nil},
	} {
		decltest.Expect(t, syntax{}, apidoc.Method, tt.signature, strings.Join(tt.want, "\n"))
	}
}

func FuzzSyntax(f *testing.F) {
	for _, seed := range []string{"- (A)b:(C)d e:(F (^)(G))h, ...", "@property (a, b=c) D<E *> *f", "@interface A<__covariant B : C<D>> : E <F, G>", "@protocol A <B>", "+ (\xff", "@property () ,", "@interface A ("} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, signature string) {
		s := &apidoc.Symbol{Signature: signature}
		d := apidoc.Decl{Text: signature, Parts: Parts(s)}
		if err := d.Check(); err != nil {
			t.Error(err)
		}
	})
}
