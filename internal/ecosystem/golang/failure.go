package golang

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/quote"
)

// failure builds an ecosystem.Error in one expression.
type failure ecosystem.Error

func fail(r ecosystem.Reason, format string, args ...any) *failure {
	return &failure{Reason: r, What: fmt.Sprintf(format, args...)}
}

func invalid(format string, args ...any) *failure {
	return fail(ecosystem.Invalid, format, args...)
}

func (f *failure) tried(places ...string) *failure {
	f.Tried = append(f.Tried, places...)
	return f
}

func (f *failure) next(format string, args ...any) *failure {
	f.Next = fmt.Sprintf(format, args...)
	return f
}

func (f *failure) near(names ...string) *failure {
	f.Near = append(f.Near, names...)
	return f
}

func (f *failure) because(err error) *failure {
	f.Err = err
	return f
}

func (f *failure) Error() string { return (*ecosystem.Error)(f).Error() }

func (f *failure) Unwrap() error { return f.Err }

// asError is what leaves this package: every error is a *ecosystem.Error.
func asError(err error) error {
	if _, ok := errors.AsType[*ecosystem.Error](err); ok {
		return err
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return (*ecosystem.Error)(f)
	}
	return &ecosystem.Error{Reason: ecosystem.Unreadable, What: quote.Error(err).Error(), Err: err}
}

// unwrapPath takes the operation and path off an error of package os.
func unwrapPath(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
