package golang

import (
	"errors"
	"io/fs"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func invalid(format string, args ...any) *ecosystem.Error {
	return ecosystem.Fail(ecosystem.Invalid, format, args...)
}

// unwrapPath returns the cause of an error of package os, without the operation
// and the path.
func unwrapPath(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
