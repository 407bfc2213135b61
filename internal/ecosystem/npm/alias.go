package npm

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
)

// Bundlers, test runners and import maps give the names of packages other meanings.

// bundlerAlias matches an option by which a bundler or a test runner gives specifiers another meaning.
var bundlerAlias = lazyregexp.New(`(?i)alias|moduleNameMapper|importmap`)

// bundlerConfig matches the path of a file that may configure a bundler or a test runner.
var bundlerConfig = lazyregexp.New(`config|webpack|vite|rollup|^package\.json$|^\.babelrc|^\.storybook/|^build/.*\.[cm]?[jt]s$`)

// importMap matches the name of a file that contains an import map, such as the configuration of Deno.
var importMap = lazyregexp.New(`^deno\.jsonc?$|^import[-_]?map.*\.json$`)

// configDirs are the directories, relative to that of a package, that may contain configurations.
var configDirs = [...]string{"", "config", "build", "webpack", ".storybook"}

// aliasText returns the text of a configuration that may give the names of packages another meaning, or "". name is its path
// relative to the directory of a package.
func aliasText(dir, name string) string {
	isMap := importMap().MatchString(name)
	if !isMap && !bundlerConfig().MatchString(name) {
		return ""
	}
	text := readConfig(dir, name)
	if !isMap && !bundlerAlias().MatchString(text) {
		return ""
	}
	return text
}

// aliasKey returns an expression that matches the name of a package, or that of its scope, as a key of an alias.
func aliasKey(pkg string) *regexp.Regexp {
	names := regexp.QuoteMeta(pkg)
	if scope, _, ok := strings.Cut(pkg, "/"); ok && pkg[0] == '@' {
		names = "(?:" + names + "|" + regexp.QuoteMeta(scope) + ")"
	}
	return regexp.MustCompile(`(?m)(?:^|[\s'"` + "`" + `{,(^/.])` + names + `(?:\$?['"` + "`" + `]?\s*[:,=\]]|\\?/|\()`)
}

// isAliased reports whether a configuration in a directory of the project around a file may give the modules of a package
// another meaning.
func isAliased(f *ecosystem.SourceFile, pkg string) bool {
	key := aliasKey(pkg)
	for dir := range f.Dirs() {
		for _, sub := range configDirs {
			for _, name := range project.DirNames(filepath.Join(dir, sub)) {
				if key.MatchString(aliasText(dir, path.Join(sub, name))) {
					return true
				}
			}
		}
	}
	return false
}

// maxAliasTexts is the maximum number of configurations of bundlers that are read in one project.
const maxAliasTexts = 500

// aliasTexts returns the texts of the configurations in a project that may give the names of packages another meaning. paths are
// those of the files in the project.
func aliasTexts(dir string, paths []string) (texts []string) {
	for _, name := range paths {
		parent, base := path.Split(name)
		parent = path.Clean(parent)
		if sub := path.Base(parent); slices.Contains(configDirs[1:], sub) {
			parent, base = path.Dir(parent), path.Join(sub, base)
		}
		if text := aliasText(filepath.Join(dir, filepath.FromSlash(parent)), base); text != "" {
			if texts = append(texts, text); len(texts) == maxAliasTexts {
				break
			}
		}
	}
	return texts
}

// moduleRoots are the names of directories in which bundlers often look for modules.
var moduleRoots = []string{".", "src", "app", "lib", "source", "client", "web"}

// rootNames returns the names of the directories in which modules may be found by a bundler that looks for them in directories of the
// project. paths are those of the files in the project.
func rootNames(paths []string) map[string]bool {
	names := map[string]bool{}
	for _, name := range paths {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if slices.Contains(moduleRoots, path.Base(path.Dir(dir))) {
				names[path.Base(dir)] = true
			}
		}
	}
	return names
}

// isDocusaurus reports whether a file of a project is the configuration of Docusaurus.
func isDocusaurus(name string) bool { return strings.HasPrefix(path.Base(name), "docusaurus.config.") }

// docusaurusAliases are the beginnings of specifiers that Docusaurus resolves itself.
var docusaurusAliases = []string{"@site/", "@generated/", "@theme/", "@theme-original/", "@theme-init/", "@docusaurus/"}
