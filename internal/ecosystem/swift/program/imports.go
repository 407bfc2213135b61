package program

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
	"github.com/docent-mcp/docent/internal/spelling"
)

// scope is what is known about the names that the imports of a file bring into scope.
type scope struct {
	modules []*unit // the file's module and those that it imports or that these re-export
	// complete is false if a module may declare types that are unknown. prefixed is true if these only include those with
	// the prefixes of a module of a system, and a few others.
	complete, prefixed bool
	// opaque are the modules that may declare unknown types, if all of these are opaque, or nil otherwise.
	opaque []*unit
	// systems is true if the file's module only imports modules of systems whose members are known. A file can use the
	// members that are added in a module which another file of its module imports.
	systems bool
	types   string // the types of imported modules in typesOfSystems
}

// scopeOf returns the scope of a file.
func (p *Program) scopeOf(f *file) *scope {
	if f.scope != nil {
		return f.scope
	}
	s := &scope{complete: true, systems: p.importsKnownSystems(f.module)}
	f.scope = s
	var opaque []*unit
	queue := append([]string{f.module.Name}, f.imports...)
	for i := 0; i < len(queue); i++ {
		if slices.Contains(queue[:i], queue[i]) {
			continue
		}
		m := p.modules[queue[i]]
		if m == nil {
			s.types += typesOfSystems[queue[i]]
			prefixed := contains(prefixedSystems, queue[i])
			if prefixed {
				s.types += typesOfInterfaces
			}
			switch {
			case f.importsConditionally(queue[i]):
			case prefixed:
				s.prefixed = true
			default:
				s.complete = s.complete && isKnownSystem(queue[i])
			}
			continue
		}
		s.modules = append(s.modules, m)
		if m.Opaque {
			opaque = append(opaque, m)
			continue
		}
		s.complete = s.complete && m.loaded && m.complete && !p.peers(m).arbitrary
		queue = append(queue, m.exports...)
	}
	if s.complete && len(opaque) > 0 {
		s.complete, s.opaque = false, opaque
	}
	return s
}

// importsConditionally reports whether a file imports a module of a system only under a condition, so that code outside conditions
// does not use the types of that module. Two such modules may declare the same types, unless these have prefixes.
func (f *file) importsConditionally(name string) bool {
	alternatives := 0
	for i := range f.Imports {
		switch d := &f.Imports[i]; {
		case d.Module == name && (len(d.Conditions) == 0 || !module.IsSystem(name)):
			return false
		case d.Module == name, len(d.Conditions) > 0 && !isKnownSystem(d.Module) && !contains(prefixedSystems, d.Module):
			alternatives++
		}
	}
	return alternatives == 1
}

// importsMissing reports whether a file imports a module that is neither in the program nor one of a system, and not only
// under a condition. Such a module may declare types.
func (p *Program) importsMissing(f *file) bool {
	return slices.ContainsFunc(f.Imports, func(d source.Import) bool {
		return len(d.Conditions) == 0 && p.modules[d.Module] == nil && !module.IsSystem(d.Module)
	})
}

// mayBeMissing reports whether a missing module that the file imports may declare members of a type, or functions outside types
// if the type is nil. No other package can import a module of the file's package, so it cannot extend the types of that
// package, but it may extend their supertypes.
func (w *walker) mayBeMissing(t *Type) bool {
	if !w.program.importsMissing(w.file) {
		return false
	}
	if t == nil {
		return true
	}
	all, systems, _ := w.program.closure(t)
	return slices.ContainsFunc(all, func(s *Type) bool { return s.module.Package != w.file.module.Package }) ||
		slices.ContainsFunc(systems, func(name string) bool { return !contains(fixedSystems, name) })
}

// fixedSystems are protocols of the standard library that modules do not extend.
const fixedSystems = " AnyObject Sendable SendableMetatype Copyable Escapable BitwiseCopyable "

// importsKnownSystems reports whether a module only imports modules of systems whose members are known, directly or because
// an imported module re-exports them. Code outside conditions does not use members of a module of a system that is imported
// under a condition.
func (p *Program) importsKnownSystems(m *unit) bool {
	if m.systems == nil {
		known, visited := true, map[string]bool{}
		var queue []string
		for _, f := range m.files {
			for i := range f.Imports {
				if d := &f.Imports[i]; len(d.Conditions) == 0 || p.modules[d.Module] != nil || !module.IsSystem(d.Module) {
					queue = append(queue, d.Module)
				}
			}
		}
		for i := 0; i < len(queue) && known; i++ {
			name := queue[i]
			if visited[name] {
				continue
			}
			visited[name] = true
			if imported := p.modules[name]; imported != nil {
				queue = append(queue, imported.exports...)
			} else {
				known = isKnownSystem(name)
			}
		}
		m.systems = &known
	}
	return *m.systems
}

// knownSystems are the modules of systems whose types are in systemTypes or have one of systemPrefixes.
const knownSystems = " Swift _Concurrency _StringProcessing Foundation FoundationEssentials FoundationNetworking FoundationXML XCTest Dispatch Glibc Musl Darwin Android Bionic WASILibc wasi_pthread "

func isKnownSystem(name string) bool {
	return contains(knownSystems, name) || typesOfSystems[name] != ""
}

// peers returns the names that macros may declare outside types.
func (p *Program) peers(m *unit) *generated {
	if m.peers == nil {
		m.peers = &generated{}
		for _, f := range m.files {
			m.peers.add(p.expanded(f.File))
			for _, d := range f.Decls {
				p.addAttributes(m.peers, d, true, nil, f)
			}
		}
	}
	return m.peers
}

// annotation checks the names of types in a written type that begins at a token.
func (w *walker) annotation(i, end int) {
	for ; i < end; i++ {
		if w.isName(i) && w.at(i-1) != "." && w.at(i-1) != "@" && w.at(i+1) != ":" && !isTypeKeyword(w.at(i)) && !w.annotated[i] {
			w.annotated[i] = true
			w.typeName(i)
		}
	}
}

// requirements checks the names of types in a where clause that begins at a token.
func (w *walker) requirements(i, end int) {
	for k := i + 1; k < end; k++ {
		if w.at(k) == ":" || w.at(k) == "==" || w.at(k) == "," {
			w.annotation(i+1, k)
			i = k
		}
	}
	w.annotation(i+1, end)
}

// typeName checks a name of a type in a written type, and the names of the nested types after it.
func (w *walker) typeName(i int) {
	name := unquoted(w.at(i))
	if len(w.named[name]) > 0 {
		return
	}
	certain := true
	for _, f := range slices.Backward(w.frames) {
		if w.mayNotNest(&f, name) {
			certain = false
			continue
		}
		if f.t == nil || f.t.inGeneric(name) {
			return
		}
		n, known := w.program.nestedIn(f.t, name, 0)
		if n != nil || !known && (mayNest(name) || !w.program.hasKnownSupers(f.t)) {
			return
		}
		certain = certain && known
		for t := f.t; t != nil; t = t.parent {
			if t.name == name {
				return
			}
		}
	}
	t := w.program.global(name, w.file)
	if t == nil {
		w.missing(i, certain)
		return
	}
	v := w.program.resolve([]string{name}, context{file: w.file}, 0)
	for k := i + 1; w.at(k) == "." && w.isName(k+1) && v.t != nil && !v.t.isAlias(); k += 2 {
		nested := unquoted(w.at(k + 1))
		n, known := w.program.nestedIn(v.t, nested, 0)
		if n == nil {
			if _, complete := w.program.find(v.t, nested); known && complete && nested != "Type" && nested != "Protocol" && !w.mayBeMissing(v.t) {
				w.report(Use{Module: v.t.module.Name, Path: v.t.path() + "." + nested, Fault: ecosystem.AbsentFault}, i, k+1)
			}
			return
		}
		v = w.program.underlying(n, 0)
	}
}

// mayNotNest reports whether an enclosing type is an extended type of a system that hardly has a nested type with the given
// name.
func (w *walker) mayNotNest(f *frame, name string) bool {
	names, _ := systemNamesAndLabels()
	return f.t == nil && f.system != "" && name[0] >= 'A' && name[0] <= 'Z' && !mayNest(name) && !names[name] && !w.program.extendsSystem(f.system, name)
}

// missing reports the use of a type that no module in the scope of the file declares, if another module of the program
// does, or if no other file of the package uses it. certain is false if a supertype in a system may have a member with this
// name.
func (w *walker) missing(i int, certain bool) {
	name := unquoted(w.at(i))
	s := w.program.scopeOf(w.file)
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return
	}
	system := isSystemType(name)
	if system && !isCarbonType(name) || module.IsSystem(name) || contains(s.types, name) || slices.Contains(w.file.imports, name) || w.file.module.Name == name {
		return
	}
	declaring := w.program.declaring(name, w.file)
	if declaring == "" && (system || strings.ToUpper(name) == name || strings.Contains(name, "_") || w.program.modules[name] != nil) {
		return // it may be a constant or a type of C, such as Dl_info
	}
	var hidden *Type
	for _, m := range s.modules {
		if m.values[name] != nil || w.program.peers(m).mayBe(name) || m.types[name] != nil && m.types[name].isVisible(w.file) {
			return
		}
		if t := m.types[name]; t != nil {
			hidden = t
		}
	}
	if slices.ContainsFunc(s.opaque, func(m *unit) bool { return m.Contains == nil || m.Contains(name) }) {
		return
	}
	complete := s.complete || declaring != "" && s.opaque != nil
	if !complete || s.prefixed && declaring == "" {
		w.generated = true
		return
	}
	if hidden != nil {
		w.report(Use{Module: hidden.module.Name, Path: hidden.path(), Fault: ecosystem.UnexportedFault}, i, i)
		return
	}
	message := "neither the file's module nor one that it imports declares " + name
	if declaring != "" {
		message += ", which " + declaring + " declares"
	} else if declared := w.program.wordsOf().globals[name]; !certain || !declared && w.program.isInOthers(name, w.file) {
		w.generated = w.generated || !declared
		return
	}
	w.report(Use{Path: name, Fault: ecosystem.AbsentFault, Message: message, Near: spelling.Misspelled(maps.Keys(w.program.wordsOf().globals), name)}, i, i)
}

// missingFunction reports the call of a function that nothing in the scope of the file declares. Names without a capital
// letter may be those of functions of C.
func (w *walker) missingFunction(i int) {
	name := w.at(i)
	names, _ := systemNamesAndLabels()
	if name[0] < 'a' || name[0] > 'z' || strings.ToLower(name) == name || strings.Contains(name, "_") || names[name] || isShared(name, false) || w.program.isInOthers(name, w.file) {
		return
	}
	s := w.program.scopeOf(w.file)
	if !s.complete || s.prefixed || !s.systems || slices.ContainsFunc(s.modules, func(m *unit) bool { return w.program.peers(m).mayBe(name) }) {
		return
	}
	w.report(Use{Path: name, Fault: ecosystem.AbsentFault, Message: "neither the file's module nor one that it imports declares a function " + name, Near: spelling.Misspelled(maps.Keys(w.program.wordsOf().globals), name)}, i, i)
}

// declaring returns the module that declares a type which a file could use if it imported the module, or "".
func (p *Program) declaring(name string, f *file) string {
	found := ""
	for _, m := range p.modules {
		if t := m.types[name]; t != nil && t.isVisible(f) && (found == "" || m.Name < found) {
			found = m.Name
		}
	}
	if found == "" {
		found = p.notImported().types[name]
	}
	return found
}

// prefixedSystems are modules of systems whose types have one of systemPrefixes, except for those in typesOfInterfaces and
// a few others.
const prefixedSystems = " UIKit AppKit Cocoa WatchKit CoreGraphics QuartzCore CoreImage Network "

const typesOfInterfaces = " Preview ImageResource ColorResource UTType Transferable TextFormattingConfiguration AttributeScopes SymbolEffect SymbolEffectOptions Effect Options Tag Item Content Context Color Font Image Text View Symbol "

// isInOthers reports whether other files of a file's package contain a word. If it is the name of a type that nothing
// declares, a tool may generate that.
func (p *Program) isInOthers(word string, f *file) bool {
	modules := map[string]bool{}
	for name, m := range p.modules {
		if m.Package == f.module.Package {
			modules[name] = true
		}
	}
	return p.wordsOf().isElsewhere(word, f.module.Name, f.Name, modules)
}

// isCarbonType reports whether a name only begins like those of types that modules rarely use, such as AEDesc.
func isCarbonType(name string) bool {
	return !systemTypeSet()[name] && !hasPrefix(name, systemPrefixes)
}

// isSystemType reports whether a module of a system may declare a type with the given name.
func isSystemType(name string) bool {
	return systemTypeSet()[name] || hasPrefix(name, systemPrefixes) || hasPrefix(name, carbonPrefixes)
}

// hasPrefix reports whether a name begins with one of several prefixes and another word, or is the prefix.
func hasPrefix(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool {
		rest, ok := strings.CutPrefix(name, prefix)
		return ok && (prefix == "_" || rest == "" || rest[0] < 'a' || rest[0] > 'z')
	})
}

// unimported contains the public declarations of modules that nothing in the project imports.
type unimported struct {
	types   map[string]string // the modules of types, by the names of these
	members map[string]bool
}

// notImported returns the public declarations of modules that nothing in the project imports.
func (p *Program) notImported() *unimported {
	p.words.mu.Lock()
	defer p.words.mu.Unlock()
	if p.words.notImported != nil {
		return p.words.notImported
	}
	all := &unimported{map[string]string{}, map[string]bool{}}
	for _, m := range p.sources {
		if u := p.modules[m.Name]; m.Opaque || u.Module == m && u.loaded {
			continue
		}
		files, _ := m.Read()
		for _, f := range files {
			for _, d := range f.Decls {
				if other, ok := all.types[d.Name]; d.Kind != source.Extension && isType(d) && d.Access >= source.Public && (!ok || m.Name < other) {
					all.types[d.Name] = m.Name
				}
				all.addMembers(d)
			}
		}
	}
	p.words.notImported = all
	return all
}

// addMembers adds the public members of a type or an extension.
func (u *unimported) addMembers(d *source.Decl) {
	for _, m := range d.Members {
		x := &member{decl: m}
		if d.Kind == source.Extension {
			x.extension = d
		}
		if x.access() >= source.Public {
			u.members[m.Name] = true
		}
		u.addMembers(m)
	}
}

// systemPrefixes are the beginnings of names of types in knownSystems.
var systemPrefixes = []string{"_", "NS", "CF", "CG", "OS", "XCT", "XCTest", "XCUI", "Unit", "UTType", "UI", "CA", "CT", "NW", "WK", "AX", "Dispatch", "Sec", "POSIX", "ExpressibleBy", "SIMD", "Mach", "Darwin", "URLSession", "UInt"}

// carbonPrefixes are the beginnings of names of types of C in Carbon, CoreServices and Security.
var carbonPrefixes = []string{"LSCopy", "LSOpen", "FSEvent", "MDItem", "MDQuery", "CSIdentity", "CI",
	"AE", "Authorization", "BigEndian", "CMSDecoder", "CMSEncoder", "CMSSigner", "CMSSigned", "CMSCertificate", "ComponentInstance", "ComponentDescription", "ConstStr", "ConstStringPtr", "CSSM", "DCS", "FS", "HFS", "IconFamily", "IconRef", "IconServices", "LS", "MD", "SK", "TEC", "TextEncoding", "TextRange", "UC", "UniChar", "WS"}

// systemTypeSet contains the names in systemTypes.
var systemTypeSet = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(systemTypes) {
		set[name] = true
	}
	return set
})

// systemTypes are the types in knownSystems without such a prefix.
const systemTypes = " Self CodingKeys BooleanLiteralType ExtendedGraphemeClusterType AlignmentOptions AffineTransform BlockOperation Bundle BundleMacro ByteCountFormatStyle ByteCountFormatter CachedURLResponse Calendar CharacterSet CocoaError CodableConfiguration CodableWithConfiguration CodableAttributedStringKey " +
	"ComparableComparator Comparator ComparisonResult ContiguousBytes CurrencyFormatStyleConfiguration Decimal DecodableWithConfiguration DecodingConfigurationProviding DescriptiveNumberFormatConfiguration Dimension DiscreteFormatStyle DistributedNotificationCenter " +
	"EncodableWithConfiguration EncodingConfigurationProviding EnergyFormatter Expression ExpressionMacro FileAttributeKey FileAttributeType FileHandle FileManager FileManagerDelegate FileProtectionType FileWrapper FormatStyle FormatStyleCapitalizationContext Formatter " +
	"HTTPURLResponse Host ISO8601DateFormatter IndexPath IndexSet InflectionRule InflectionConcept InputStream KeyPathComparator LengthFormatter ListFormatStyle ListFormatter Locale LocalizedError LocalizedStringResource LocalizationOptions MassFormatter Measurement MeasurementFormatter MessagePort Morphology " +
	"MutableDataProtocol Notification NotificationCenter NotificationQueue NumberFormatStyleConfiguration NumberFormatter ObjCBool ObjCObjectAnyClass OperatingSystemVersion Operation OperationQueue OutputStream ParseStrategy ParseableFormatStyle PerformanceMeter PersonNameComponents PersonNameComponentsFormatter Pipe Port PortDelegate PortMessage " +
	"Process ProcessInfo Progress ProgressKind ProgressManager ProgressReporter ProgressReporting ProgressUserInfoKey QualityOfService RecoverableError ReferenceConvertible RelativeDateTimeFormatter RunLoop Scanner ScopedAttributeContainer SocketNativeHandle SocketPort SortComparator SortDescriptor SortOrder StandardPredicateExpression Stream StreamDelegate " +
	"StreamNetworkServiceTypeValue StreamSocketSecurityLevel Subprogress TermOfAddress Thread TimeInterval TimeZone Timer UUID UndoManager UserDefaults ValueTransformer ReferenceWritableKeyPath " +
	"Boolean Byte SignedByte Point Rect Fixed Ptr Handle Size Style Duration Fract UnsignedFixed ShortFixed ByteCount ItemCount OptionBits OSErr LangCode RegionCode ScriptCode ProcessSerialNumber AbsoluteTime SInt8 SInt16 SInt32 SInt64 UniversalProcPtr ProcPtr Register68kProcPtr " +
	"UnsignedWide WidePtr NumVersion NumVersionVariant VersRec PropertyCreator PropertyTag UnicodeScalarValue Str15 Str27 Str31 Str32 Str63 Str255 StrFileName FixedPtr FractPtr StringPtr StringHandle OSTypePtr DescType DescTypePtr AppleEvent AppleEventPtr AliasHandle AliasPtr AliasRecord " +
	"Gestalt DateTimeRec LocalDateTime UTCDateTime EventRecord GetMacOSStatusCommentString GetMacOSStatusErrorString LMGetKbdType GetProcessForPID GetProcessPID NewPtr NewHandle DisposePtr DisposeHandle CreateTextEncoding Microseconds UpTime " +
	"SessionCreate SessionGetInfo SessionAttributeBits SessionCreationFlags ScriptLanguageRecord FolderType CollectionTag Collection Selector Protocol Class Method Ivar Category IMP LogicalAddress PhysicalAddress ResType FourCharCode BytePtr ByteOffset " +
	"DropFirstSequence DropWhileSequence PrefixWhileSequence Actor AdditiveArithmetic Array ArraySlice AutoreleasingUnsafeMutablePointer BidirectionalCollection BinaryFloatingPoint BinaryInteger BitwiseCopyable Bool CaseIterable Character CheckedContinuation ClosedRange Clock ClockID Codable CodingKey CodingKeyRepresentable CodingUserInfoKey Collection CollectionDifference CollectionOfOne CommandLine Comparable " +
	"ConcurrentValue ContiguousArray ContinuousClock Copyable CVarArg CVaListPointer CancellationError CChar COpaquePointer Decodable Decoder DecodingError DefaultIndices DefaultStringInterpolation Dictionary DiscardingTaskGroup DoubleWidth Double EmptyCollection Encodable Encoder EncodingError EnumeratedSequence Equatable Error Escapable Executor ExecutorJob ExternalUnsafe " +
	"FlattenCollection FlattenSequence FixedWidthInteger FlattenBidirectionalCollection GlobalActor Hashable Hasher Identifiable IndexingIterator Indices InlineArray InstantProtocol IteratorProtocol IteratorSequence Job JobPriority JoinedSequence KeyPath KeyValuePairs LosslessStringConvertible MainActor ManagedBuffer ManagedBufferPointer MemoryLayout Mirror MirrorPath " +
	"MutableCollection MutableRawSpan MutableSpan Never Numeric ObjectIdentifier OpaquePointer OptionSet Optional OutputRawSpan OutputSpan PlaygroundQuickLook PrefixSequence RandomAccessCollection RandomNumberGenerator RangeReplaceableCollection RawRepresentable RawSpan Regex RegexComponent RegexOutput Repeated Result ReversedCollection " +
	"Sendable SendableMetatype Sequence SerialExecutor Set SetAlgebra SignedInteger SignedNumeric SingleValueDecodingContainer SingleValueEncodingContainer Slice Span StaticBigInt StaticString Strideable StrideThrough StrideThroughIterator StrideTo StrideToIterator SuspendingClock SystemRandomNumberGenerator " +
	"Task TaskGroup TaskLocal TaskPriority TaskExecutor TextOutputStream TextOutputStreamable ThrowingDiscardingTaskGroup ThrowingTaskGroup Type UnboundedRange UnfoldFirstSequence UnfoldSequence UnownedJob UnownedSerialExecutor UnownedTaskExecutor Unmanaged UnsignedInteger Unicode UTF8Span Void VaListBuilder WritableKeyPath Zip2Sequence " +
	"Observable ObservationRegistrar Observations ObservationTracking TaskName ImmediateTask Borrow Inout UniqueBox UniqueArray RigidArray Iterable BorrowingSequence ContiguousStorage NSExceptionName CLongDouble CDouble CFloat CInt CLong CLongLong CShort CSignedChar CUnsignedChar CUnsignedInt CUnsignedLong CUnsignedLongLong CUnsignedShort CBool CWideChar CChar8 CChar16 CChar32 " +
	"DictionaryIndex DictionaryIterator SetIndex SetIterator Any AnyObject AnyClass AnyHashable AnySequence AnyIterator AnyCollection AnyBidirectionalCollection AnyRandomAccessCollection AnyIndex AnyKeyPath AnyRegexOutput AnyActor AnyDistributedActor AnySortComparator AnyClock " +
	"AsyncSequence AsyncIteratorProtocol AsyncStream AsyncThrowingStream AsyncMapSequence AsyncFilterSequence AsyncCompactMapSequence AsyncFlatMapSequence AsyncDropFirstSequence AsyncDropWhileSequence AsyncPrefixSequence AsyncPrefixWhileSequence " +
	"AsyncThrowingMapSequence AsyncThrowingFilterSequence AsyncThrowingCompactMapSequence AsyncThrowingFlatMapSequence AsyncThrowingDropWhileSequence AsyncThrowingPrefixWhileSequence AsyncCharacterSequence AsyncLineSequence AsyncUnicodeScalarSequence AsyncBytes " +
	"AttributeContainer AttributeDynamicLookup AttributeScope AttributeScopeCodableConfiguration AttributeScopes AttributedString AttributedStringAttributeMutation AttributedStringKey AttributedStringProtocol AttributedSubstring AttributedTextFormatting AttributedTextSelection " +
	"ClosedRange ClosedRangeIndex CountableRange CountableClosedRange CountablePartialRangeFrom EmptyIterator EnumeratedIterator FlattenIterator JoinedIterator MainExecutor SchedulingExecutor ExecutorFactory RunLoopExecutor CustomStringConvertible CustomDebugStringConvertible CustomReflectable CustomLeafReflectable CustomPlaygroundDisplayConvertible CustomPlaygroundQuickLookable CustomNSError " +
	"CustomConsumingRegexComponent CustomPredicateRegex Data DataProtocol Date DateComponents DateComponentsFormatter DateFormatter DateInterval DateIntervalFormatter DiscontiguousSlice DiscontiguousAttributedSubstring " +
	"Float Float16 Float32 Float64 Float80 FloatLiteralType FloatingPoint FloatingPointSign FloatingPointClassification FloatingPointRoundingRule FloatingPointFormatStyle FloatingPointParseStrategy HTTPCookie HTTPCookiePropertyKey HTTPCookieStorage " +
	"Int Int8 Int16 Int32 Int64 Int128 IntMax IntegerLiteralType IntegerFormatStyle IntegerParseStrategy JSONDecoder JSONEncoder JSONSerialization KeyedDecodingContainer KeyedEncodingContainer KeyedDecodingContainerProtocol KeyedEncodingContainerProtocol " +
	"LazySequence LazySequenceProtocol LazyCollection LazyCollectionProtocol LazyMapSequence LazyMapCollection LazyFilterSequence LazyFilterCollection LazyDropWhileSequence LazyDropWhileCollection LazyPrefixWhileSequence LazyPrefixWhileCollection " +
	"LazyBidirectionalCollection LazyRandomAccessCollection LazyMapBidirectionalCollection LazyMapRandomAccessCollection PartialRangeFrom PartialRangeThrough PartialRangeUpTo PartialKeyPath PartialAsyncTask Predicate PredicateBindings PredicateCodableConfiguration " +
	"PredicateCodableKeyPathProviding PredicateError PredicateExpression PredicateExpressions PredicateMacro PredicateRegex PropertyListDecoder PropertyListEncoder PropertyListSerialization Range RangeExpression RangeSet RangeReplaceableSlice RangeView " +
	"String StringProtocol StringLiteralType StringInterpolationProtocol StringTransform StringStyle StringEncodingError Substring Unicode UnicodeScalar UnicodeScalarType UnicodeScalarLiteralType UnicodeCodec UnicodeDecodingResult UnicodeAllScalars " +
	"UTF8 UTF16 UTF32 UTF8Char UTF16Char UTF32Char UnkeyedDecodingContainer UnkeyedEncodingContainer UnsafePointer UnsafeMutablePointer UnsafeRawPointer UnsafeMutableRawPointer UnsafeBufferPointer UnsafeMutableBufferPointer UnsafeRawBufferPointer " +
	"UnsafeMutableRawBufferPointer UnsafeContinuation UnsafeCurrentTask UnsafeBufferPointerIterator UnsafeMutableBufferPointerIterator URL URLAuthenticationChallenge URLAuthenticationChallengeSender URLCache URLComponents URLCredential URLCredentialStorage URLError " +
	"URLFileProtection URLFileResourceType URLProtectionSpace URLProtocol URLProtocolClient URLQueryItem URLRequest URLResource URLResourceKey URLResourceValues URLResponse URLThumbnailDictionaryItem URLUbiquitousItemDownloadingStatus URLUbiquitousSharedItemPermissions " +
	"URLUbiquitousSharedItemRole URLDownload URLHandle DecodableAttributedStringKey EncodableAttributedStringKey MarkdownDecodableAttributedStringKey ObjectiveCConvertibleAttributedStringKey " +
	"StreamSOCKSProxyConfiguration StreamSOCKSProxyVersion XCNotificationExpectationHandler XCPredicateExpectationHandler XCWaitCompletionHandler XMLDTD XMLDTDNode XMLDocument XMLElement XMLNode XMLParser XMLParserDelegate "

// typesOfSystems are modules of systems whose types are known but not in systemTypes, with these types. They do not add
// members to the types in systemMembers.
var typesOfSystems = map[string]string{
	"Combine": " Publisher Publishers Subscriber Subscribers Subscription Subscriptions Subject CurrentValueSubject PassthroughSubject Cancellable AnyCancellable AnyPublisher AnySubscriber Just Future Fail Empty Deferred Record ConnectablePublisher ObservableObject ObservableObjectPublisher Published " +
		"Scheduler SchedulerTimeIntervalConvertible ImmediateScheduler TopLevelEncoder TopLevelDecoder CombineIdentifier CustomCombineIdentifierConvertible AsyncPublisher AsyncThrowingPublisher ",
	"CryptoKit": " SHA256 SHA384 SHA512 SHA3_256 SHA3_384 SHA3_512 SHA256Digest SHA384Digest SHA512Digest Digest Insecure HMAC HKDF HPKE KEM SymmetricKey SymmetricKeySize AES ChaChaPoly Curve25519 P256 P384 P521 SharedSecret SecureEnclave MLKEM768 MLKEM1024 MLDSA65 MLDSA87 " +
		"XWingMLKEM768X25519 HashFunction MessageAuthenticationCode HashedAuthenticationCode DiffieHellmanKeyAgreement CryptoKitError CryptoKitMetaError CryptoKitASN1Error KEMPrivateKey KEMPublicKey HPKEDiffieHellmanPrivateKey HPKEDiffieHellmanPublicKey HPKEKEMPrivateKey HPKEKEMPublicKey ",
	"Observation":     " Observable ObservationRegistrar ",
	"Synchronization": " Mutex Atomic AtomicLazyReference AtomicRepresentable AtomicOptionalRepresentable AtomicUpdateOrdering AtomicLoadOrdering AtomicStoreOrdering WordPair ",
	"Testing": " ABI Tag Trait Test Suite Confirmation Issue SourceLocation Comment Bug Attachment Attachable ExitTest ExitStatus Runner Event ConditionTrait TimeLimitTrait ParallelizationTrait SuiteTrait TestTrait TestScoping SourceContext Backtrace Configuration Graph Locked Timeout Expectation ExpectationFailedError SystemError APIMisuseError TypeInfo  " +
		"CustomTestArgumentEncodable CustomTestReflectable CustomTestStringConvertible AttachableAsImage AttachableImageFormat AttachableWrapper IssueHandlingTrait KnownIssueMatcher ReducibleTrait SkipInfo AnyAttachable ErrorSnapshot Interop ",
	"Security": " SSLContext SSLProtocol SSLProtocolSide SSLCipherSuite SSLCiphersuiteGroup SSLSessionOption SSLSessionState SSLSessionStrengthPolicy SSLClientCertificateState SSLAuthenticate SSLConnectionType SSLConnectionRef " +
		"SSLReadFunc SSLWriteFunc ",
	"ucrt": " ", "locale_h": " ", "xlocale": " ", // with names in lower case
}
