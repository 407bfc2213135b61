package golang

import (
	"errors"
	"reflect"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestRootlessModule_TheErrorListsItsPackages(t *testing.T) {
	w := newWorld(t, map[string]string{
		"app/go.mod": "module corp.example/app\ngo 1.26.0\nrequire example.com/rootless v1.0.0\n",
		"modcache/example.com/rootless@v1.0.0/kiln/k.go":         "// Package kiln fires.\npackage kiln\n",
		"modcache/example.com/rootless@v1.0.0/cmd/fire/f.go":     "package main\n",
		"modcache/example.com/rootless@v1.0.0/internal/glaze.go": "package internal\n",
	})
	w.opts.Offline = true
	_, err := w.locate("app", "example.com/rootless")
	failed, ok := errors.AsType[*ecosystem.Error](err)
	want := []apidoc.Subpackage{{Name: "example.com/rootless/cmd/fire", Command: true}, {Name: "example.com/rootless/kiln", Synopsis: "Package kiln fires."}}
	if !ok || !reflect.DeepEqual(failed.Packages, want) {
		t.Errorf("the error is %#v", err)
	}
	_, err = w.locate("app", "example.com/rootless/gone")
	if failed, ok = errors.AsType[*ecosystem.Error](err); !ok || failed.Packages != nil {
		t.Errorf("the error for a package that the module lacks is %#v", err)
	}
}
