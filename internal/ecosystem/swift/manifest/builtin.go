package manifest

import (
	"slices"
	"strings"
	"unicode"
)

// isType reports whether a type is defined in PackageDescription or the standard library.
func isType(t typ) bool { return knownTypes[t] }

var knownTypes = func() map[typ]bool {
	known := map[typ]bool{}
	for name := range strings.FieldsSeq(`Package Package.Dependency Package.Dependency.Requirement Package.Dependency.Trait Package.Dependency.RegistryRequirement
		Package.Dependency.SourceControlRequirement Product Product.Library Product.Library.LibraryType Product.Executable Product.Plugin Target Target.Dependency
		Target.TargetType Target.PluginCapability Target.PluginUsage TargetDependencyCondition BuildSettingCondition BuildConfiguration Platform SupportedPlatform
		SwiftSetting CSetting CXXSetting LinkerSetting Resource Trait SystemPackageProvider SwiftVersion SwiftLanguageMode CLanguageStandard CXXLanguageStandard
		LanguageTag Version String Int Bool Array Set Dictionary URL PluginCommandIntent PluginPermission WarningLevel`) {
		known[named(name)] = true
	}
	return known
}()

// hintOf returns the type of an argument or property in PackageDescription.
// member is the function that is called, or "" for an initializer or a property.
func hintOf(member, label string) typ {
	switch label {
	case "products":
		return arrayOf("Product")
	case "targets":
		if member == "library" || member == "executable" || member == "plugin" {
			return arrayOf("String")
		}
		return arrayOf("Target")
	case "dependencies":
		if member == "" {
			return arrayOf("Package.Dependency")
		}
		return arrayOf("Target.Dependency")
	case "traits":
		if member == "package" {
			return arrayOf("Package.Dependency.Trait")
		}
		if member == "when" {
			return arrayOf("String")
		}
		return arrayOf("Trait")
	case "swiftSettings":
		return arrayOf("SwiftSetting")
	case "cSettings":
		return arrayOf("CSetting")
	case "cxxSettings":
		return arrayOf("CXXSetting")
	case "linkerSettings":
		return arrayOf("LinkerSetting")
	case "plugins":
		return arrayOf("Target.PluginUsage")
	case "resources":
		return arrayOf("Resource")
	case "platforms":
		if member == "when" {
			return arrayOf("Platform")
		}
		return arrayOf("SupportedPlatform")
	case "condition":
		return named("TargetDependencyCondition")
	case "exclude", "sources", "enabledTraits":
		return arrayOf("String")
	case "name", "path", "package", "url", "id", "publicHeadersPath", "branch", "revision":
		return named("String")
	case "type":
		return named("Product.Library.LibraryType")
	}
	return typ{}
}

// positionHint returns the type of an argument without a label. It returns the
// unknown type if there is none.
func positionHint(member string, i int) typ {
	switch member {
	case "define", "enableUpcomingFeature", "enableExperimentalFeature", "unsafeFlags", "linkedLibrary", "linkedFramework", "headerSearchPath", "interoperabilityMode", "swiftLanguageMode", "swiftLanguageVersion", "strictMemorySafety", "defaultIsolation", "treatAllWarnings", "treatWarning":
		if i > 0 || member == "strictMemorySafety" {
			return named("BuildSettingCondition")
		}
	}
	return typ{}
}

// typeOf returns the type of a value, if it is known.
func typeOf(v value) typ {
	switch v := v.(type) {
	case string:
		return named("String")
	case int64:
		return named("Int")
	case bool:
		return named("Bool")
	case *list:
		return v.elem.array()
	case *object:
		return v.typ
	}
	return typ{}
}

// typesOf returns the types that declare the members of a value.
func typesOf(v value) []typ {
	switch v := v.(type) {
	case *list:
		return []typ{v.elem.array(), named("Array"), named("Sequence"), named("Collection")}
	case *object:
		if v.typ == (typ{}) {
			return []typ{guessType(v)}
		}
	}
	return []typ{typeOf(v)}
}

// guessType returns the type of an object that was created by an implicit member
// with no type expected.
func guessType(o *object) typ {
	switch o.ctor {
	case "target", "executableTarget", "testTarget", "systemLibrary", "binaryTarget", "macro":
		return named("Target")
	case "library", "executable":
		return named("Product")
	case "product", "byName":
		return named("Target.Dependency")
	case "package":
		return named("Package.Dependency")
	}
	return typ{}
}

// targetTypes are the values of Target.type.
var targetTypes = map[string]string{
	"target": "regular", "executableTarget": "executable", "testTarget": "test", "systemLibrary": "system", "binaryTarget": "binary", "plugin": "plugin", "macro": "macro",
}

// builtinProperty returns the value of a property that the manifest does not
// declare.
func (in *interpreter) builtinProperty(base value, name string, line int) value {
	switch b := base.(type) {
	case *object:
		if (b.typ == named("Target") || b.typ == typ{}) && name == "type" && targetTypes[b.ctor] != "" {
			return &object{typ: named("Target.TargetType"), ctor: targetTypes[b.ctor]}
		}
		if name == "isTest" {
			return b.ctor == "testTarget"
		}
		if name == "targets" || name == "products" || name == "dependencies" || name == "exclude" {
			return &list{elem: hintOf(b.ctor, name).elem()}
		}
		if b.typ == (typ{}) || isType(b.typ) {
			return absent{}
		}
	case *list:
		switch name {
		case "count":
			return int64(len(b.items))
		case "isEmpty":
			return len(b.items) == 0
		case "first", "last":
			if len(b.items) == 0 {
				return absent{}
			}
			if name == "first" {
				return b.items[0]
			}
			return b.items[len(b.items)-1]
		case "lazy":
			return b
		case "indices":
			return in.operate("..<", int64(0), int64(len(b.items)), line)
		}
	case string:
		switch name {
		case "count":
			return int64(len([]rune(b)))
		case "isEmpty":
			return b == ""
		case "description", "rawValue":
			return b
		case "capitalized":
			return capitalise(b)
		}
	case *dict:
		switch name {
		case "keys":
			return &list{items: b.keys}
		case "values":
			return &list{items: b.values}
		case "count":
			return int64(len(b.keys))
		case "isEmpty":
			return len(b.keys) == 0
		}
	case *tuple:
		for i, label := range b.labels {
			if label == name || name == string(rune('0'+i)) {
				return b.items[i]
			}
		}
	}
	return unknown{}
}

// capitalise changes the first letter of each word to upper case and the others to lower case.
func capitalise(s string) string {
	inWord := false
	return strings.Map(func(r rune) rune {
		if !inWord {
			inWord = !unicode.IsSpace(r)
			return unicode.ToUpper(r)
		}
		inWord = !unicode.IsSpace(r)
		return unicode.ToLower(r)
	}, s)
}

// builtinMethod evaluates a method that the manifest does not declare.
func (in *interpreter) builtinMethod(base value, n *callExpr, callee *memberExpr, env *scope, hint typ) value {
	name := callee.name
	args := func(typeHint typ) []evaluated {
		out := make([]evaluated, len(n.args))
		for i, a := range n.args {
			t := typeHint
			if a.label == "contentsOf" {
				t = typeOf(base)
			}
			out[i] = evaluated{a.label, in.eval(a.value, env, t)}
		}
		return out
	}
	switch b := base.(type) {
	case *list:
		return in.listMethod(b, n, callee, env, hint, args)
	case string:
		return stringMethod(b, name, args(typ{}))
	case *dict:
		switch name {
		case "map", "compactMap", "flatMap", "filter", "forEach", "sorted":
			return in.listMethod(&list{items: in.items(b, n.at())}, n, callee, env, hint, args)
		case "mapValues":
			if f, ok := first(args(typ{})).(*function); ok {
				out := &dict{keys: b.keys}
				for _, v := range b.values {
					out.values = append(out.values, in.invoke(f, []evaluated{{value: v}}, typ{}))
				}
				return out
			}
		case "merge", "merging":
			merged := in.merged(b, args(typ{}))
			if name == "merging" {
				return merged
			}
			in.store(callee.base, env, merged)
			return absent{}
		}
	case *object:
		in.problem(n.at(), "%.60s of %.60s could not be interpreted", name, b.typ.String()+b.ctor)
	}
	return unknown{}
}

func (in *interpreter) listMethod(b *list, n *callExpr, callee *memberExpr, env *scope, hint typ, args func(typ) []evaluated) value {
	name := callee.name
	if !in.step(len(b.items)) {
		return unknown{}
	}
	switch name {
	case "append", "insert":
		all := args(elemOr(b.elem, typeAt(callee.base, b)))
		if len(all) == 0 {
			return absent{}
		}
		added := &list{elem: b.elem, items: []value{all[0].value}}
		if all[0].label == "contentsOf" {
			l, ok := all[0].value.(*list)
			if !ok {
				in.problem(n.at(), "the appended value could not be interpreted")
				return absent{}
			}
			added = l
		}
		position := len(b.items)
		if name == "insert" {
			if len(all) == 1 { // The list is a set.
				if in.contains(b, all) == true {
					return absent{}
				}
			} else if i, ok := last(all).(int64); ok && i >= 0 && int(i) <= position {
				position = int(i)
			}
		}
		result := in.add(&list{b.elem, b.items[:position]}, added)
		in.store(callee.base, env, in.add(result, &list{b.elem, b.items[position:]}))
		return absent{}
	case "remove", "removeFirst", "removeLast", "popLast":
		return in.remove(b, name, args(b.elem), callee.base, env)
	case "removeAll":
		out := []value{}
		if f, ok := first(args(typ{})).(*function); ok {
			for _, item := range b.items {
				if yes, _ := truth(in.invoke(f, []evaluated{{value: item}}, typ{})); !yes {
					out = append(out, item)
				}
			}
		}
		in.store(callee.base, env, &list{b.elem, out})
		return absent{}
	case "contains":
		return in.contains(b, args(b.elem))
	case "map", "compactMap", "flatMap":
		return in.mapped(b, name, first(args(typ{})), hint.elem())
	case "filter", "forEach", "first", "firstIndex", "allSatisfy", "sorted", "reversed", "joined", "reduce", "enumerated", "union", "intersection", "subtracting":
		return in.sequenceMethod(b, name, args(typ{}), n.at())
	case "sort":
		in.store(callee.base, env, in.sorted(b, args(typ{})))
		return absent{}
	case "prefix", "suffix", "dropFirst", "dropLast":
		if low, high, ok := cut(name, len(b.items), args(typ{})); ok {
			return &list{b.elem, b.items[low:high]}
		}
	}
	return unknown{}
}

// remove evaluates the methods that remove elements by their number or their value.
func (in *interpreter) remove(b *list, name string, args []evaluated, base node, env *scope) value {
	low, high := 0, 1
	switch n, isCount := first(args).(int64); {
	case name == "remove" && len(args) == 1 && args[0].label == "at" && isCount:
		low, high = int(n), int(n)+1
	case name == "remove" && len(args) == 1 && args[0].label == "":
		low = slices.IndexFunc(b.items, func(item value) bool { same, known := equal(item, args[0].value); return same && known })
		high = low + 1
	case name == "remove" || len(args) > 0 && !isCount:
		return unknown{}
	case name != "removeFirst":
		low, high = len(b.items)-1, len(b.items)
		if isCount {
			low = len(b.items) - int(n)
		}
	case isCount:
		high = int(n)
	}
	if low < 0 || high > len(b.items) || low >= high {
		return absent{}
	}
	in.store(base, env, in.add(&list{b.elem, b.items[:low]}, &list{b.elem, b.items[high:]}))
	return b.items[low]
}

// cut returns the part of a collection with n elements that prefix, suffix, dropFirst or
// dropLast returns. ok is false if the number of elements is unknown.
func cut(name string, n int, args []evaluated) (low, high int, ok bool) {
	count := 1
	if len(args) > 0 {
		k, isInt := args[0].value.(int64)
		if !isInt || k < 0 || args[0].label != "" {
			return 0, 0, false
		}
		count = int(min(k, int64(n)))
	} else {
		count = min(count, n)
	}
	switch name {
	case "prefix":
		return 0, count, len(args) > 0
	case "suffix":
		return n - count, n, len(args) > 0
	case "dropFirst":
		return count, n, true
	}
	return 0, n - count, true
}

// sorted sorts strings and numbers, or any elements with a function that compares them. It
// keeps the order of other elements.
func (in *interpreter) sorted(b *list, args []evaluated) value {
	less := func(x, y value) bool { return compare("<", x, y) == true }
	if f, ok := first(args).(*function); ok {
		less = func(x, y value) bool { return in.invoke(f, []evaluated{{value: x}, {value: y}}, typ{}) == true }
	} else if len(args) > 0 {
		return unknown{}
	}
	out := &list{b.elem, slices.Clone(b.items)}
	slices.SortStableFunc(out.items, func(x, y value) int {
		switch {
		case !in.step(1):
		case less(x, y):
			return -1
		case less(y, x):
			return 1
		}
		return 0
	})
	return out
}

// elemOr returns elem if it is known, or else the element type of an array type.
func elemOr(elem, array typ) typ {
	if elem != (typ{}) {
		return elem
	}
	return array.elem()
}

func last(args []evaluated) value {
	if len(args) == 0 {
		return nil
	}
	return args[len(args)-1].value
}

func (in *interpreter) contains(b *list, args []evaluated) value {
	arg := first(args)
	if f, ok := arg.(*function); ok {
		for _, item := range b.items {
			if yes, _ := truth(in.invoke(f, []evaluated{{value: item}}, typ{})); yes {
				return true
			}
		}
		return false
	}
	if arg == nil {
		return unknown{}
	}
	sure := true
	for _, item := range b.items {
		same, known := equal(item, arg)
		if same && known {
			return true
		}
		sure = sure && known
	}
	if !sure {
		return unknown{}
	}
	return false
}

// mapped evaluates map, compactMap and flatMap.
func (in *interpreter) mapped(b *list, name string, f value, elem typ) value {
	fn, ok := f.(*function)
	if !ok {
		if t, isType := f.(typ); isType && (t == named("String") || t == named("Target.Dependency")) {
			return b
		}
		return unknown{}
	}
	hint := elem
	if name == "flatMap" && elem != (typ{}) {
		hint = elem.array()
	}
	out := &list{elem: elem}
	for _, item := range b.items {
		v := in.invoke(fn, []evaluated{{value: item}}, hint)
		l, isList := v.(*list)
		_, none := v.(absent)
		switch {
		case name == "flatMap" && isList && in.step(len(l.items)):
			out.items = append(out.items, l.items...)
			if out.elem == (typ{}) {
				out.elem = l.elem
			}
			continue
		case name != "map" && none:
			continue
		}
		if out.elem == (typ{}) {
			out.elem = typeOf(v)
		}
		out.items = append(out.items, v)
	}
	return out
}

func (in *interpreter) sequenceMethod(b *list, name string, args []evaluated, line int) value {
	f, _ := first(args).(*function)
	test := func(item value) bool { return in.isTrue(in.invoke(f, []evaluated{{value: item}}, typ{}), line) }
	switch {
	case name == "filter" && f != nil:
		out := &list{elem: b.elem}
		for _, item := range b.items {
			if test(item) {
				out.items = append(out.items, item)
			}
		}
		return out
	case name == "first" && f != nil:
		for _, item := range b.items {
			if test(item) {
				return item
			}
		}
		return absent{}
	case name == "firstIndex" && first(args) != nil:
		for i, item := range b.items {
			if f != nil && test(item) {
				return int64(i)
			}
			if same, known := equal(item, args[0].value); f == nil && same && known {
				return int64(i)
			}
		}
		return absent{}
	case name == "allSatisfy" && f != nil:
		return !slices.ContainsFunc(b.items, func(item value) bool { return !test(item) })
	case name == "forEach" && f != nil:
		for _, item := range b.items {
			in.invoke(f, []evaluated{{value: item}}, typ{})
		}
		return absent{}
	case name == "sorted":
		return in.sorted(b, args)
	case name == "reversed":
		out := &list{b.elem, slices.Clone(b.items)}
		slices.Reverse(out.items)
		return out
	case name == "joined":
		return in.joined(b, args)
	case name == "union":
		if other, ok := first(args).(*list); ok {
			added := &list{elem: other.elem}
			for _, item := range other.items {
				if in.step(len(b.items)) && in.contains(b, []evaluated{{value: item}}) != true {
					added.items = append(added.items, item)
				}
			}
			return in.add(b, added)
		}
	case name == "intersection" || name == "subtracting":
		other, ok := first(args).(*list)
		if !ok {
			return unknown{}
		}
		out := &list{elem: b.elem}
		for _, item := range b.items {
			if in.step(len(other.items)) && (in.contains(other, []evaluated{{value: item}}) == true) == (name == "intersection") {
				out.items = append(out.items, item)
			}
		}
		return out
	case name == "reduce" && len(args) == 2:
		return in.reduced(b, args)
	case name == "enumerated":
		out := &list{}
		for i, item := range b.items {
			out.items = append(out.items, &tuple{[]string{"offset", "element"}, []value{int64(i), item}})
		}
		return out
	}
	return unknown{}
}

// merged evaluates the methods that merge a dictionary into b and choose between values of the same
// key with a function.
func (in *interpreter) merged(b *dict, args []evaluated) value {
	if len(args) != 2 {
		return unknown{}
	}
	other, isDict := args[0].value.(*dict)
	choose, isFunction := args[1].value.(*function)
	if !isDict || !isFunction {
		return unknown{}
	}
	out := b
	for i, key := range other.keys {
		if !in.step(len(out.keys)) {
			return unknown{}
		}
		v := other.values[i]
		for k, known := range out.keys {
			if same, sure := equal(key, known); same && sure {
				v = in.invoke(choose, []evaluated{{value: out.values[k]}, {value: v}}, typ{})
			}
		}
		out = out.with(key, v)
	}
	return out
}

// joined evaluates joined() of arrays and joined(separator:) of strings.
func (in *interpreter) joined(b *list, args []evaluated) value {
	var parts []string
	out := &list{}
	for _, item := range b.items {
		switch item := item.(type) {
		case string:
			parts = append(parts, item)
		case *list:
			out.items, out.elem = append(out.items, item.items...), item.elem
		default:
			return unknown{}
		}
	}
	if len(parts) < len(b.items) {
		return out
	}
	s := strings.Join(parts, text(first(args)))
	if len(s) > maxText || !in.step(len(s)/64) {
		return unknown{}
	}
	return s
}

func (in *interpreter) reduced(b *list, args []evaluated) value {
	f, ok := args[1].value.(*function)
	if !ok || args[0].label == "into" {
		return unknown{}
	}
	sum := args[0].value
	for _, item := range b.items {
		sum = in.invoke(f, []evaluated{{value: sum}, {value: item}}, typ{})
	}
	return sum
}

func stringMethod(b, name string, args []evaluated) value {
	arg, ok := first(args).(string)
	switch name {
	case "hasPrefix", "hasSuffix", "contains", "starts":
		if !ok {
			return unknown{}
		}
		switch name {
		case "hasSuffix":
			return strings.HasSuffix(b, arg)
		case "contains":
			return strings.Contains(b, arg)
		}
		return strings.HasPrefix(b, arg)
	case "lowercased":
		return strings.ToLower(b)
	case "uppercased":
		return strings.ToUpper(b)
	case "appending":
		if ok && len(b)+len(arg) <= maxText {
			return b + arg
		}
	case "replacingOccurrences", "replacing":
		if with, isText := last(args).(string); ok && isText && arg != "" {
			if s := strings.ReplaceAll(b, arg, with); len(s) <= maxText {
				return s
			}
		}
	case "components", "split":
		if ok && arg != "" {
			l := &list{elem: named("String")}
			for part := range strings.SplitSeq(b, arg) {
				if part != "" || name == "components" {
					l.items = append(l.items, part)
				}
			}
			return l
		}
	case "prefix", "suffix", "dropFirst", "dropLast":
		r := []rune(b)
		if low, high, ok := cut(name, len(r), args); ok {
			return string(r[low:high])
		}
	}
	return unknown{}
}
