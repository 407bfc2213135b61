package pilot

import "html/template"

// HTML writes with another package of that name.
func HTML(t *template.Template) (*template.Template, error) { return nil, nil }
