package manifest

import (
	"slices"
	"strings"
)

// isType reports whether name is a type defined in PackageDescription or the standard library.
func isType(name string) bool { return knownTypes[name] }

var knownTypes = func() map[string]bool {
	known := map[string]bool{}
	for name := range strings.FieldsSeq(`Package Package.Dependency Package.Dependency.Requirement Package.Dependency.Trait Package.Dependency.RegistryRequirement
		Package.Dependency.SourceControlRequirement Product Product.Library Product.Library.LibraryType Product.Executable Product.Plugin Target Target.Dependency
		Target.TargetType Target.PluginCapability Target.PluginUsage TargetDependencyCondition BuildSettingCondition BuildConfiguration Platform SupportedPlatform
		SwiftSetting CSetting CXXSetting LinkerSetting Resource Trait SystemPackageProvider SwiftVersion SwiftLanguageMode CLanguageStandard CXXLanguageStandard
		LanguageTag Version String Int Bool Array Set Dictionary URL PluginCommandIntent PluginPermission WarningLevel`) {
		known[name] = true
	}
	return known
}()

// hintOf returns the type of an argument or property in PackageDescription.
// member is the function that is called, or "" for an initializer or a property.
func hintOf(member, label string) string {
	switch label {
	case "products":
		return "[Product]"
	case "targets":
		if member == "library" || member == "executable" || member == "plugin" {
			return "[String]"
		}
		return "[Target]"
	case "dependencies":
		if member == "" {
			return "[Package.Dependency]"
		}
		return "[Target.Dependency]"
	case "traits":
		if member == "package" {
			return "[Package.Dependency.Trait]"
		}
		if member == "when" {
			return "[String]"
		}
		return "[Trait]"
	case "swiftSettings":
		return "[SwiftSetting]"
	case "cSettings":
		return "[CSetting]"
	case "cxxSettings":
		return "[CXXSetting]"
	case "linkerSettings":
		return "[LinkerSetting]"
	case "plugins":
		return "[Target.PluginUsage]"
	case "resources":
		return "[Resource]"
	case "platforms":
		if member == "when" {
			return "[Platform]"
		}
		return "[SupportedPlatform]"
	case "condition":
		return "TargetDependencyCondition"
	case "exclude", "sources", "enabledTraits":
		return "[String]"
	case "name", "path", "package", "url", "id", "publicHeadersPath", "branch", "revision":
		return "String"
	case "type":
		return "Product.Library.LibraryType"
	}
	return ""
}

// positionHint returns the type of an argument without a label. It returns "" if
// the type is unknown.
func positionHint(member string, i int) string {
	switch member {
	case "define", "enableUpcomingFeature", "enableExperimentalFeature", "unsafeFlags", "linkedLibrary", "linkedFramework", "headerSearchPath", "interoperabilityMode", "swiftLanguageMode", "swiftLanguageVersion", "strictMemorySafety", "defaultIsolation", "treatAllWarnings", "treatWarning":
		if i > 0 || member == "strictMemorySafety" {
			return "BuildSettingCondition"
		}
	}
	return ""
}

// typeOf returns the type of a value, or "" if it is unknown.
func typeOf(v value) string {
	switch v := v.(type) {
	case string:
		return "String"
	case int64:
		return "Int"
	case bool:
		return "Bool"
	case *list:
		return "[" + v.elem + "]"
	case *object:
		return v.typ
	}
	return ""
}

// typesOf returns the names under which members of a value's type are declared.
func typesOf(v value) []string {
	switch v := v.(type) {
	case *list:
		return []string{"[" + v.elem + "]", "Array", "Sequence", "Collection"}
	case *object:
		if v.typ == "" {
			return []string{guessType(v)}
		}
		return []string{v.typ}
	}
	return []string{typeOf(v)}
}

// guessType returns the type of an object that was created by an implicit member
// with no type expected.
func guessType(o *object) string {
	switch o.ctor {
	case "target", "executableTarget", "testTarget", "systemLibrary", "binaryTarget", "macro":
		return "Target"
	case "library", "executable":
		return "Product"
	case "product", "byName":
		return "Target.Dependency"
	case "package":
		return "Package.Dependency"
	}
	return ""
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
		if (b.typ == "Target" || b.typ == "") && name == "type" && targetTypes[b.ctor] != "" {
			return &object{typ: "Target.TargetType", ctor: targetTypes[b.ctor]}
		}
		if name == "isTest" {
			return b.ctor == "testTarget"
		}
		if name == "targets" || name == "products" || name == "dependencies" || name == "exclude" {
			return &list{elem: elementType(hintOf(b.ctor, name))}
		}
		if b.typ == "Package" || b.typ == "Target" || b.typ == "Product" || b.typ == "" || isType(b.typ) {
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

func capitalise(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + strings.ToLower(s[1:])
}

// builtinMethod evaluates a method that the manifest does not declare.
func (in *interpreter) builtinMethod(base value, name string, n, callee *node, env *scope, hint string) value {
	args := func(expected string) []evaluated {
		out := make([]evaluated, len(n.args))
		for i, a := range n.args {
			want := expected
			if a.label == "contentsOf" {
				want = typeOf(base)
			}
			out[i] = evaluated{a.label, in.eval(a.value, env, want)}
		}
		return out
	}
	switch b := base.(type) {
	case *list:
		return in.listMethod(b, name, n, callee, env, hint, args)
	case string:
		return stringMethod(b, name, args(""))
	case *dict:
		switch name {
		case "map", "compactMap", "flatMap", "filter", "forEach", "sorted":
			return in.listMethod(&list{items: in.items(b, n.line)}, name, n, callee, env, hint, args)
		case "merging", "merge":
			return unknown{}
		}
	case *object:
		in.problem(n.line, "%.60s of %.60s could not be interpreted", name, b.typ+b.ctor)
	}
	return unknown{}
}

func (in *interpreter) listMethod(b *list, name string, n, callee *node, env *scope, hint string, args func(string) []evaluated) value {
	if !in.step(len(b.items)) {
		return unknown{}
	}
	switch name {
	case "append", "insert":
		all := args(b.elemOr(in.typeAt(callee.kids[0], b)))
		if len(all) == 0 {
			return absent{}
		}
		added := &list{elem: b.elem, items: []value{all[0].value}}
		if all[0].label == "contentsOf" {
			l, ok := all[0].value.(*list)
			if !ok {
				in.problem(n.line, "the appended value could not be interpreted")
				return absent{}
			}
			added = l
		}
		result := in.add(b, added)
		if position, ok := last(all).(int64); ok && name == "insert" && position == 0 {
			result = in.add(added, b)
		}
		in.store(callee.kids[0], env, result)
		return absent{}
	case "removeAll", "removeFirst", "removeLast":
		out := []value{}
		if f, ok := first(args("")).(*function); ok {
			for _, item := range b.items {
				if yes, _ := truth(in.invoke(f, []evaluated{{value: item}}, "", n.line)); !yes {
					out = append(out, item)
				}
			}
		}
		in.store(callee.kids[0], env, &list{b.elem, out})
		return absent{}
	case "contains":
		return in.contains(b, args(b.elem), n.line)
	case "map", "compactMap", "flatMap":
		return in.mapped(b, name, first(args("")), elementType(hint), n.line)
	case "filter", "forEach", "first", "allSatisfy", "sorted", "reversed", "joined", "reduce", "enumerated", "union", "prefix", "dropFirst", "dropLast", "sort":
		return in.sequenceMethod(b, name, args(""), n.line)
	}
	return unknown{}
}

// elemOr returns the element type of the list, or else the element type of the
// array type typ.
func (b *list) elemOr(typ string) string {
	if b.elem != "" {
		return b.elem
	}
	return elementType(typ)
}

func last(args []evaluated) value {
	if len(args) == 0 {
		return nil
	}
	return args[len(args)-1].value
}

func (in *interpreter) contains(b *list, args []evaluated, line int) value {
	arg := first(args)
	if f, ok := arg.(*function); ok {
		for _, item := range b.items {
			if yes, _ := truth(in.invoke(f, []evaluated{{value: item}}, "", line)); yes {
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
func (in *interpreter) mapped(b *list, name string, f value, elem string, line int) value {
	fn, ok := f.(*function)
	if !ok {
		if t, isType := f.(typeName); isType && isDescribed(string(t)) {
			return b
		}
		return unknown{}
	}
	hint := elem
	if name == "flatMap" && elem != "" {
		hint = "[" + elem + "]"
	}
	out := &list{elem: elem}
	for _, item := range b.items {
		v := in.invoke(fn, []evaluated{{value: item}}, hint, line)
		l, isList := v.(*list)
		_, none := v.(absent)
		switch {
		case name == "flatMap" && isList && in.step(len(l.items)):
			out.items = append(out.items, l.items...)
			if out.elem == "" {
				out.elem = l.elem
			}
			continue
		case name != "map" && none:
			continue
		}
		if out.elem == "" {
			out.elem = typeOf(v)
		}
		out.items = append(out.items, v)
	}
	return out
}

func isDescribed(typ string) bool { return typ == "String" || typ == "Target.Dependency" }

func (in *interpreter) sequenceMethod(b *list, name string, args []evaluated, line int) value {
	f, _ := first(args).(*function)
	test := func(item value) bool {
		yes, known := truth(in.invoke(f, []evaluated{{value: item}}, "", line))
		if !known {
			in.problem(line, "a condition depends on something that only the compiler knows, and is assumed to be false")
		}
		return yes && known
	}
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
	case name == "allSatisfy" && f != nil:
		return !slices.ContainsFunc(b.items, func(item value) bool { return !test(item) })
	case name == "forEach" && f != nil:
		for _, item := range b.items {
			in.invoke(f, []evaluated{{value: item}}, "", line)
		}
		return absent{}
	case name == "sorted" || name == "sort":
		return b
	case name == "reversed":
		out := &list{b.elem, slices.Clone(b.items)}
		slices.Reverse(out.items)
		return out
	case name == "joined":
		return in.joined(b, args)
	case name == "union":
		if other, ok := first(args).(*list); ok {
			return in.add(b, other)
		}
	case name == "reduce" && len(args) == 2:
		return in.reduced(b, args, line)
	case name == "enumerated":
		out := &list{}
		for i, item := range b.items {
			out.items = append(out.items, &tuple{[]string{"offset", "element"}, []value{int64(i), item}})
		}
		return out
	case name == "dropFirst" && len(args) == 0 && len(b.items) > 0:
		return &list{b.elem, b.items[1:]}
	case name == "dropLast" && len(args) == 0 && len(b.items) > 0:
		return &list{b.elem, b.items[:len(b.items)-1]}
	}
	return unknown{}
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

func (in *interpreter) reduced(b *list, args []evaluated, line int) value {
	f, ok := args[1].value.(*function)
	sum := args[0].value
	if !ok {
		for _, item := range b.items {
			sum = in.add(sum, item)
		}
		return sum
	}
	if args[0].label == "into" {
		return unknown{}
	}
	for _, item := range b.items {
		sum = in.invoke(f, []evaluated{{value: sum}, {value: item}}, "", line)
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
			l := &list{elem: "String"}
			for part := range strings.SplitSeq(b, arg) {
				l.items = append(l.items, part)
			}
			return l
		}
	case "dropFirst", "dropLast":
		n, isInt := first(args).(int64)
		if len(args) == 0 {
			n, isInt = 1, true
		}
		r := []rune(b)
		if isInt && n >= 0 && int(n) <= len(r) {
			if name == "dropFirst" {
				return string(r[n:])
			}
			return string(r[:len(r)-int(n)])
		}
	}
	return unknown{}
}
