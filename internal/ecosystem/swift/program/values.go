package program

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// added are members that extensions add to a type of a system.
type added struct {
	members []*member
	unknown bool // whether there may be others
	// declared is true if the system itself declares such a member.
	declared bool
}

// addedTo returns the members with a name that extensions of a type of a system, or of one of its protocols, add.
func (p *Program) addedTo(system, name string) *added {
	key := [2]string{system, name}
	a := p.added[key]
	if a == nil {
		a = p.addedMembers(system, name)
		p.added[key] = a
	}
	return a
}

// extendsSystem reports whether an extension of a type of a system, or of one of its protocols, may add a member.
func (p *Program) extendsSystem(system, name string) bool {
	return p.addedTo(system, name).isPossible()
}

func (a *added) isPossible() bool { return a.unknown || len(a.members) > 0 }

// declares reports whether a type of a system declares a member.
func declares(system, name string) bool {
	members := systemMembers[system]
	return contains(members, name) || contains(inherent, name) || contains(commonMembers, name) || contains(members, "first") && contains(collectionMembers, name)
}

func (p *Program) addedMembers(system, name string) *added {
	all := &added{declared: declares(system, name)}
	queue := withSupers([]string{system})
	if system == "Array" {
		queue = append(queue, "ArraySlice", "ReversedCollection", "Keys", "Values", "EnumeratedSequence", "Zip2Sequence", "FlattenSequence", "FlattenCollection", "JoinedSequence") // they are treated like arrays
	}
	for i := 0; i < len(queue); i++ {
		for _, extended := range append([]string{queue[i]}, p.aliases[queue[i]]...) {
			for _, x := range p.extensions[extended] {
				for _, m := range x.decl.Members {
					if m.Name == name {
						all.members = append(all.members, &member{decl: m, file: x.file, extension: x.decl})
					}
				}
				for _, inherited := range x.decl.Inherits {
					n, ok := parseType(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(inherited), "@unchecked ")))
					if !ok || n.array {
						all.unknown = true
						continue
					}
					v := p.resolve(n.path, context{file: x.file}, 1)
					last := n.path[len(n.path)-1]
					if v.t == nil {
						if members, known := closedSystems[last]; !known || contains(members, name) {
							all.unknown = true
						} else if !slices.Contains(queue, last) {
							queue = append(queue, last)
						}
						continue
					}
					found, complete := p.find(v.t, name)
					all.members = append(all.members, found...)
					all.unknown = all.unknown || !complete
				}
			}
		}
	}
	return all
}

// mayUse reports whether the use of a member may be one of those that extensions add. The arguments of a call of the member,
// or of a subscript, begin at token j if there are any.
func (w *walker) mayUse(all *added, j int) bool {
	functions := slices.DeleteFunc(slices.Clone(all.members), func(m *member) bool { return m.decl.Kind != source.Func && m.decl.Kind != source.Subscript })
	if all.unknown || !w.calls(j) && (w.at(j) != "[" || len(functions) < len(all.members)) {
		return all.unknown || len(functions) < len(all.members)
	}
	a, _ := w.arguments(j)
	if a == nil {
		return len(functions) > 0
	}
	accepting, _ := w.accepting(functions, a)
	return len(accepting) > 0
}

// addedMember evaluates a member of a value of a system that only extensions declare.
func (w *walker) addedMember(v value, all *added, first, i int) (value, int) {
	members := slices.DeleteFunc(slices.Clone(all.members), func(m *member) bool { return m.decl.Static() || !m.isVisible(w.file) })
	if all.unknown || len(members) == 0 {
		return w.skip(i + 1)
	}
	w.resolved[i] = true
	if !w.calls(i + 1) {
		if values := slices.DeleteFunc(slices.Clone(members), func(m *member) bool { return m.decl.Kind == source.Func }); len(values) > 0 {
			members = values
		}
		return w.valueOf(members, v, false, nil), i + 1
	}
	a, end := w.arguments(i + 1)
	if a == nil {
		return value{}, end
	}
	accepting, closest := w.accepting(members, a)
	if len(accepting) == 0 {
		if s := w.program.scopeOf(w.file); s.complete && s.systems && len(members) == len(all.members) && members[0].decl.Kind == source.Func && !w.program.importsMissingPackages(w.file.module) {
			w.reject(Use{Module: closest.member.file.module.Name, Path: w.path(closest.member, value{})}, a, closest, first, i)
		}
		return value{}, end
	}
	w.pass(accepting, v, a)
	return w.valueOf(accepting, v, true, a), end
}

// addedStatic checks the call of a static member of a type of a system that only extensions declare, and whose name is token i.
func (w *walker) addedStatic(system string, first, i int, ofValue bool) {
	names, _ := systemNamesAndLabels()
	name := unquoted(w.at(i))
	all := w.program.addedTo(system, name)
	if ofValue || !w.calls(i+1) || all.unknown || all.declared || names[name] || slices.ContainsFunc(all.members, func(m *member) bool { return m.decl.Kind != source.Func || !m.decl.Static() || !m.isVisible(w.file) }) {
		return
	}
	a, _ := w.arguments(i + 1)
	if a == nil || len(all.members) == 0 {
		return
	}
	accepting, closest := w.accepting(all.members, a)
	if s := w.program.scopeOf(w.file); len(accepting) == 0 && s.complete && s.systems && !w.program.importsMissingPackages(w.file.module) {
		w.reject(Use{Module: closest.member.file.module.Name, Path: w.path(closest.member, value{})}, a, closest, first, i)
	}
}

// systemMember evaluates a member of a value of a system.
func (w *walker) systemMember(v value, first, i int) (value, int) {
	name := unquoted(w.at(i))
	if systemMembers[v.system] == "" {
		w.foundationMember(v.system, i)
		if names, _ := systemNamesAndLabels(); !names[name] && w.program.extendsSystem(v.system, name) {
			return w.addedMember(v, w.program.addedTo(v.system, name), first, i)
		}
		if name == "decode" && contains(" JSONDecoder PropertyListDecoder ", v.system) && w.calls(i+1) && !w.program.extends(v.system, name) {
			if a, end := w.arguments(i + 1); a != nil && len(a.labels) > 0 && a.labels[0] == "_" {
				return w.metatype(a.starts[0]), end
			}
		}
		return w.foundationResult(v, i)
	}
	all := w.program.addedTo(v.system, name)
	known := all.declared
	if known && w.mayUse(all, i+1) || !known && all.isPossible() {
		w.foundationMember(v.system, i)
		if !known {
			return w.addedMember(v, all, first, i)
		}
		return w.skip(i + 1)
	}
	if !known {
		if s := w.program.scopeOf(w.file); s.complete && s.systems && !strings.HasPrefix(name, "_") && !w.program.importsMissingPackages(w.file.module) {
			w.report(Use{Path: name, Fault: ecosystem.AbsentFault, Message: fmt.Sprintf("%s has no member %s, and no module of the project or of its packages adds one", v.system, name)}, first, i)
		}
		return w.skip(i + 1)
	}
	e := w.program.element(v)
	if !w.calls(i + 1) {
		if r := w.memberType(v, name, false); r.isKnown() {
			return r, i + 1
		}
		return systemProperty(v, e, name), i + 1
	}
	a, end := w.arguments(i + 1)
	if a == nil {
		return value{}, end
	}
	if r := w.memberType(v, name, true); r.isKnown() && len(a.closures) == 0 {
		return r, end
	}
	return w.systemCall(v, e, name, a), end
}

// sequenceFunctions are members of all sequences that have the same types for sequences and arrays with the same elements.
const sequenceFunctions = " map flatMap compactMap forEach allSatisfy first last contains sorted min max enumerated reversed "

// commonMembers are members that values of all types of systems in systemMembers have or may have.
const commonMembers = " init isIdentical isTriviallyIdentical subscript ~= == != < > <= >= + - * / % "

const integerMembers = " magnitude words bitWidth trailingZeroBitCount leadingZeroBitCount nonzeroBitCount byteSwapped bigEndian littleEndian isMultiple quotientAndRemainder addingReportingOverflow subtractingReportingOverflow " +
	"multipliedReportingOverflow dividedReportingOverflow remainderReportingOverflow multipliedFullWidth dividingFullWidth signum distance advanced negate formatted min max zero random isSigned unsafeAdding unsafeSubtracting unsafeMultiplied " +
	"unsafeDivided toIntMax toUIntMax customPlaygroundQuickLook customMirror codingKey clamped Stride Magnitude Words IntegerLiteralType "

const floatMembers = " magnitude sign exponent significand ulp nextUp nextDown binade significandWidth exponentBitPattern significandBitPattern bitPattern exponentBitCount significandBitCount isNormal isFinite isZero isSubnormal isInfinite isNaN isSignalingNaN isCanonical floatingPointClass " +
	"rounded round squareRoot formSquareRoot addProduct addingProduct remainder formRemainder truncatingRemainder formTruncatingRemainder isEqual isLess isLessThanOrEqualTo isTotallyOrdered negate distance advanced formatted min max minimum maximum " +
	"minimumMagnitude maximumMagnitude zero pi infinity nan signalingNaN greatestFiniteMagnitude leastNormalMagnitude leastNonzeroMagnitude ulpOfOne radix random native customMirror codingKey clamped add adding subtract subtracting multiply multiplied multiplying " +
	"divide divided dividing Stride Magnitude Exponent RawSignificand RawExponent NativeType "

const arrayMembers = " base first append insert remove removeFirst removeLast removeAll removeSubrange removeSubranges popLast popFirst replaceSubrange reserveCapacity capacity swapAt sort reverse shuffle partition withUnsafeBufferPointer withUnsafeMutableBufferPointer " +
	"withUnsafeBytes withUnsafeMutableBytes withContiguousMutableStorageIfAvailable withBytes withMutableBytes withSpan span mutableSpan bytes mutableBytes applying move moveSubranges trim replace edit publisher customMirror resetBytes regions hash max min chunks " +
	"joined encode Element Index Indices Iterator SubSequence ArrayLiteralElement Regions EncodingConfiguration DecodingConfiguration "

const rangeMembers = " first lowerBound upperBound isEmpty contains overlaps clamped relative encode customMirror hash formatted Bound "

// systemMembers are the types of systems whose members are known, with their names. Those with the member first also
// have those in collectionMembers.
var systemMembers = map[string]string{
	"Array": arrayMembers, "ArraySlice": arrayMembers, "ContiguousArray": arrayMembers, "Range": rangeMembers, "ClosedRange": rangeMembers,
	"Dictionary": " first keys values updateValue removeValue merge merging mapValues compactMapValues filter remove removeAll reserveCapacity capacity index popFirst customMirror publisher encode Key Value Keys Values Index Element Iterator Indices SubSequence ",
	"Set": " first insert update remove removeFirst removeAll popFirst union formUnion intersection formIntersection symmetricDifference formSymmetricDifference subtract subtracting isSubset isSuperset isDisjoint isStrictSubset isStrictSuperset contains " +
		"filter reserveCapacity capacity customMirror publisher encode Element Index Iterator Indices SubSequence ArrayLiteralElement ",
	"String": " first append appending appendingFormat insert remove removeFirst removeLast removeAll removeSubrange removeSubranges popLast popFirst replaceSubrange reserveCapacity utf8 utf16 unicodeScalars utf8CString utf8Span lowercased uppercased hasPrefix hasSuffix write " +
		"withUTF8 withCString isContiguousUTF8 makeContiguousUTF8 withMutableCharacters characters data cString components replacingOccurrences replacingCharacters trimmingCharacters range rangeOfCharacter rangeOfComposedCharacterSequence rangeOfComposedCharacterSequences " +
		"folding capitalized localizedLowercase localizedUppercase localizedCapitalized localizedStandardContains localizedStandardRange localizedStandardCompare localizedCaseInsensitiveContains localizedCaseInsensitiveCompare localizedCompare " +
		"caseInsensitiveCompare compare commonPrefix padding paragraphRange lineRange getLineStart getParagraphStart enumerateLines enumerateSubstrings enumerateLinguisticTags linguisticTags propertyList propertyListFromStringsFileFormat substring " +
		"addingPercentEncoding removingPercentEncoding addingPercentEscapes replacingPercentEscapes applyingTransform decomposedStringWithCanonicalMapping decomposedStringWithCompatibilityMapping precomposedStringWithCanonicalMapping " +
		"precomposedStringWithCompatibilityMapping fastestEncoding smallestEncoding canBeConverted lengthOfBytes maximumLengthOfBytes getBytes getCString variantFittingPresentationWidth localizedStringWithFormat availableStringEncodings " +
		"defaultCStringEncoding localizedName localized decodeCString customMirror codingKey publisher encode starts replace replacing trim max min joined completePath contains size draw boundingRect appendingPathComponent appendingPathExtension " +
		"lastPathComponent pathComponents pathExtension deletingLastPathComponent deletingPathExtension expandingTildeInPath abbreviatingWithTildeInPath standardizingPath resolvingSymlinksInPath isAbsolutePath fileSystemRepresentation " +
		"length hash unicodeScalarLiteral transcoded bidirectional indicesFromRanges Encoding Index Element UTF8View UTF16View UnicodeScalarView CharacterView SubSequence CompareOptions EncodingConversionOptions EnumerationOptions LocalizationValue LocalizationOptions Comparator ",
	"KeyedDecodingContainer": codingMembers, "KeyedEncodingContainer": codingMembers,
	"Bool":   " toggle random negate customMirror codingKey ",
	"Int":    integerMembers,
	"UInt":   integerMembers,
	"Double": floatMembers,
	"Float":  floatMembers,

	"MemoryLayout": " size stride alignment offset ",
}
