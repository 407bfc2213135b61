package compare_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/compare"
)

// models are packages with most constructs of each language.
var models = map[string]string{
	"go": `type: T = type T[K any] struct {⏎	A int⏎	io.Reader⏎}
field: T.A = A int
method: T.M = func (t *T[K]) M(ctx context.Context, a, b K, opts ...Option) (n int, err error)
type: I = type I interface {⏎	Do(x int) error⏎}
method: I.Do = Do(x int) error
type: Option = type Option func(*T[int])
func: New = func New(a interface{}, b map[string][]byte) *T[int]
const: C = const C Kind = 1`,
	"npm": `class: C = class C<T extends object = {}> extends B<T> implements I
constructor: C.constructor = constructor(a?: string)
method: C.m = m(a: string, b?: { c: A | B; d: 'x' }): Promise<T>⏎m<U>(f: (u: U) => void): this
property: C.p = readonly p?: string | undefined
interface: I = interface I
property: I.a = a: string
type: T = type T = 'a' | 'b' | { [k: string]: C<number> }
function: f = function f(a: string, ...b: number[]): void
const: c = const c: (a: Date) => void`,
	"python": `class: C = @dataclass⏎class C(B, Generic[T])
constructor: C.__init__ = def __init__(self, a: Optional[int] = None, *args: Any, b: Union[str, bytes], **kw)
method: C.m = @classmethod⏎def m(cls, x, /, y="s")
attribute: C.a = a: List[int] = []
function: f = async def f(a, *, b=1) -> t.Dict[str, Any]
const: LIMIT = LIMIT = 10`,
	"rust": `struct: S = pub struct S<'a, T: Debug> {⏎    pub x: T,⏎    /* private fields */⏎}
method: S::m = pub fn m<U>(&'a mut self, f: impl Fn(U) -> T) -> Result<Self, io::Error>⏎where⏎    U: Clone,
enum: E = #[non_exhaustive]⏎pub enum E {⏎    A,⏎    B(u8),⏎}
variant: E::A = A
trait: T = pub trait T: Sized
method: T::a = fn a(&self) -> Self { ... }
impl: S::impl = impl<'a, T> Clone for S<'a, T>
function: f = pub const unsafe fn f(x: &[u8]) -> Vec<u8>`,
	"swift": `struct: S = public struct S<T> : Sendable where T : Codable
method: S.move(by:) = public mutating func move(by delta: Int = 1) async throws -> T?
protocol: P = public protocol P
property: P.x = var x: Int { get }
enum: E = public enum E
case: E.a = case a(Int)`,
}

// mutate changes a package in n random ways.
func mutate(r *rand.Rand, p *apidoc.Package, n int) {
	texts := []string{"X", "", "a", "| B", "<T>", "(", ")", "]", "{", ", ", "?", "= 1", "*", "'a ", "#[non_exhaustive]\n", "\xff", "private", "\n", "async ", "..."}
	for range n {
		symbols := &p.Symbols
		if len(*symbols) > 0 && r.IntN(2) == 0 {
			symbols = &(*symbols)[r.IntN(len(*symbols))].Members
		}
		if len(*symbols) == 0 {
			continue
		}
		i := r.IntN(len(*symbols))
		s := &(*symbols)[i]
		switch r.IntN(8) {
		case 0:
			*symbols = slices.Delete(*symbols, i, i+1)
		case 1:
			s.Path += texts[r.IntN(3)]
		case 2:
			twin := *s
			*symbols = append(*symbols, twin)
		case 3:
			s.From, s.Deprecated = []string{"", "I", "B", "C"}[r.IntN(4)], []string{"", "use f", "use C.m"}[r.IntN(3)]
		case 4:
			s.Kind = []apidoc.Kind{"class", "function", "const", "impl", "type", "field", "method"}[r.IntN(7)]
		case 5:
			s.Doc, s.File, s.Line = []string{"", "Does it."}[r.IntN(2)], "f", r.IntN(3)
		default:
			index := r.IntN(len(s.Signature) + 1)
			end := min(len(s.Signature), index+r.IntN(6))
			s.Signature = s.Signature[:index] + texts[r.IntN(len(texts))] + s.Signature[end:]
		}
	}
}

// gone returns the keys of the symbols that the changes remove, and come returns the keys of
// those that they add.
func gone(changes []compare.Change) map[string]bool { return places(changes, compare.Removed) }
func come(changes []compare.Change) map[string]bool { return places(changes, compare.Added) }

func places(changes []compare.Change, kind compare.Kind) map[string]bool {
	all := map[string]bool{}
	for _, c := range changes {
		switch {
		case c.Kind == kind || c.Kind == compare.Moved && kind == compare.Removed:
			all[c.Package+": "+c.Path] = true
			for _, name := range c.Also {
				all[name] = true
			}
		case c.Kind == compare.Moved:
			all[c.NewPackage+": "+c.NewPath] = true
		}
	}
	return all
}

// checkPair reports errors in the comparison of two packages, made in both directions.
func checkPair(a, b *apidoc.Package) error {
	for _, p := range []*apidoc.Package{a, b} {
		for s := range p.All {
			d := p.Decl(s)
			if err := d.Check(); err != nil {
				return fmt.Errorf("%s: %w", s.Kind, err)
			}
		}
		if changes := compare.Packages(one(p), one(p)); len(changes) > 0 {
			return fmt.Errorf("a package differs from itself: %s", outline(changes))
		}
	}
	there, back := compare.Packages(one(a), one(b)), compare.Packages(one(b), one(a))
	has := func(p *apidoc.Package) map[string]bool {
		all := map[string]bool{}
		for i := range p.Symbols {
			s := &p.Symbols[i]
			all[p.Name+": "+s.Path] = true
			for k := range s.Members {
				if m := &s.Members[k]; m.Role() != apidoc.ModuleRole || s.Role() != apidoc.TypeRole { // Otherwise, the member is an implementation.
					all[p.Name+": "+m.Path] = true
				}
			}
		}
		return all
	}
	inA, inB := has(a), has(b)
	brought := come(there)
	maps.DeleteFunc(brought, func(name string, _ bool) bool { return inA[name] }) // The name already existed before.
	if taken := gone(back); !maps.Equal(brought, taken) {
		return fmt.Errorf("one way adds %v, the other removes %v", slices.Sorted(maps.Keys(brought)), slices.Sorted(maps.Keys(taken)))
	}
	for _, c := range there {
		name := c.Package + ": " + c.Path
		if ok := map[compare.Kind]bool{
			compare.Removed: inA[name] && !inB[name], compare.Moved: inA[name] && !inB[name], compare.Added: !inA[name] && inB[name],
		}[c.Kind]; !ok && (c.Kind == compare.Removed || c.Kind == compare.Moved || c.Kind == compare.Added) {
			return fmt.Errorf("%s is not %s", name, c.Kind)
		}
	}
	report := compare.Report{Changes: there}
	if text := report.Text("", 2000, compare.Hints{}); len(text) > 4000 {
		return fmt.Errorf("a text of 2000 bytes has %d", len(text))
	}
	_, err := json.Marshal(report)
	return err
}

func TestPackages_Mirror(t *testing.T) {
	for language, model := range models {
		for seed := range uint64(300) {
			r := rand.New(rand.NewPCG(seed, 1))
			a, b := pkg(language, "p", "1", model), pkg(language, "p", "2", model)
			mutate(r, a, r.IntN(4))
			mutate(r, b, 1+r.IntN(8))
			if err := checkPair(a, b); err != nil {
				t.Fatalf("%s, seed %d: %v", language, seed, err)
			}
		}
	}
}

func FuzzPackages(f *testing.F) {
	for language := range models {
		f.Add(language, uint64(1), uint64(2), "")
	}
	f.Add("npm", uint64(3), uint64(4), "type: T = type T = ((((<<<<{[ | | ")
	f.Add("rust", uint64(5), uint64(6), "function: f = pub fn f<'a>(x: &'a Foo<'a, Vec<'_>>)")
	f.Fuzz(func(t *testing.T, language string, first, second uint64, lines string) {
		model, ok := models[language]
		if !ok {
			return
		}
		a, b := pkg(language, "p", "1", model+"\n"+lines), pkg(language, "p", "2", strings.ToValidUTF8(lines, "")+"\n"+model)
		mutate(rand.New(rand.NewPCG(first, 1)), a, int(first%16))
		mutate(rand.New(rand.NewPCG(second, 1)), b, int(second%16))
		if err := checkPair(a, b); err != nil {
			t.Error(err)
		}
	})
}
