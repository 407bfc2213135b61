package module

import (
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/header"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// Syntax implements apidoc.Syntax for the declarations that Read returns.
type Syntax struct{}

// Parts implements apidoc.Syntax.
func (Syntax) Parts(s *apidoc.Symbol) []apidoc.Part {
	if header.IsHeader(s.File) {
		return header.Parts(s)
	}
	parts := source.Parts(s.Signature, isBuiltin)
	if len(parts) > 0 && strings.HasSuffix(s.Doc, defaulted) {
		parts[0].Flags |= apidoc.Provided
	}
	return parts
}

// isBuiltin reports whether a name is declared by the standard library, which every
// program imports.
func isBuiltin(name string) bool { return builtins()[name] }

var builtins = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	add := func(list string) {
		for item := range strings.FieldsSeq(list) {
			name, _, _ := strings.Cut(item, ":")
			all[name] = true
		}
	}
	for _, module := range []string{"Swift", "_Concurrency", "_StringProcessing"} {
		all[module] = true
		add(protocols[module])
		add(moduleOf[module])
		add(structs[module])
	}
	add(furtherBuiltins)
	return all
})

// furtherBuiltins are names in the standard library that are in none of the lists by
// module.
const furtherBuiltins = `Any Codable _OptionalNilComparisonType UnicodeScalar CountableRange CountableClosedRange AnyClass AnyActor Void StringLiteralType IntegerLiteralType FloatLiteralType BooleanLiteralType
UnicodeScalarType ExtendedGraphemeClusterType CodingUserInfoKey DefaultStringInterpolation KeyedDecodingContainer KeyedEncodingContainer
CVaListPointer FloatingPointSign FloatingPointClassification FloatingPointRoundingRule SIMDMask UTF8 UTF16 UTF32 UTF8Span
CLong CUnsignedLong CLongLong CUnsignedLongLong CShort CUnsignedShort CSignedChar CUnsignedChar CFloat CDouble CLongDouble CBool CWideChar CChar16 CChar32
AsyncMapSequence AsyncFilterSequence AsyncCompactMapSequence AsyncFlatMapSequence AsyncPrefixSequence AsyncPrefixWhileSequence AsyncDropFirstSequence AsyncDropWhileSequence
AsyncThrowingMapSequence AsyncThrowingFilterSequence AsyncThrowingCompactMapSequence AsyncThrowingFlatMapSequence AsyncThrowingPrefixWhileSequence AsyncThrowingDropWhileSequence
ThrowingDiscardingTaskGroup UnsafeCurrentTask UnownedTaskExecutor JobPriority
AssignmentPrecedence FunctionArrowPrecedence TernaryPrecedence DefaultPrecedence LogicalDisjunctionPrecedence LogicalConjunctionPrecedence ComparisonPrecedence
NilCoalescingPrecedence CastingPrecedence RangeFormationPrecedence AdditionPrecedence MultiplicationPrecedence BitwiseShiftPrecedence`
