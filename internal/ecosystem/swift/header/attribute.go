package header

import (
	"slices"
	"strings"
)

func set(words string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		all[w] = true
	}
	return all
}

var (
	// attributeCalls lists attributes with arguments in parentheses.
	attributeCalls = set(`__attribute__ __attribute __declspec _Alignas alignas __asm __asm__ asm __pragma _Pragma __nonnull __printflike __scanflike
		__deprecated_msg __availability __API_AVAILABLE __API_UNAVAILABLE __API_DEPRECATED __OSX_AVAILABLE __IOS_AVAILABLE __typeof_attribute
		NS_SWIFT_NAME CF_SWIFT_NAME NS_FORMAT_FUNCTION CF_FORMAT_FUNCTION DEPRECATED_MSG_ATTRIBUTE API_AVAILABLE API_UNAVAILABLE API_DEPRECATED
		API_DEPRECATED_WITH_REPLACEMENT NS_AVAILABLE NS_AVAILABLE_IOS NS_AVAILABLE_MAC NS_DEPRECATED NS_DEPRECATED_IOS NS_DEPRECATED_MAC NS_CLASS_AVAILABLE
		NS_SWIFT_UNAVAILABLE NS_SWIFT_ASYNC_NAME NS_SWIFT_ASYNC SWIFT_NAME SWIFT_AVAILABILITY SWIFT_DEPRECATED_MSG SWIFT_UNAVAILABLE_MSG swift_name`)
	// attributeWords lists attributes without arguments.
	attributeWords = set(`inline __inline __inline__ __forceinline __extension__ _Noreturn __noreturn register __cdecl __stdcall __fastcall WINAPI CALLBACK
		APIENTRY __used __unused __pure __deprecated __kindof NS_SWIFT_SENDABLE NS_SWIFT_NONSENDABLE NS_SWIFT_UI_ACTOR
		NS_REFINED_FOR_SWIFT NS_DESIGNATED_INITIALIZER NS_REQUIRES_SUPER NS_NOESCAPE NS_UNAVAILABLE NS_REQUIRES_NIL_TERMINATION NS_SWIFT_NOTHROW
		NS_SWIFT_DISABLE_ASYNC NS_RETURNS_RETAINED NS_RETURNS_NOT_RETAINED NS_RETURNS_INNER_POINTER CF_RETURNS_RETAINED CF_RETURNS_NOT_RETAINED CF_CONSUMED
		NS_CONSUMED NS_ROOT_CLASS NS_TYPED_ENUM NS_TYPED_EXTENSIBLE_ENUM NS_STRING_ENUM NS_EXTENSIBLE_STRING_ENUM CF_REFINED_FOR_SWIFT OBJC_EXPORT UNAVAILABLE_ATTRIBUTE
		DEPRECATED_ATTRIBUTE NS_AUTOMATED_REFCOUNT_UNAVAILABLE NS_INLINE CF_INLINE IBInspectable IBOutlet IBAction IB_DESIGNABLE`)
	// macroParts lists parts of the names of macros that represent attributes.
	macroParts = []string{"_EXPORT", "EXPORT_", "_EXTERN", "EXTERN_", "_API", "API_", "_PUBLIC", "_DEPRECATED", "DEPRECATED_", "AVAILABLE", "NONNULL", "NULLABLE",
		"_INLINE", "INLINE_", "BEGIN_DECLS", "END_DECLS", "_BEGIN", "_END", "BEGIN_C_DECLS", "END_C_DECLS", "_UNUSED", "_NORETURN", "NOTHROW", "_SWIFT_", "_ATTR", "_VISIBLE", "NS_SWIFT"}
)

// isMacro reports whether a name looks like the name of a macro that represents attributes.
func isMacro(name string) bool {
	if len(name) < 4 || strings.ToUpper(name) != name || strings.HasPrefix(name, "@") {
		return false
	}
	return slices.ContainsFunc(macroParts, func(part string) bool { return strings.Contains(name, part) })
}

// facts contains the information in the attributes of a declaration.
type facts struct {
	swiftName  string
	deprecated string
	hidden     bool // whether it is unavailable
}

// clean removes the attributes from a declaration and returns their information.
func (p *parser) clean(tokens []token) ([]token, facts) {
	var f facts
	out := make([]token, 0, len(tokens))
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		m := p.macros.attribute(t.text)
		switch {
		case t.text == "[[":
			end := find(tokens, i, "]]")
			f.read("", tokens[i:end])
			i = end
		case t.kind != word:
			out = append(out, t)
		case attributeWords[t.text]:
			f.read(t.text, nil)
		case m != nil && m.identity && next(tokens, i) == "(":
			end := group(tokens, i+1)
			out = append(out, tokens[min(i+2, end):end]...)
			i = end
		case attributeCalls[t.text] || isMacro(t.text) && !enumMacros[t.text] || m != nil && !m.identity:
			end := i
			// The declaration int MY_API(void) declares a function with that name.
			if next(tokens, i) == "(" && (m == nil || m.call) {
				end = group(tokens, i+1)
			}
			f.read(t.text, tokens[i:min(end+1, len(tokens))])
			i = end
		default:
			out = append(out, t)
		}
	}
	return out, f
}

// next returns the text of the token after i. It returns "" after the last token.
func next(tokens []token, i int) string {
	if i+1 < len(tokens) {
		return tokens[i+1].text
	}
	return ""
}

// find returns the index of the first token with text, searching from i, or the last index if there
// is none.
func find(tokens []token, i int, text string) int {
	for ; i < len(tokens); i++ {
		if tokens[i].text == text {
			return i
		}
	}
	return len(tokens) - 1
}

// read records the information in an attribute.
func (f *facts) read(name string, tokens []token) {
	deprecated := strings.Contains(strings.ToLower(name), "deprecated")
	text := ""
	limited := -1 // end of an attribute for a single platform
	for i, t := range tokens {
		switch {
		case t.text == "availability" && i > limited && next(tokens, i) == "(":
			limited = group(tokens, i+1)
		case strings.HasPrefix(t.text, "deprecated") || t.text == "__deprecated__":
			deprecated = true
		case t.text == "swift_name" || strings.HasSuffix(t.text, "_SWIFT_NAME") || t.text == "SWIFT_NAME":
			if next(tokens, i) == "(" {
				end := group(tokens, i+1)
				f.swiftName = strings.Trim(join(tokens[min(i+2, end):end]), `"`)
			}
		case t.text == "unavailable" && i > limited:
			f.hidden = true
		case t.kind == quoted && text == "":
			text = strings.Trim(t.text, `"`)
		}
	}
	if name == "NS_UNAVAILABLE" || name == "UNAVAILABLE_ATTRIBUTE" {
		f.hidden = true
	}
	if deprecated && f.deprecated == "" {
		if f.deprecated = text; text == "" {
			f.deprecated = "deprecated"
		}
	}
}
