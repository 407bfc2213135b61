package npm

import (
	"context"
	"fmt"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/npmlock"
)

// fromRegistry answers for what is not installed.
func (f *finder) fromRegistry(_ context.Context, name, want string, _ *npmlock.Dependency, _ string) (*located, error) {
	return nil, &ecosystem.Error{
		Reason: ecosystem.NotFound, What: fmt.Sprintf("%s@%s is not installed", name, want), Tried: f.tried, Near: f.near(name),
		Next: "install it in the project",
	}
}

func (f *finder) remoteDependency(context.Context, *located, string) *located { return nil }

type config struct{}
