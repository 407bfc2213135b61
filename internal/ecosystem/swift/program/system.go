package program

import (
	"slices"
	"strings"
)

// closedSystems are the protocols of the standard library and of Foundation whose members are known, with the names of
// these members.
var closedSystems = map[string]string{
	"Sendable": "", "SendableMetatype": "", "AnyObject": "", "Copyable": "", "Escapable": "", "BitwiseCopyable": "", "class": "",
	"Error": " localizedDescription ", "LocalizedError": " localizedDescription errorDescription failureReason recoverySuggestion helpAnchor ",
	"Equatable": "", "Hashable": " hash hashValue ", "Comparable": " clamped ", "Identifiable": " id ",
	"Codable": " encode ", "Encodable": " encode ", "Decodable": "",
	"CustomStringConvertible": " description ", "CustomDebugStringConvertible": " debugDescription ", "LosslessStringConvertible": " description ",
	"CustomReflectable": " customMirror ", "CustomLeafReflectable": " customMirror ", "CustomPlaygroundDisplayConvertible": " playgroundDescription ",
	"CaseIterable": " allCases AllCases ", "RawRepresentable": " rawValue RawValue ", "CodingKey": " stringValue intValue description debugDescription rawValue ",
	"CodingKeyRepresentable":  " codingKey ",
	"ExpressibleByNilLiteral": "", "ExpressibleByIntegerLiteral": "", "ExpressibleByFloatLiteral": "", "ExpressibleByBooleanLiteral": "",
	"ExpressibleByStringLiteral": "", "ExpressibleByUnicodeScalarLiteral": "", "ExpressibleByExtendedGraphemeClusterLiteral": "",
	"ExpressibleByStringInterpolation": "", "ExpressibleByArrayLiteral": "", "ExpressibleByDictionaryLiteral": "",
	"TextOutputStream": " write ", "TextOutputStreamable": " write ", "GlobalActor": " shared sharedUnownedExecutor ", "CVarArg": "",
	"Actor":           " unownedExecutor assertIsolated preconditionIsolated assumeIsolated withSerialExecutor ",
	"InstantProtocol": " advanced duration ", "AsyncIteratorProtocol": " next ", "IteratorProtocol": " next ", "SerialExecutor": " enqueue asUnownedSerialExecutor checkIsolated isSameExclusiveExecutionContext ",
	"OptionSet": " rawValue insert remove update contains union intersection symmetricDifference formUnion formIntersection formSymmetricDifference subtract subtracting isSubset isSuperset " +
		"isDisjoint isStrictSubset isStrictSuperset isEmpty ",
	"SetAlgebra": " insert remove update contains union intersection symmetricDifference formUnion formIntersection formSymmetricDifference subtract subtracting isSubset isSuperset " +
		"isDisjoint isStrictSubset isStrictSuperset isEmpty ",
}

// hasSystemInit reports whether one of the given protocols of a system may have an initializer that accepts arguments
// with these labels.
func hasSystemInit(protocols, labels []string) bool {
	if !slices.ContainsFunc(protocols, func(name string) bool {
		return !contains(" Sendable SendableMetatype AnyObject Copyable Escapable BitwiseCopyable Error LocalizedError Equatable Hashable Comparable Identifiable Encodable CustomStringConvertible "+
			"CustomDebugStringConvertible CustomReflectable CaseIterable Actor CVarArg ", name)
	}) {
		return false
	}
	switch len(labels) {
	case 0:
		return true
	case 1:
		return contains(" _ rawValue from stringValue intValue codingKey nilLiteral integerLiteral floatLiteral booleanLiteral stringLiteral unicodeScalarLiteral extendedGraphemeClusterLiteral "+
			"stringInterpolation arrayLiteral dictionaryLiteral ", labels[0])
	}
	return false
}

// rawTypes are the types of raw values of enums.
const rawTypes = " String Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64 Character Double Float StaticString CInt CChar "

// inherent are the members that types have, or may have, without a declaration.
const inherent = " self Type Protocol hash hashValue description debugDescription localizedDescription rawValue allCases encode id dynamicType callAsFunction unownedExecutor " +
	"assumeIsolated assertIsolated preconditionIsolated RawValue AllCases ID "

// plainAttributes are the attributes that do not add members.
const plainAttributes = " available objc objcMembers nonobjc inlinable inline usableFromInline discardableResult frozen MainActor preconcurrency Sendable unchecked propertyWrapper resultBuilder main testable " +
	"escaping autoclosure warn_unqualified_access backDeployed globalActor transparent retroactive implementation exclusivity lifetime unsafe safe concurrent IBAction IBOutlet IBInspectable " +
	"IBDesignable NSManaged NSCopying GKInspectable UIApplicationMain NSApplicationMain requires_stored_property_inits LLDBDebuggerFunction abi export nonexhaustive TaskLocal Published State " +
	"StateObject Binding ObservedObject EnvironmentObject Environment ViewBuilder specialized nonisolated isolated attached freestanding convention noDerivative differentiable derivative " +
	"autoclosure rethrows extensible warn implementationOnly hasMissingDesignatedInitializers indirect Testable "

// mayNest reports whether a superclass or protocol of a system may have a nested type with the given name that hides a
// type of a module.
func mayNest(name string) bool {
	return contains(" Element Elements Index Indices Iterator SubSequence Body Content Output Input Failure Context Key Value RawValue ID Stride Magnitude State Event Configuration Type Cache Child Children "+
		"Options Style Instant Duration AsyncIterator Name Kind Level Mode Status Result Error Coordinator Delegate Path Item ", name)
}

// sharedFunctions are the beginnings of names of functions that systems declare, and that modules overload.
var sharedFunctions = []string{"XCT", "withUnsafe", "withTask", "withThrowing", "withChecked", "withDiscarding", "withExtended", "without", "NS", "CF", "CG", "unsafe", "type", "stride", "precondition", "assertion", "fatal", "dump"}

// isShared reports whether systems may declare a function with the given name.
func isShared(name string) bool {
	if strings.ToLower(name) == name {
		return true // such as write, or another function of C
	}
	for _, prefix := range sharedFunctions {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// contains reports whether a list, with spaces between the words and around them, contains a word.
func contains(list, word string) bool { return strings.Contains(list, " "+word+" ") }
