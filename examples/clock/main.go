// Command clock is an MCP server that returns the time in any time zone. It has the tools of the
// reference server "time", on standard input and output.
package main

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"
	_ "time/tzdata" // This import is for machines without a time zone database.

	"github.com/docent-mcp/docent/mcp"
)

// moment is a time in a time zone.
type moment struct {
	Timezone string `json:"timezone"`
	Datetime string `json:"datetime" jsonschema:"format=date-time"`
	Weekday  string `json:"day_of_week"`
	IsDST    bool   `json:"is_dst" jsonschema:"whether daylight saving time applies"`
}

func momentOf(t time.Time) moment {
	return moment{t.Location().String(), t.Format(time.RFC3339), t.Weekday().String(), t.IsDST()}
}

type now struct {
	Timezone string `json:"timezone" jsonschema:"IANA name of a time zone, such as Europe/London"`
}

type conversion struct {
	Source string `json:"source_timezone" jsonschema:"IANA name of the time zone of the time"`
	Time   string `json:"time" jsonschema:"time of today in 24-hour format, such as 14:30,pattern=^[0-9]{2}:[0-9]{2}$"`
	Target string `json:"target_timezone" jsonschema:"IANA name of the target time zone"`
}

type converted struct {
	Source     moment `json:"source"`
	Target     moment `json:"target"`
	Difference string `json:"time_difference" jsonschema:"how far the target time zone is ahead of the source"`
}

// zone returns a time zone. It rejects "Local", which is the server's own time zone.
func zone(name string) (*time.Location, error) {
	location, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" || strings.Contains(name, "..") {
		return nil, fmt.Errorf("%.100q is not a time zone; use an IANA name such as Europe/London or America/New_York", name)
	}
	return location, nil
}

// newServer returns the server. clock returns the current time.
func newServer(clock func() time.Time) *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "clock", Version: "1.0.0"}, nil)
	readOnly := &mcp.ToolAnnotations{ReadOnly: true}
	mcp.Must(mcp.AddFunc(s, mcp.Tool{Name: "get_current_time", Description: "Returns the current time in a time zone.", Annotations: readOnly},
		func(_ context.Context, in now) (moment, error) {
			location, err := zone(in.Timezone)
			if err != nil {
				return moment{}, err
			}
			return momentOf(clock().In(location)), nil
		}))
	mcp.Must(mcp.AddFunc(s, mcp.Tool{Name: "convert_time", Description: "Converts a time of today between time zones.", Annotations: readOnly},
		func(_ context.Context, in conversion) (converted, error) {
			source, err := zone(in.Source)
			if err != nil {
				return converted{}, err
			}
			target, err := zone(in.Target)
			if err != nil {
				return converted{}, err
			}
			at, err := time.Parse("15:04", in.Time)
			if err != nil {
				return converted{}, fmt.Errorf("%q is not a time; write hours and minutes, such as 14:30", in.Time)
			}
			year, month, day := clock().In(source).Date()
			from := time.Date(year, month, day, at.Hour(), at.Minute(), 0, 0, source)
			to := from.In(target)
			_, here := from.Zone()
			_, there := to.Zone()
			return converted{momentOf(from), momentOf(to), fmt.Sprintf("%+gh", float64(there-here)/3600)}, nil
		}))
	return s
}

func main() {
	if err := newServer(time.Now).ServeStdio(context.Background()); err != nil {
		log.Fatal(err)
	}
}
