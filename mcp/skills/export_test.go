package skills

// ParseFrontmatter is used by fuzz tests.
var ParseFrontmatter = parseFrontmatter
