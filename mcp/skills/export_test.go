package skills

// ParseFrontmatter is for fuzzing.
var ParseFrontmatter = parseFrontmatter
