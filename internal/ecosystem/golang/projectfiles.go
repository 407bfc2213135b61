package golang

// ProjectFiles names the files of a project, or of a directory above it, that
// choose which versions it uses. A change of one of them can change the answer
// to a question asked within the project.
func (*Golang) ProjectFiles() []string {
	return []string{"go.mod", "go.sum", "go.work", "go.work.sum", "vendor/modules.txt"}
}
