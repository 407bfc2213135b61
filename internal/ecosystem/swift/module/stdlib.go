package module

import "strings"

// This file lists the known protocols and types of the toolchain's own modules. The sources of
// these modules are not read.

// protocols lists the protocols of modules. Each entry is a name, followed by a
// colon and the inherited protocols if there are any. A ~ marks a protocol to
// which values can conform even if they cannot be copied or do not escape.
var protocols = map[string]string{
	"Swift": `Copyable:~ Escapable:~ BitwiseCopyable SendableMetatype:~ Sendable:SendableMetatype,~ Error:Sendable
Equatable Hashable:Equatable Comparable:Equatable Identifiable Encodable Decodable
CodingKey:CustomStringConvertible,CustomDebugStringConvertible,Sendable CodingKeyRepresentable RawRepresentable CaseIterable
CustomStringConvertible CustomDebugStringConvertible LosslessStringConvertible:CustomStringConvertible CustomReflectable CustomLeafReflectable:CustomReflectable
CustomPlaygroundDisplayConvertible TextOutputStream TextOutputStreamable MirrorPath CVarArg AnyObject:~
ExpressibleByIntegerLiteral ExpressibleByFloatLiteral ExpressibleByBooleanLiteral ExpressibleByNilLiteral:~ ExpressibleByUnicodeScalarLiteral
ExpressibleByExtendedGraphemeClusterLiteral:ExpressibleByUnicodeScalarLiteral ExpressibleByStringLiteral:ExpressibleByExtendedGraphemeClusterLiteral
ExpressibleByStringInterpolation:ExpressibleByStringLiteral ExpressibleByArrayLiteral ExpressibleByDictionaryLiteral StringInterpolationProtocol
StringProtocol:BidirectionalCollection,TextOutputStream,TextOutputStreamable,LosslessStringConvertible,ExpressibleByStringInterpolation,Hashable,Comparable
AdditiveArithmetic:Equatable Numeric:AdditiveArithmetic,ExpressibleByIntegerLiteral SignedNumeric:Numeric Strideable:Comparable
BinaryInteger:Hashable,Numeric,CustomStringConvertible,Strideable FixedWidthInteger:BinaryInteger,LosslessStringConvertible
SignedInteger:BinaryInteger,SignedNumeric UnsignedInteger:BinaryInteger FloatingPoint:SignedNumeric,Strideable,Hashable
BinaryFloatingPoint:FloatingPoint,ExpressibleByFloatLiteral SIMDStorage SIMDScalar:BitwiseCopyable
SIMD:CustomStringConvertible,Decodable,Encodable,ExpressibleByArrayLiteral,Hashable,SIMDStorage
Sequence IteratorProtocol Collection:Sequence BidirectionalCollection:Collection RandomAccessCollection:BidirectionalCollection MutableCollection:Collection
RangeReplaceableCollection:Collection LazySequenceProtocol:Sequence LazyCollectionProtocol:Collection,LazySequenceProtocol
SetAlgebra:Equatable,ExpressibleByArrayLiteral OptionSet:RawRepresentable,SetAlgebra RangeExpression RandomNumberGenerator
Encoder Decoder SingleValueEncodingContainer SingleValueDecodingContainer UnkeyedEncodingContainer UnkeyedDecodingContainer
KeyedEncodingContainerProtocol KeyedDecodingContainerProtocol InstantProtocol:Comparable,Hashable,Sendable DurationProtocol:AdditiveArithmetic,Comparable,Sendable
AdditiveArithmetic:Equatable UnicodeCodec Keyframe`,
	"_Concurrency": `Actor:Sendable GlobalActor Executor:Sendable SerialExecutor:Executor TaskExecutor:Executor AsyncSequence AsyncIteratorProtocol Clock:Sendable
SchedulingExecutor:Executor RunLoopExecutor:Executor MainExecutor:RunLoopExecutor,SerialExecutor ExecutorFactory`,
	"_StringProcessing": `RegexComponent CustomConsumingRegexComponent:RegexComponent`,
	"Synchronization":   `AtomicRepresentable AtomicOptionalRepresentable:AtomicRepresentable`,
	"Observation":       `Observable`,
	"Distributed": `DistributedActor:Sendable,Identifiable,Hashable DistributedActorSystem:Sendable DistributedTargetInvocationEncoder DistributedTargetInvocationDecoder
DistributedTargetInvocationResultHandler`,
	"FoundationEssentials": `ContiguousBytes DataProtocol:RandomAccessCollection,ContiguousBytes MutableDataProtocol:DataProtocol,MutableCollection,RangeReplaceableCollection
LocalizedError:Error RecoverableError:Error CustomNSError:Error FormatStyle:Decodable,Encodable,Hashable ParseStrategy:Decodable,Encodable,Hashable
ParseableFormatStyle:FormatStyle SortComparator:Hashable DiscreteFormatStyle:FormatStyle EncodableWithConfiguration DecodableWithConfiguration
TopLevelEncoder TopLevelDecoder PredicateExpression StandardPredicateExpression:PredicateExpression,Decodable,Encodable CustomPredicateRegex`,
	"Foundation": `NSObjectProtocol NSCopying NSMutableCopying NSCoding NSSecureCoding:NSCoding ProgressReporting:NSObjectProtocol
ReferenceConvertible:CustomStringConvertible,CustomDebugStringConvertible,Hashable StreamDelegate NSFastEnumeration NSLocking XMLParserDelegate AttributeScope
AttributedStringKey NSKeyedArchiverDelegate PortDelegate`,
	"FoundationNetworking": `URLSessionDelegate URLSessionTaskDelegate:URLSessionDelegate URLSessionDataDelegate:URLSessionTaskDelegate
URLSessionDownloadDelegate:URLSessionTaskDelegate URLSessionStreamDelegate:URLSessionTaskDelegate URLSessionWebSocketDelegate:URLSessionTaskDelegate URLProtocolClient
URLAuthenticationChallengeSender`,
	"Dispatch": `DispatchSourceProtocol DispatchSourceRead DispatchSourceWrite DispatchSourceTimer`,
	"Combine": `Publisher Subscriber Subject:Publisher Subscription:Cancellable Cancellable ConnectablePublisher:Publisher Scheduler ObservableObject TopLevelEncoder
TopLevelDecoder`,
	"SwiftUI": `View ViewModifier Shape:View PreferenceKey EnvironmentKey App Scene ButtonStyle PrimitiveButtonStyle DynamicProperty Animatable Layout`,
}

// toolchainRequirements lists, separated by spaces, those requirements of the
// toolchain's protocols for which packages write default implementations.
var toolchainRequirements = map[string]string{
	"Equatable": " ==(_:_:) ", "Hashable": " hash(into:) hashValue ", "Comparable": " <(_:_:) <=(_:_:) >(_:_:) >=(_:_:) ", "Identifiable": " id ",
	"CustomStringConvertible": " description ", "CustomDebugStringConvertible": " debugDescription ", "LosslessStringConvertible": " init(_:) ", "CustomReflectable": " customMirror ",
	"TextOutputStream": " write(_:) ", "TextOutputStreamable": " write(to:) ",
	"RawRepresentable": " init(rawValue:) rawValue ", "CaseIterable": " allCases ", "Encodable": " encode(to:) ", "Decodable": " init(from:) ",
	"ExpressibleByIntegerLiteral": " init(integerLiteral:) ", "ExpressibleByFloatLiteral": " init(floatLiteral:) ", "ExpressibleByBooleanLiteral": " init(booleanLiteral:) ",
	"ExpressibleByStringLiteral": " init(stringLiteral:) ", "ExpressibleByUnicodeScalarLiteral": " init(unicodeScalarLiteral:) ", "ExpressibleByNilLiteral": " init(nilLiteral:) ",
	"ExpressibleByExtendedGraphemeClusterLiteral": " init(extendedGraphemeClusterLiteral:) ", "ExpressibleByStringInterpolation": " init(stringInterpolation:) ",
	"ExpressibleByArrayLiteral": " init(arrayLiteral:) ", "ExpressibleByDictionaryLiteral": " init(dictionaryLiteral:) ",
	"AdditiveArithmetic": " zero +(_:_:) +=(_:_:) -(_:_:) -=(_:_:) ", "Numeric": " init(exactly:) magnitude *(_:_:) *=(_:_:) ", "SignedNumeric": " negate() ",
	"Strideable": " distance(to:) advanced(by:) ", "BinaryInteger": " init(_:) init(exactly:) init(truncatingIfNeeded:) init(clamping:) words bitWidth trailingZeroBitCount quotientAndRemainder(dividingBy:) signum() ",
	"FloatingPoint": " init(_:) init(exactly:) rounded(_:) round(_:) squareRoot() ", "BinaryFloatingPoint": " init(_:) init(exactly:) ",
	"Sequence": " makeIterator() underestimatedCount withContiguousStorageIfAvailable(_:) ", "IteratorProtocol": " next() ",
	"Collection":                 " startIndex endIndex subscript(_:) indices isEmpty count index(_:offsetBy:) index(_:offsetBy:limitedBy:) distance(from:to:) index(after:) formIndex(after:) ",
	"BidirectionalCollection":    " index(before:) formIndex(before:) ",
	"MutableCollection":          " partition(by:) swapAt(_:_:) withContiguousMutableStorageIfAvailable(_:) ",
	"RangeReplaceableCollection": " init() init(_:) init(repeating:count:) append(_:) append(contentsOf:) insert(_:at:) insert(contentsOf:at:) remove(at:) removeSubrange(_:) removeFirst() removeFirst(_:) removeAll(keepingCapacity:) removeAll(where:) replaceSubrange(_:with:) reserveCapacity(_:) ",
	"SetAlgebra":                 " init() init(_:) contains(_:) union(_:) intersection(_:) symmetricDifference(_:) insert(_:) remove(_:) update(with:) formUnion(_:) formIntersection(_:) formSymmetricDifference(_:) subtracting(_:) isSubset(of:) isDisjoint(with:) isSuperset(of:) isEmpty subtract(_:) ",
	"AsyncSequence":              " makeAsyncIterator() ", "AsyncIteratorProtocol": " next() next(isolation:) ", "Actor": " unownedExecutor ",
	"Executor": " enqueue(_:) ", "SerialExecutor": " enqueue(_:) asUnownedSerialExecutor() isSameExclusiveExecutionContext(other:) checkIsolated() isIsolatingCurrentContext() ",
	"TaskExecutor": " enqueue(_:) asUnownedTaskExecutor() ", "Clock": " now minimumResolution sleep(until:tolerance:) ", "InstantProtocol": " advanced(by:) duration(to:) ",
	"LocalizedError": " errorDescription failureReason recoverySuggestion helpAnchor ", "CustomNSError": " errorDomain errorCode errorUserInfo ",
}

// classes lists classes of the toolchain that packages inherit from, with the
// protocols that the classes conform to.
var classes = map[string]string{
	"Foundation": `NSObject:NSObjectProtocol,Equatable,Hashable,CustomStringConvertible,CustomDebugStringConvertible`,
	"XCTest":     `XCTestCase XCTest`,
}

// toolchainAliases are the toolchain's type aliases of protocols and types.
var toolchainAliases = map[string]string{
	"Codable": "Decodable & Encodable", "AnyClass": "AnyObject", "AnyActor": "Actor", "Void": "()", "TimeInterval": "Double", "unichar": "UInt16",
	"StringLiteralType": "String", "IntegerLiteralType": "Int", "FloatLiteralType": "Double", "BooleanLiteralType": "Bool",
}

// structs lists types of modules. Types before the bar are BitwiseCopyable, and
// types after it are only Sendable.
var structs = map[string]string{
	"Swift": ` Int Int8 Int16 Int32 Int64 Int128 UInt UInt8 UInt16 UInt32 UInt64 UInt128 Double Float Float16 Float80 Bool Duration CInt CUnsignedInt CChar CUnsignedChar CShort CLong CBool ` +
		`CUnsignedLong CUnsignedShort CLongLong CUnsignedLongLong CDouble CFloat CSignedChar StaticString ObjectIdentifier | String Character Substring Never Array Dictionary Set Optional Range ClosedRange Result `,
}

// typeBases lists the conformances of types of the standard library that
// packages often extend.
var typeBases = map[string]string{
	"Int Int8 Int16 Int32 Int64 Int128":       "FixedWidthInteger SignedInteger Encodable Decodable Sendable BitwiseCopyable CodingKeyRepresentable CVarArg SIMDScalar",
	"UInt UInt8 UInt16 UInt32 UInt64 UInt128": "FixedWidthInteger UnsignedInteger Encodable Decodable Sendable BitwiseCopyable CodingKeyRepresentable CVarArg SIMDScalar",
	"Double Float Float16 Float80":            "BinaryFloatingPoint LosslessStringConvertible Encodable Decodable Sendable BitwiseCopyable TextOutputStreamable CVarArg SIMDScalar",
	"Bool":                                    "LosslessStringConvertible Hashable Encodable Decodable Sendable BitwiseCopyable ExpressibleByBooleanLiteral",
	"String":                                  "StringProtocol RangeReplaceableCollection Encodable Decodable Sendable CodingKeyRepresentable CustomDebugStringConvertible",
	"Substring":                               "StringProtocol RangeReplaceableCollection Encodable Decodable Sendable CustomDebugStringConvertible",
	"Character":                               "LosslessStringConvertible Hashable Comparable ExpressibleByExtendedGraphemeClusterLiteral Sendable TextOutputStreamable CustomDebugStringConvertible",
	"Array ArraySlice ContiguousArray":        "RandomAccessCollection MutableCollection RangeReplaceableCollection ExpressibleByArrayLiteral CustomStringConvertible CustomDebugStringConvertible",
	"Set":                                     "SetAlgebra Collection CustomStringConvertible CustomDebugStringConvertible",
	"Dictionary":                              "Collection ExpressibleByDictionaryLiteral CustomStringConvertible CustomDebugStringConvertible",
	"UnsafeBufferPointer UnsafeRawBufferPointer Range ClosedRange": "RandomAccessCollection",
	"UnsafeMutableBufferPointer UnsafeMutableRawBufferPointer":     "RandomAccessCollection MutableCollection",
	"Optional": "ExpressibleByNilLiteral CustomDebugStringConvertible",
	"Data":     "MutableDataProtocol Hashable Encodable Decodable Sendable CustomStringConvertible CustomDebugStringConvertible",
	"URL UUID Date Decimal Locale TimeZone Calendar IndexPath IndexSet": "Hashable Encodable Decodable Sendable CustomStringConvertible CustomDebugStringConvertible",
	"AnySequence AnyIterator":                                                  "Sequence",
	"AsyncStream AsyncThrowingStream":                                          "AsyncSequence",
	"ContinuousClock SuspendingClock":                                          "Clock",
	"Slice LazyFilterSequence LazyMapSequence LazySequence ReversedCollection": "Sequence",
}

// toolchain contains the protocols and types of the toolchain's modules, by name.
type toolchain struct {
	protocols map[string]*entity
	types     map[string]*entity
}

// moduleOf maps well-known types, which account for most extensions in
// packages, to their modules.
var moduleOf = map[string]string{
	"Swift": ` Array ArraySlice AnyHashable AnyIterator AnySequence AnyCollection AnyBidirectionalCollection AnyRandomAccessCollection AnyKeyPath Bool Character ClosedRange
 CollectionOfOne CollectionDifference ContiguousArray DefaultIndices Dictionary Double DropFirstSequence DropWhileSequence Duration EmptyCollection EnumeratedSequence Float Float16 Float80
 FlattenSequence FlattenCollection Hasher IndexingIterator InlineArray Int Int8 Int16 Int32 Int64 Int128 IteratorSequence JoinedSequence KeyPath KeyValuePairs
 LazyCollection LazySequence LazyMapCollection LazyMapSequence LazyFilterSequence LazyFilterCollection LazyPrefixWhileSequence LazyDropWhileSequence ManagedBuffer ManagedBufferPointer
 Mirror MutableSpan MutableRawSpan Never ObjectIdentifier OpaquePointer Optional OutputSpan PartialKeyPath PartialRangeFrom PartialRangeThrough PartialRangeUpTo PrefixSequence Range RawSpan
 ReferenceWritableKeyPath RangeSet Repeated Result ReversedCollection Sequence Set Slice Span StaticString StrideThrough StrideTo String Substring
 SystemRandomNumberGenerator UInt UInt8 UInt16 UInt32 UInt64 UInt128 Unicode UnboundedRange UnfoldSequence Unmanaged UnsafeBufferPointer UnsafeMutableBufferPointer UnsafeMutablePointer
 UnsafeMutableRawBufferPointer UnsafeMutableRawPointer UnsafePointer UnsafeRawBufferPointer UnsafeRawPointer WritableKeyPath Zip2Sequence EncodingError DecodingError CommandLine
 SIMD2 SIMD3 SIMD4 SIMD8 SIMD16 SIMD32 SIMD64 AutoreleasingUnsafeMutablePointer CInt CUnsignedInt CChar `,
	"_Concurrency":      ` AsyncStream AsyncThrowingStream CancellationError CheckedContinuation ContinuousClock MainActor SuspendingClock Task TaskGroup TaskLocal TaskPriority ThrowingTaskGroup UnownedSerialExecutor UnownedJob UnsafeContinuation DiscardingTaskGroup ExecutorJob `,
	"_StringProcessing": ` Regex AnyRegexOutput `,
	"Dispatch":          ` DispatchQueue DispatchTime DispatchTimeInterval DispatchWallTime DispatchGroup DispatchSemaphore DispatchSource DispatchData DispatchQoS DispatchWorkItem DispatchIO `,
	"FoundationEssentials": ` Data Date URL UUID Decimal Calendar Locale TimeZone CharacterSet DateComponents DateInterval IndexPath IndexSet JSONDecoder JSONEncoder PropertyListEncoder PropertyListDecoder
 AttributedString URLComponents URLQueryItem FileManager ProcessInfo CocoaError POSIXError Predicate SortDescriptor `,
	"Foundation": ` NSObject NSError NSString NSNumber NSData NSDate NSArray NSDictionary NSSet NSNull NSDecimalNumber NSRegularExpression Bundle Notification NotificationCenter
 OperationQueue Operation BlockOperation RunLoop Thread Timer Progress Formatter DateFormatter NumberFormatter ByteCountFormatter ISO8601DateFormatter Scanner Stream InputStream OutputStream
 UserDefaults Process Pipe FileHandle FileWrapper NSLock NSRecursiveLock NSCondition NSAttributedString NSMutableAttributedString NSMutableData NSMutableString Measurement Unit Dimension `,
	"FoundationNetworking": ` URLRequest URLResponse HTTPURLResponse URLSession URLSessionConfiguration URLSessionTask URLSessionDataTask URLSessionUploadTask URLSessionDownloadTask URLSessionWebSocketTask
 URLSessionTaskMetrics URLCache URLCredential URLCredentialStorage URLProtectionSpace URLProtocol URLAuthenticationChallenge HTTPCookie HTTPCookieStorage CachedURLResponse NSURLRequest NSMutableURLRequest `,
}

// newToolchain creates entities for the protocols and types listed in this
// file.
func newToolchain() *toolchain {
	t := &toolchain{protocols: map[string]*entity{}, types: map[string]*entity{}}
	for module, list := range protocols {
		for item := range strings.FieldsSeq(list) {
			name, inherits, _ := strings.Cut(item, ":")
			e := &entity{path: name, name: name, external: module, protocol: true, copyable: true}
			for base := range strings.SplitSeq(inherits, ",") {
				if base == "~" {
					e.copyable = false
				} else if base != "" {
					e.bases = append(e.bases, base)
				}
			}
			t.protocols[name] = e
		}
	}
	for module, list := range moduleOf {
		for name := range strings.FieldsSeq(list) {
			t.types[name] = &entity{path: name, name: name, external: module}
		}
	}
	for names, list := range typeBases {
		for name := range strings.FieldsSeq(names) {
			t.types[name].bases = strings.Fields(list)
		}
	}
	for module, list := range classes {
		for item := range strings.FieldsSeq(list) {
			name, inherits, _ := strings.Cut(item, ":")
			e := &entity{path: name, name: name, external: module, class: true}
			if inherits != "" {
				e.bases = strings.Split(inherits, ",")
			}
			t.types[name] = e
		}
	}
	return t
}
