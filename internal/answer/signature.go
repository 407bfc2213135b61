package answer

import "strings"

// withoutComments drops lines of a signature that hold only a comment, and
// empty lines that are left over.
func withoutComments(signature string) string {
	if !strings.Contains(signature, "\n") {
		return signature
	}
	var kept []string
	inBlock := false
	for line := range strings.SplitSeq(signature, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case inBlock:
			inBlock = !strings.Contains(trimmed, "*/")
			continue
		case strings.HasPrefix(trimmed, "/*"):
			inBlock = !strings.Contains(trimmed[2:], "*/")
			continue
		case trimmed == "" || strings.HasPrefix(trimmed, "//"):
			continue
		}
		kept = append(kept, line)
	}
	short := strings.Join(kept, "\n")
	if head, ok := strings.CutSuffix(short, "{\n}"); ok {
		return head + "{ … }" // only comments stood in it
	}
	return short
}

// maxBody is how many lines of a declaration a bare list shows.
const maxBody = 12

// collapsed shortens a declaration of many lines to its outside: the first
// line and the last, and between them how many were left out.
func collapsed(signature string) string {
	signature = withoutComments(signature)
	lines := strings.Split(signature, "\n")
	if len(lines) <= maxBody {
		return signature
	}
	const shown = maxBody - 3
	indent := lines[1][:len(lines[1])-len(strings.TrimLeft(lines[1], " \t"))]
	short := append([]string{}, lines[:1+shown]...)
	short = append(short, indent+"… "+plural(len(lines)-shown-2, "more line", "more lines"), lines[len(lines)-1])
	return strings.Join(short, "\n")
}

// onOneLine folds a signature of several lines, such as a long parameter list.
func onOneLine(signature string) string {
	if !strings.Contains(signature, "\n") {
		return signature
	}
	return strings.Join(strings.Fields(withoutComments(signature)), " ")
}

// declares is true if a declaration has the name at the beginning of one of
// its inner lines: a field of a struct, a method of an interface.
func declares(signature, name string) bool {
	rest := signature
	for {
		_, after, ok := strings.Cut(rest, "\n")
		if !ok {
			return false
		}
		rest = after
		line := strings.TrimLeft(rest, " \t*")
		for {
			if tail, ok := strings.CutPrefix(line, name); ok && (tail == "" || !inName(tail[0])) {
				return true
			}
			// Several fields can share a line: "X, Y int".
			first, tail, ok := strings.Cut(line, ",")
			if !ok || strings.ContainsAny(first, " \t\n") {
				break
			}
			line = strings.TrimLeft(tail, " ")
		}
	}
}

func inName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// lastName is the last component of a path.
func lastName(path string) string {
	return path[strings.LastIndexAny(path, ".:#/")+1:]
}
