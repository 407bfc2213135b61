package main

import (
	"regexp"
	"slices"
	"strings"
)

// Signatures in JavaScript. Its comments contain types in several forms, but the compiler prints
// only one: [] or Array, unions in its own order, and the type of a function before or after its
// name. Therefore, the numbers of names, types and marks are compared, and the parameters in order.

var (
	scriptPrefix = regexp.MustCompile(`^((public|protected|static|async|readonly|abstract|function|const|let|var|get) )*\*? ?`)
	functionType = regexp.MustCompile(`^([\w$"'.-]+)\??: ((?:<[^()]*>)?\(.*\)) => (.*)$`)
	quotedName   = regexp.MustCompile(`^((?:readonly )?)"([^"]*)"`)
	listOf       = regexp.MustCompile(`\bArray\.?<([^<>]*)>`)
	objectOf     = regexp.MustCompile(`\bObject\.?<`)
	typeParams   = regexp.MustCompile(`^([\w$"'.-]+)<[^()]*>\(`)
	nullable     = regexp.MustCompile(`\?([\w$.]+)`)
	defaults     = regexp.MustCompile(` = [^,)]*`)
	typeOf       = regexp.MustCompile(`: typeof [\w$.]+`)
	moduleName   = regexp.MustCompile(`module:[\w$.~#/-]+`)
	qualifier    = regexp.MustCompile(`\b[A-Za-z_$][\w$]*\.([A-Za-z_$])`)
	bareList     = regexp.MustCompile(`\b[Aa]rray\b`)
	words        = regexp.MustCompile("[\\w$]+|\"[^\"]*\"|'[^']*'|\\[\\]|=>|\\.\\.\\.|\\?")
)

// sameScript compares signatures of JavaScript declarations. Each expected signature may have two
// forms.
func sameScript(want []string, got string) bool {
	for line := range strings.SplitSeq(got, "\n") {
		line = quotedName.ReplaceAllString(line, "$1$2") // not all of the compiler's names have quotes
		for _, w := range want {
			for form := range strings.SplitSeq(w, "\x01") {
				form = quotedName.ReplaceAllString(form, "$1$2")
				if slices.Equal(scriptWords(form), scriptWords(line)) {
					return true
				}
			}
		}
	}
	return false
}

func scriptWords(sig string) []string {
	sig = scriptPrefix.ReplaceAllString(space.ReplaceAllString(sig, " "), "")
	sig = strings.ReplaceAll(localModule.ReplaceAllString(sig, ""), "[ ]", "[]")
	if m := functionType.FindStringSubmatch(sig); m != nil {
		sig = m[1] + m[2] + ": " + m[3]
	}
	if before, rest, ok := strings.Cut(sig, "("); ok && !strings.ContainsAny(before, ":< ") {
		sig = "(" + rest // the default export has another name
	}
	sig = typeParams.ReplaceAllString(sig, "$1(")
	sig = strings.TrimSuffix(sig, ": any")
	for range 5 {
		sig = listOf.ReplaceAllString(sig, "$1[]")
	}
	sig = typeOf.ReplaceAllString(sig, "")
	sig = moduleName.ReplaceAllString(sig, "any")
	sig = qualifier.ReplaceAllString(sig, "$1") // the compiler omits some names of modules
	sig = objectOf.ReplaceAllString(sig, "Record<")
	sig = nullable.ReplaceAllString(sig, "$1 | null")
	sig = strings.ReplaceAll(sig, " | undefined", "")
	sig = defaults.ReplaceAllString(sig, "")
	sig = strings.NewReplacer("=)", ")", "=,", ",", "*", "any", "Object", "any", "object", "any", "String", "string", "Number", "number", "Boolean", "boolean", "!", "", "'", `"`).Replace(sig)
	sig = bareList.ReplaceAllString(sig, "any[]")
	sig = strings.ReplaceAll(strings.ReplaceAll(sig, "Promise<any>", "Promise"), ": function", ": Function")
	sig = strings.TrimSuffix(sig, ": any")
	out := words.FindAllString(sig, -1)
	slices.Sort(out)
	return out
}
