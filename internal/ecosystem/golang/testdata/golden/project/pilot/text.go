package pilot

import "text/template"

// Text writes with one package named template.
func Text(t *template.Template) {}
