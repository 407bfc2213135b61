package crate

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// maxAliases bounds the aliases of one build script.
const maxAliases = 200

// aliasesOfBuild defines the conditions that a build script names with
// cfg_aliases!, which is a table of text. Other scripts are not looked at: they
// would have to be run.
func (k *krate) aliasesOfBuild() {
	text, err := k.read("build.rs")
	if err != nil {
		return
	}
	_, rest, ok := strings.Cut(text, "cfg_aliases! {")
	if !ok {
		return
	}
	rest = "{" + rest
	rest = rest[:source.GroupEnd(rest)]
	for n, line := range source.Split(strings.TrimSuffix(rest[1:], "}")) {
		name, body, ok := source.Cut(line, ':')
		body = strings.TrimSpace(body)
		if !ok || n > maxAliases || !strings.HasPrefix(body, "{") {
			continue
		}
		p := k.platform
		c := parsePredicate(body[1:max(1, source.GroupEnd(body)-1)], 0)
		p.flags[bare(name)] = p.holds(c)
	}
}

// bare is a name without comments before it.
func bare(text string) string {
	s := source.Scanner{Text: text}
	t := s.Next()
	return text[t.Start:t.End]
}
