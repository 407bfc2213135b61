package program

import (
	"slices"
	"strings"
)

// closedSystems are the protocols and classes of the standard library, of Foundation and of XCTest whose members are
// known, with the names of these members.
var closedSystems = map[string]string{
	"Sendable": "", "SendableMetatype": "", "AnyObject": "", "Any": "", "Copyable": "", "Escapable": "", "BitwiseCopyable": "", "class": "",
	"Error": " localizedDescription ", "LocalizedError": " localizedDescription errorDescription failureReason recoverySuggestion helpAnchor ",
	"Equatable": "", "Hashable": " hash hashValue ", "Comparable": " clamped ", "Identifiable": " id ",
	"Codable": " encode ", "Encodable": " encode ", "Decodable": "",
	"CustomStringConvertible": " description ", "CustomDebugStringConvertible": " debugDescription ", "LosslessStringConvertible": " description ",
	"CustomReflectable": " customMirror ", "CustomLeafReflectable": " customMirror ", "CustomPlaygroundDisplayConvertible": " playgroundDescription ",
	"CaseIterable": " allCases AllCases ", "RawRepresentable": " rawValue RawValue ", "CodingKey": " stringValue intValue description debugDescription rawValue ",
	"CodingKeyRepresentable":  " codingKey ",
	"ExpressibleByNilLiteral": "", "ExpressibleByIntegerLiteral": " IntegerLiteralType ", "ExpressibleByFloatLiteral": " FloatLiteralType ", "ExpressibleByBooleanLiteral": " BooleanLiteralType ",
	"ExpressibleByStringLiteral": " StringLiteralType ExtendedGraphemeClusterLiteralType UnicodeScalarLiteralType ", "ExpressibleByUnicodeScalarLiteral": " UnicodeScalarLiteralType ", "ExpressibleByExtendedGraphemeClusterLiteral": " ExtendedGraphemeClusterLiteralType UnicodeScalarLiteralType ",
	"ExpressibleByStringInterpolation": " StringInterpolation StringLiteralType ExtendedGraphemeClusterLiteralType UnicodeScalarLiteralType ", "ExpressibleByArrayLiteral": " ArrayLiteralElement ", "ExpressibleByDictionaryLiteral": " Key Value ",
	"TextOutputStream": " write ", "TextOutputStreamable": " write ", "GlobalActor": " shared sharedUnownedExecutor ActorType ", "CVarArg": "",
	"Actor":           " unownedExecutor assertIsolated preconditionIsolated assumeIsolated withSerialExecutor ",
	"InstantProtocol": " advanced duration Duration ", "AsyncIteratorProtocol": " next Element Failure ", "IteratorProtocol": " next Element ", "SerialExecutor": " enqueue asUnownedSerialExecutor checkIsolated isSameExclusiveExecutionContext ",
	"OptionSet": " rawValue insert remove update contains union intersection symmetricDifference formUnion formIntersection formSymmetricDifference subtract subtracting isSubset isSuperset " +
		"isDisjoint isStrictSubset isStrictSuperset isEmpty Element ArrayLiteralElement RawValue ",
	"SetAlgebra": " insert remove update contains union intersection symmetricDifference formUnion formIntersection formSymmetricDifference subtract subtracting isSubset isSuperset " +
		"isDisjoint isStrictSubset isStrictSuperset isEmpty Element ArrayLiteralElement RawValue ",
	"Sequence": sequenceMembers, "Collection": collectionMembers, "BidirectionalCollection": collectionMembers, "RandomAccessCollection": collectionMembers,
	"MutableCollection":          collectionMembers + "swapAt partition sort reverse shuffle withContiguousMutableStorageIfAvailable moveSubranges trim replace ",
	"RangeReplaceableCollection": collectionMembers + "append insert remove removeFirst removeLast removeAll removeSubrange removeSubranges popFirst popLast replaceSubrange replace reserveCapacity applying trim ",
	"AsyncSequence":              " makeAsyncIterator map compactMap flatMap filter prefix drop dropFirst reduce contains allSatisfy first min max Element AsyncIterator Failure ",
	"Decoder":                    codingMembers, "Encoder": codingMembers, "SingleValueDecodingContainer": codingMembers, "SingleValueEncodingContainer": codingMembers, "UnkeyedDecodingContainer": codingMembers,
	"UnkeyedEncodingContainer": codingMembers, "KeyedDecodingContainerProtocol": codingMembers, "KeyedEncodingContainerProtocol": codingMembers,
	"Strideable": " distance advanced Stride ", "AdditiveArithmetic": " zero ", "Numeric": " magnitude Magnitude IntegerLiteralType ", "SignedNumeric": " negate ", "ContiguousBytes": " withUnsafeBytes withBytes bytes span ",
	"CustomNSError": " errorDomain errorCode errorUserInfo localizedDescription ",
	"Clock":         " now minimumResolution sleep measure Instant Duration systemEpoch ",
	"NSObject":      objectMembers, "NSObjectProtocol": objectMembers, "NSCopying": " copy ", "NSMutableCopying": " mutableCopy ", "NSCoding": " encode ", "NSSecureCoding": " supportsSecureCoding ",
	"XCTestCase": objectMembers + "name testCaseCount testRun testRunClass setUp tearDown setUpWithError tearDownWithError addTeardownBlock expectation keyValueObservingExpectation wait waitForExpectations fulfillment " +
		"measure measureMetrics startMeasuring stopMeasuring continueAfterFailure executionTimeAllowance invokeTest invocation testInvocations record recordFailure run perform performTest " +
		"runsForEachTargetApplicationUIConfiguration defaultTestSuite defaultPerformanceMetrics defaultMetrics defaultMeasureOptions addUIInterruptionMonitor removeUIInterruptionMonitor add allTests continueTest activity attachment ",
}

// objectMembers are the members of NSObject that Foundation and modules of user interfaces declare.
const objectMembers = " isEqual hash hashValue description debugDescription responds value setValue copy mutableCopy observe isKind isMember conforms class superclass className classForCoder isProxy autoContentAccessingProxy " +
	"addObserver removeObserver willChangeValue didChangeValue observationInfo mutableArrayValue mutableSetValue dictionaryWithValues setValuesForKeys forwardingTarget doesNotRecognizeSelector method instancesRespond " +
	"instanceMethod resolveInstanceMethod resolveClassMethod initialize load version setVersion cancelPreviousPerformRequests performSelector attributeKeys toOneRelationshipKeys toManyRelationshipKeys " +
	"awakeAfter replacementObject scriptingProperties retain release autorelease retainCount zone " +
	"accessibilityLabel accessibilityHint accessibilityValue accessibilityTraits accessibilityIdentifier accessibilityElements isAccessibilityElement awakeFromNib prepareForInterfaceBuilder bind unbind exposedBindings infoForBinding optionDescriptionsForBinding " +
	"commitEditing discardEditing validateMenuItem publisher scriptingValue objectSpecifier classCode " +
	"perform methodSignature instanceMethodSignature forwardInvocation finalize new alloc poseAsClass accessInstanceVariablesDirectly automaticallyNotifiesObservers keyPathsForValuesAffectingValue setKeys validateValue setNilValueForKey setNilValue " +
	"mutableOrderedSetValue willChange didChange storedValue takeValue takeValues takeStoredValue useStoredAccessor unableToSetNil handleQuery handleTakeValue values classDescription inverse attemptRecovery classForKeyedArchiver classForKeyedUnarchiver " +
	"classForArchiver classForPortCoder classFallbacksForKeyedArchiver isNotEqual isLessThan isLessThanOrEqual isGreaterThan isGreaterThanOrEqual isLike isCaseInsensitiveLike doesContain insertValue removeValue replaceValue coerceValue " +
	"copyScriptingValue newScriptingObject indicesOfObjects isLocationRequired "

// systemSupers are the protocols from which those in closedSystems, and arrays, inherit.
var systemSupers = map[string]string{
	"Error": "Sendable", "Numeric": "AdditiveArithmetic ExpressibleByIntegerLiteral", "SignedNumeric": "Numeric", "LocalizedError": "Error", "CustomNSError": "Error", "Hashable": "Equatable", "Comparable": "Equatable", "Codable": "Encodable Decodable",
	"LosslessStringConvertible": "CustomStringConvertible", "CustomLeafReflectable": "CustomReflectable", "CodingKey": "CustomStringConvertible CustomDebugStringConvertible Sendable",
	"ExpressibleByStringLiteral": "ExpressibleByExtendedGraphemeClusterLiteral", "ExpressibleByExtendedGraphemeClusterLiteral": "ExpressibleByUnicodeScalarLiteral", "ExpressibleByStringInterpolation": "ExpressibleByStringLiteral",
	"Actor": "Sendable", "SerialExecutor": "Sendable", "Strideable": "Comparable", "AdditiveArithmetic": "Equatable", "InstantProtocol": "Comparable Hashable Sendable", "Clock": "Sendable",
	"OptionSet": "SetAlgebra RawRepresentable", "SetAlgebra": "Equatable ExpressibleByArrayLiteral", "Collection": "Sequence", "BidirectionalCollection": "Collection", "RandomAccessCollection": "BidirectionalCollection",
	"MutableCollection": "Collection", "RangeReplaceableCollection": "Collection", "XCTestCase": "XCTest NSObject NSObjectProtocol Equatable Hashable CVarArg CustomStringConvertible CustomDebugStringConvertible",
	"Dictionary": "Collection ExpressibleByDictionaryLiteral CustomReflectable CustomStringConvertible CustomDebugStringConvertible Equatable Hashable Codable Sendable CVarArg",
	"Set":        "SetAlgebra Collection Hashable Codable CustomReflectable CustomStringConvertible CustomDebugStringConvertible Sendable CVarArg",
	"String": "StringProtocol RangeReplaceableCollection BidirectionalCollection TextOutputStream TextOutputStreamable LosslessStringConvertible ExpressibleByStringInterpolation Hashable Comparable Codable CodingKeyRepresentable " +
		"CustomReflectable CustomDebugStringConvertible Sendable CVarArg RegexComponent MirrorPath",
	"KeyedDecodingContainer": "KeyedDecodingContainerProtocol", "KeyedEncodingContainer": "KeyedEncodingContainerProtocol",
	"Bool":   "Hashable Codable LosslessStringConvertible ExpressibleByBooleanLiteral CustomReflectable Sendable CVarArg",
	"Int":    integerProtocols + " SignedInteger SignedNumeric",
	"UInt":   integerProtocols + " UnsignedInteger",
	"Double": floatProtocols,
	"Float":  floatProtocols,
	"Array":  arrayProtocols, "ArraySlice": arrayProtocols, "ContiguousArray": arrayProtocols,
	"Range": rangeProtocols, "ClosedRange": rangeProtocols,
}

const (
	arrayProtocols = "RandomAccessCollection MutableCollection RangeReplaceableCollection ExpressibleByArrayLiteral CustomReflectable CustomStringConvertible CustomDebugStringConvertible Equatable Hashable Codable Sendable " +
		"DataProtocol ContiguousBytes MutableDataProtocol CVarArg EncodableWithConfiguration DecodableWithConfiguration"
	rangeProtocols   = "RangeExpression RandomAccessCollection Equatable Hashable Codable Sendable CustomStringConvertible CustomDebugStringConvertible CustomReflectable"
	integerProtocols = "FixedWidthInteger BinaryInteger Numeric AdditiveArithmetic Strideable Hashable Comparable Codable LosslessStringConvertible ExpressibleByIntegerLiteral CodingKeyRepresentable CustomReflectable Sendable CVarArg MirrorPath AtomicRepresentable SIMDScalar"
	floatProtocols   = "BinaryFloatingPoint FloatingPoint SignedNumeric Numeric AdditiveArithmetic Strideable Hashable Comparable Codable LosslessStringConvertible ExpressibleByFloatLiteral ExpressibleByIntegerLiteral TextOutputStreamable " +
		"CustomReflectable CustomDebugStringConvertible Sendable CVarArg SIMDScalar"
)

const sequenceMembers = " makeIterator underestimatedCount withContiguousStorageIfAvailable map compactMap flatMap filter forEach first last min max sort sorted reversed shuffled randomElement reduce contains allSatisfy count isEmpty " +
	"prefix suffix drop dropFirst dropLast split enumerated elementsEqual lexicographicallyPrecedes starts joined lazy publisher compare formatted sum average firstRange ranges trimmingPrefix trimPrefix matches " +
	"firstMatch wholeMatch prefixMatch replacing Element Iterator SubSequence "

const collectionMembers = sequenceMembers + "startIndex endIndex indices index formIndex distance firstIndex lastIndex popFirst popLast removeFirst removeLast difference subranges removingSubranges trimmingCharacters regions copyBytes range " +
	"lastRange hasPrefix Index Indices span utf8Span withUnsafeBytes withUnsafeBufferPointer withUnsafeMutableBufferPointer "

const codingMembers = " codingPath userInfo container unkeyedContainer singleValueContainer count isAtEnd currentIndex allKeys contains decode decodeNil decodeIfPresent encode encodeNil encodeIfPresent encodeConditional nestedContainer " +
	"nestedUnkeyedContainer superDecoder superEncoder Key "

// systemInits are the argument labels of the initializers with one argument that protocols of systems declare, or that literals
// use. Other protocols in closedSystems declare no initializers.
var systemInits = map[string]string{
	"Decodable": " from ", "RawRepresentable": " rawValue ", "CodingKey": " stringValue intValue rawValue ", "CodingKeyRepresentable": " codingKey ", "LosslessStringConvertible": " _ ", "Numeric": " exactly ",
	"SetAlgebra": " _ ", "NSCoding": " coder ", "ExpressibleByNilLiteral": " _ nilLiteral ", "ExpressibleByIntegerLiteral": " _ integerLiteral ", "ExpressibleByFloatLiteral": " _ floatLiteral ", "ExpressibleByBooleanLiteral": " _ booleanLiteral ",
	"ExpressibleByStringLiteral": " _ stringLiteral ", "ExpressibleByUnicodeScalarLiteral": " _ unicodeScalarLiteral ", "ExpressibleByExtendedGraphemeClusterLiteral": " _ extendedGraphemeClusterLiteral ",
	"ExpressibleByStringInterpolation": " _ stringInterpolation ", "ExpressibleByArrayLiteral": " _ arrayLiteral ", "ExpressibleByDictionaryLiteral": " _ dictionaryLiteral ",
}

// hasSystemInit reports whether one of the given supertypes of a system may have an initializer that accepts arguments
// with these labels.
func hasSystemInit(protocols, labels []string) bool {
	return slices.ContainsFunc(protocols, func(name string) bool {
		_, closed := closedSystems[name]
		switch {
		case !closed || name == "XCTestCase":
			return true
		case len(labels) == 0:
			return contains(" RangeReplaceableCollection SetAlgebra NSObject ", name)
		case name == "RangeReplaceableCollection":
			return len(labels) == 1 && labels[0] == "_" || slices.Equal(labels, []string{"repeating", "count"})
		}
		return len(labels) == 1 && contains(systemInits[name], labels[0])
	})
}

// rawTypes are the types of raw values of enums. They are no supertypes, but make the enum conform to RawRepresentable.
const rawTypes = " String Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64 Character Double Float StaticString CInt CChar "

// inherent are the members that types have, or may have, without a declaration.
const inherent = " self Type Protocol hash hashValue description debugDescription localizedDescription rawValue allCases encode id dynamicType callAsFunction unownedExecutor " +
	"assumeIsolated assertIsolated preconditionIsolated RawValue AllCases ID CodingKeys "

// optionalMembers are the members that optionals have.
const optionalMembers = " map flatMap unsafelyUnwrapped take mutate none some self Type Wrapped hash hashValue encode description debugDescription customMirror publisher "

// plainAttributes are the attributes that do not add members.
const plainAttributes = " available objc objcMembers nonobjc inlinable inline usableFromInline discardableResult frozen MainActor preconcurrency Sendable unchecked propertyWrapper resultBuilder main testable " +
	"escaping autoclosure warn_unqualified_access backDeployed globalActor transparent retroactive implementation exclusivity lifetime unsafe safe concurrent IBAction IBOutlet IBInspectable " +
	"IBDesignable NSManaged NSCopying GKInspectable UIApplicationMain NSApplicationMain requires_stored_property_inits LLDBDebuggerFunction abi export nonexhaustive TaskLocal Published State " +
	"StateObject Binding ObservedObject EnvironmentObject Environment ViewBuilder specialized nonisolated isolated attached freestanding convention noDerivative differentiable derivative " +
	"dynamicMemberLookup dynamicCallable Test Suite autoclosure rethrows extensible warn implementationOnly hasMissingDesignatedInitializers indirect Testable "

// mayNest reports whether a superclass or protocol of a system may have a nested type with the given name that hides a
// type of a module.
func mayNest(name string) bool {
	return contains(" Element Elements Index Indices Iterator SubSequence Body Content Output Input Failure Context Key Value RawValue ID Stride Magnitude State Event Configuration Type Cache Child Children "+
		"Options Style Instant Duration AsyncIterator Name Kind Level Mode Status Result Error Coordinator Delegate Path Item ", name)
}

// sharedFunctions are the beginnings of names of functions that systems declare, and that modules overload.
var sharedFunctions = []string{"withUnsafe", "withTask", "withThrowing", "withChecked", "withDiscarding", "withExtended", "without", "NS", "CF", "CG", "unsafe", "type", "stride", "precondition", "assertion", "fatal", "dump"}

// labeledFunctions are functions outside types in systems that have argument labels and whose names have no capital letter.
const labeledFunctions = " assert autoreleasepool confirmation debugPrint dump measure precondition print sequence stride transcode type "

// isShared reports whether systems may declare a function with the given name. labeled is true if it has an argument label,
// which functions of C have not.
func isShared(name string, labeled bool) bool {
	if strings.ToLower(name) == name && (!labeled || strings.Contains(name, "_") || contains(labeledFunctions, name)) {
		return true // such as write, or another function of C
	}
	if names, _ := systemNamesAndLabels(); strings.HasPrefix(name, "XCT") && names[name] {
		return true
	}
	for _, prefix := range sharedFunctions {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// contains reports whether a list, with spaces between the words and around them, contains a word.
func contains(list, word string) bool {
	for i := 0; word != ""; i++ {
		k := strings.Index(list[i:], word)
		if k < 0 {
			break
		}
		if i += k; i > 0 && list[i-1] == ' ' && strings.HasPrefix(list[i+len(word):], " ") {
			return true
		}
	}
	return false
}

// systemNames are names that the standard library, Foundation and XCTest declare, and that resemble names that packages
// declare.
const systemNames = " inverted invert inverse invertedSet insertedIndexes DataEncodingStrategy DataDecodingStrategy DateEncodingStrategy DateDecodingStrategy Index Indices Element Elements Iterator SubSequence Context Parser Encoding Decoder Encoder UTF8View UTF16View UnicodeScalarView ForwardParser ReverseParser CodeUnit Scalar Scalars Stride Words Magnitude Output Input Failure Success " +
	"NumberFormatter DateFormatter ByteCountFormatter Formatter Pipe Process Progress Port Host Timer Thread Bundle Scanner Stream InputStream OutputStream Operation OperationQueue Unit Dimension Measurement Notification " +
	"RunLoop FileHandle FileManager FileWrapper URLSession URLRequest URLResponse URLCache URLCredential URLProtocol URLComponents URLQueryItem Calendar Locale TimeZone CharacterSet DateComponents DateInterval Decimal Data Date " +
	"Task TaskGroup Duration Clock Instant Result Optional Array Dictionary Set String Substring Character Range ClosedRange Mirror Hasher Regex Slice Repeated Never Unmanaged Sequence Collection Error Encodable Decodable Codable " +
	"Hashable Equatable Comparable Sendable Identifiable Numeric Strideable Predicate Expression Selector Options Option Style Kind Mode State Status Level Key Keys Value Values Entry Item Items " +
	"insert inserting starts start startsWith elements element enumerated index indices indexes first last min max map flatMap compactMap filter reduce sort sorted sorting reverse reversed shuffle shuffled joined split splits prefix suffix " +
	"drop dropFirst dropLast append appending remove removed removing removal contains contents count counts capacity distance advance advanced offset offsets stride strides step steps union formUnion subtract subtracting intersection " +
	"intersect isSubset isSuperset isDisjoint isEmpty isEqual isLess keys values key value merge merging update updating default defaults lines line words word bytes byte bits bit utf8 utf16 unicodeScalars lowercased uppercased capitalized " +
	"hasPrefix hasSuffix components component separated separator trimming trimmed replace replacing replaced range ranges lowerBound upperBound lower upper hash hasher encode encoded encoding decode decoded decoding container nested super " +
	"store stored load loaded exchange compare comparing wait signal notify enter leave lock unlock locked sync async cancel cancelled canceled isCancelled resume resumed suspend suspended yield finish finished invalidate invalidated " +
	"bind binding bound bindMemory allocate allocated deallocate initialize deinitialize pointee pointer address move assign assuming mutate mutating quotient remainder rounded rounding round magnitude negate negated signum square root " +
	"width height size sizes origin point points string strings number numbers integer integers floating double description descriptions debugDescription domain code userInfo localizedDescription reason name names path paths " +
	"host port scheme query fragment user password url urls absolute relative standardized resolving deleting file files directory directories home temporary item items attribute attributes read reading reader write writing writer " +
	"close closed open opened seek data date dates year month day hour minute second nanosecond weekday calendar locale now distant timeout interval since until before after sleep priority detached local wrapped projected " +
	"accept accepted equal unequal greater less null fail skip expect expectation expectations fulfill fulfilled measure launch arguments environment executable terminate terminated termination input output error errors standard " +
	"level levels type types kind kinds mode modes state states status style styles format formats formatted formatter option options rule rules token tokens node nodes child children parent parents source sources target targets "
