package module

import "strings"

// toolchainMembers lists the members of the toolchain's types by type. Each
// member is written as a name, with parentheses for a method, followed by its
// type.
var toolchainMembers = map[string]string{
	"String": "count:Int isEmpty:Bool description:String hashValue:Int uppercased():String lowercased():String hasPrefix():Bool hasSuffix():Bool contains():Bool " +
		"trimmingCharacters():String replacingOccurrences():String components():[String] capitalized:String utf8:String.UTF8View unicodeScalars:String.UnicodeScalarView utf16:String.UTF16View " +
		"appending():String padding():String first:Character? last:Character?",
	"Substring":     "count:Int isEmpty:Bool description:String uppercased():String lowercased():String",
	"Int":           "description:String hashValue:Int magnitude:UInt nonzeroBitCount:Int leadingZeroBitCount:Int trailingZeroBitCount:Int signum():Int",
	"Double":        "description:String rounded():Double squareRoot():Double magnitude:Double isNaN:Bool",
	"Data":          "count:Int isEmpty:Bool base64EncodedString():String",
	"URL":           "path:String absoluteString:String lastPathComponent:String pathExtension:String appendingPathComponent():URL deletingLastPathComponent():URL deletingPathExtension():URL appendingPathExtension():URL standardizedFileURL:URL resolvingSymlinksInPath():URL appending():URL isFileURL:Bool host:String? scheme:String? query:String?",
	"Date":          "timeIntervalSince1970:TimeInterval timeIntervalSinceNow:TimeInterval timeIntervalSinceReferenceDate:TimeInterval addingTimeInterval():Date timeIntervalSince():TimeInterval",
	"UUID":          "uuidString:String",
	"CharacterSet":  "inverted:CharacterSet union():CharacterSet intersection():CharacterSet subtracting():CharacterSet symmetricDifference():CharacterSet contains():Bool",
	"ProcessInfo":   "environment:[String:String] arguments:[String] processorCount:Int activeProcessorCount:Int hostName:String processName:String processIdentifier:Int32 globallyUniqueString:String physicalMemory:UInt64 systemUptime:TimeInterval operatingSystemVersionString:String isLowPowerModeEnabled:Bool",
	"FileManager":   "temporaryDirectory:URL currentDirectoryPath:String homeDirectoryForCurrentUser:URL fileExists():Bool",
	"Bundle":        "bundleIdentifier:String? bundleURL:URL bundlePath:String resourceURL:URL? resourcePath:String? infoDictionary:[String:Any]?",
	"Locale":        "identifier:String",
	"TimeZone":      "identifier:String",
	"DispatchTime":  "uptimeNanoseconds:UInt64",
	"DispatchQueue": "label:String",
}

// toolchainStatics lists static members in the same form.
var toolchainStatics = map[string]string{
	"DispatchTimeInterval": "seconds():DispatchTimeInterval milliseconds():DispatchTimeInterval microseconds():DispatchTimeInterval nanoseconds():DispatchTimeInterval never:DispatchTimeInterval",
	"Duration":             "seconds():Duration milliseconds():Duration microseconds():Duration nanoseconds():Duration",
	"DispatchQueue":        "global():DispatchQueue",
	"DispatchTime":         "now():DispatchTime distantFuture:DispatchTime",
	"Date":                 "now:Date distantPast:Date distantFuture:Date timeIntervalSinceReferenceDate:TimeInterval",
	"FileManager":          "default:FileManager",
	"ProcessInfo":          "processInfo:ProcessInfo",
	"CommandLine":          "arguments:[String] argc:Int32",
	"ContinuousClock":      "now:ContinuousClock.Instant",
	"SuspendingClock":      "now:SuspendingClock.Instant",
	"Bool":                 "random():Bool",
	"Int":                  "random():Int",
	"Double":               "random():Double",
	"Task":                 "isCancelled:Bool",
	"Thread":               "isMainThread:Bool",
}

// elementMembers lists the members of arrays. T represents the element type.
const elementMembers = "count:Int isEmpty:Bool first:T? last:T? sorted():[T] shuffled():[T] filter():[T] contains():Bool allSatisfy():Bool startIndex:Int endIndex:Int indices:Range<Int>"

// toolchainMember returns the type of a member of a type of the toolchain, or ""
// if it is not listed in this file. call is true if a call follows.
func toolchainMember(v value, name string, call bool) string {
	if v.text == "" || v.typ != nil && v.typ.decl != nil {
		return ""
	}
	list := toolchainMembers[v.text]
	if v.meta {
		list = toolchainStatics[v.text]
		if enum, _, ok := strings.Cut(v.text, "<"); ok && (enum == "Result" && (name == "success" || name == "failure") || enum == "Optional" && (name == "some" || name == "none")) {
			return v.text
		}
	} else if list == "" {
		if element, ok := array(v.text); ok {
			if name == "joined" && call && element == "String" {
				return "String"
			}
			return strings.ReplaceAll(listed(elementMembers, name, call), "T", element)
		}
		if key, val, ok := dictionary(v.text); ok {
			return listed("count:Int isEmpty:Bool keys:Dictionary<"+key+","+val+">.Keys values:Dictionary<"+key+","+val+">.Values", name, call)
		}
	}
	return listed(list, name, call)
}

// listed finds a member in a list. It returns "" if it is not in the list.
func listed(list, name string, call bool) string {
	if call {
		name += "()"
	}
	for item := range strings.FieldsSeq(list) {
		if text, ok := strings.CutPrefix(item, name+":"); ok {
			return text
		}
	}
	return ""
}
