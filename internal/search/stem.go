package search

import "strings"

// stem removes the most common endings of English words. For example, "encode", "encodes",
// "encoded" and "encoding" get the same stem, as do "concurrent" and "concurrency".
func stem(w string) string {
	w = inflected(w)
	if w == "" {
		return w
	}
	for _, noun := range [...]struct{ ending, verb string }{{"ification", "ify"}, {"bility", "bl"}} {
		if rest, ok := strings.CutSuffix(w, noun.ending); ok && len(rest) >= 3 {
			return rest + noun.verb // for example, "verification" or "visibility"
		}
	}
	last := w[len(w)-1]
	for i := range derived {
		e := &derived[i]
		if e.ending[len(e.ending)-1] != last {
			continue
		}
		if rest, ok := strings.CutSuffix(w, e.ending); ok && len(rest) >= e.minimum {
			return rest
		}
	}
	return w
}

// inflected removes the ending of a plural or of an inflected verb.
func inflected(w string) string {
	if len(w) < 5 {
		if len(w) == 4 && w[3] == 's' && w[2] != 's' {
			return w[:3] // for example, "adds" or "keys"
		}
		return w
	}
	switch w[len(w)-1] {
	case 's', 'g', 'r', 'd', 'e':
	default:
		return w
	}
	for _, ending := range [...]string{"ies", "ied", "iers", "ier"} {
		if rest, ok := strings.CutSuffix(w, ending); ok && len(rest) >= 3 {
			return rest + "y" // for example, "bodies", "retried" or "notifier"
		}
	}
	last := w[len(w)-1]
	for _, ending := range [...]string{"ings", "ing", "ers", "er", "ed", "es", "s", "e"} {
		if ending[len(ending)-1] != last {
			continue
		}
		rest, ok := strings.CutSuffix(w, ending)
		if !ok || len(rest) < 4 {
			continue
		}
		if ending == "s" && rest[len(rest)-1] == 's' {
			return w // "access" is not a plural
		}
		if n := len(rest); ending != "s" && ending != "e" && rest[n-1] == rest[n-2] && rest[n-1] != 'l' && rest[n-1] != 's' {
			rest = rest[:n-1] // "planned" and "stopped" have a double letter
		}
		return rest
	}
	return w
}

// derived contains endings that form a noun or an adjective, each with the minimum number of bytes
// before it. A longer ending is listed before all shorter endings with which it ends.
var derived = [...]struct {
	ending  string
	minimum int
}{
	{"ization", 4}, {"ation", 4}, {"ition", 5}, {"iz", 5}, {"ator", 4}, {"at", 4},
	{"ency", 5}, {"ent", 6}, {"enc", 5}, {"ancy", 5}, {"ant", 5}, {"anc", 5},
	{"ion", 4}, {"or", 5}, {"ness", 4}, {"ity", 5}, {"ly", 4}, {"iv", 5}, {"al", 5},
}
