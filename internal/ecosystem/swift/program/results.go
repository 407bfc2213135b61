package program

import "strings"

// memberTypes are the types of properties of types of systems, and of the results of methods, whose names end with parentheses,
// if all overloads have the same. $0 and $1 stand for the arguments of a generic type.
var memberTypes = map[string]string{
	"URL.path": "String", "URL.path()": "String", "URL.absoluteString": "String", "URL.relativePath": "String", "URL.relativeString": "String", "URL.lastPathComponent": "String", "URL.pathExtension": "String",
	"URL.scheme": "String?", "URL.host": "String?", "URL.host()": "String?", "URL.query": "String?", "URL.query()": "String?", "URL.fragment": "String?", "URL.user": "String?", "URL.password": "String?", "URL.port": "Int?",
	"URL.pathComponents": "[String]", "URL.deletingLastPathComponent()": "URL", "URL.deletingPathExtension()": "URL", "URL.appendingPathComponent()": "URL", "URL.appendingPathExtension()": "URL", "URL.appending()": "URL",
	"URL.standardized": "URL", "URL.standardizedFileURL": "URL", "URL.resolvingSymlinksInPath()": "URL", "URL.absoluteURL": "URL", "URL.isFileURL": "Bool", "URL.hasDirectoryPath": "Bool",
	"URLComponents.string": "String?", "URLComponents.url": "URL?", "URLComponents.path": "String", "URLComponents.host": "String?", "URLComponents.scheme": "String?", "URLComponents.query": "String?", "URLComponents.port": "Int?",
	"URLComponents.queryItems": "[URLQueryItem]?", "URLQueryItem.name": "String", "URLQueryItem.value": "String?", "URLSession.shared": "URLSession", "URLSessionConfiguration.default": "URLSessionConfiguration",
	"URLRequest.url": "URL?", "URLRequest.httpMethod": "String?", "URLRequest.httpBody": "Data?", "URLRequest.allHTTPHeaderFields": "[String: String]?", "HTTPURLResponse.statusCode": "Int",
	"Data.count": "Int", "Data.isEmpty": "Bool", "Data.base64EncodedString()": "String", "Data.base64EncodedData()": "Data", "Data.first": "UInt8?", "Data.last": "UInt8?", "JSONEncoder.encode()": "Data", "PropertyListEncoder.encode()": "Data",
	"Date.timeIntervalSince1970": "Double", "Date.timeIntervalSinceNow": "Double", "Date.timeIntervalSinceReferenceDate": "Double", "Date.timeIntervalSince()": "Double", "Date.addingTimeInterval()": "Date", "Date.now": "Date",
	"DateComponents.year": "Int?", "DateComponents.month": "Int?", "DateComponents.day": "Int?", "DateComponents.hour": "Int?", "DateComponents.minute": "Int?", "DateComponents.second": "Int?", "UUID.uuidString": "String",
	"FileManager.default": "FileManager", "FileManager.currentDirectoryPath": "String", "FileManager.temporaryDirectory": "URL", "FileManager.contents()": "Data?", "FileManager.fileExists()": "Bool",
	"ProcessInfo.processInfo": "ProcessInfo", "ProcessInfo.environment": "[String: String]", "ProcessInfo.arguments": "[String]", "CommandLine.arguments": "[String]", "ProcessInfo.processName": "String", "ProcessInfo.hostName": "String",
	"Bundle.main": "Bundle", "Bundle.bundleURL": "URL", "Bundle.bundlePath": "String", "UserDefaults.standard": "UserDefaults", "NotificationCenter.default": "NotificationCenter", "Calendar.current": "Calendar", "Locale.current": "Locale",
	"TimeZone.current": "TimeZone", "RunLoop.main": "RunLoop", "RunLoop.current": "RunLoop", "Thread.current": "Thread", "OperationQueue.main": "OperationQueue", "DispatchQueue.main": "DispatchQueue", "DispatchQueue.global()": "DispatchQueue",
	"DispatchTime.now()": "DispatchTime", "DispatchTime.uptimeNanoseconds": "UInt64", "Result.get()": "$0", "Task.value": "$0", "Range.lowerBound": "$0", "Range.upperBound": "$0", "ClosedRange.lowerBound": "$0", "ClosedRange.upperBound": "$0",
	"Range.count": "Int", "ClosedRange.count": "Int", "ArraySlice.count": "Int", "ArraySlice.first": "$0?", "ArraySlice.last": "$0?",
	"Substring.count": "Int", "Substring.isEmpty": "Bool", "Substring.first": "Character?", "Substring.last": "Character?", "Substring.lowercased()": "String", "Substring.uppercased()": "String", "Substring.trimmingCharacters()": "String",
	"Character.isNumber": "Bool", "Character.isLetter": "Bool", "Character.isWhitespace": "Bool", "Character.isNewline": "Bool", "Character.lowercased()": "String", "Character.uppercased()": "String", "Character.asciiValue": "UInt8?",
	"String.first": "Character?", "String.last": "Character?", "String.description": "String", "String.capitalized": "String", "String.split()": "[Substring]", "String.data()": "Data?", "String.dropFirst()": "Substring", "String.dropLast()": "Substring",
	"String.prefix()": "Substring", "String.suffix()": "Substring", "String.filter()": "String", "String.popLast()": "Character?", "String.removingPercentEncoding": "String?", "String.addingPercentEncoding()": "String?",
	"String.lowercased()": "String", "String.uppercased()": "String", "String.trimmingCharacters()": "String", "String.replacingOccurrences()": "String", "String.appending()": "String", "String.padding()": "String",
	"String.components()": "[String]", "Int.description": "String", "Bool.description": "String", "Double.description": "String",
}

// memberType returns the value of a member of a type of a system, which is called or not, as far as that is in memberTypes.
func (w *walker) memberType(v value, name string, called bool) value {
	key := v.system + "." + name
	if called {
		key += "()"
	}
	text := memberTypes[key]
	if text == "" || w.program.addsToSystems().members[name] {
		return value{}
	}
	if n, ok := strings.CutPrefix(text, "$"); ok {
		i := int(n[0] - '0')
		if i >= len(v.args) || !v.args[i].isKnown() {
			return value{}
		}
		r := v.args[i]
		r.optional += len(n) - 1
		return r
	}
	return w.program.typed(text, context{file: w.file})
}

// closureCallers are methods of types of systems that call a closure and return its result.
const closureCallers = " DispatchQueue.sync NSLock.withLock NSRecursiveLock.withLock "

// foundationResult returns the value of a member of one of foundationTypes, and the token after it and its call.
func (w *walker) foundationResult(v value, i int) (value, int) {
	name := unquoted(w.at(i))
	called := w.calls(i + 1)
	_, end := w.skip(i + 1)
	if called && contains(closureCallers, v.system+"."+name) && !w.program.addsToSystems().members[name] && w.closing[end-1] == 0 && w.at(end-1) == "}" {
		return w.closureResult(w.parent[end-1]), end
	}
	return w.memberType(v, name, called), end
}
