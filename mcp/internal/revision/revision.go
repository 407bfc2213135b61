// Package revision is the one place that knows how the published revisions
// of the Model Context Protocol differ. The rest of the library writes the
// newest form and asks here what the peer's revision has of it.
package revision

import (
	"slices"
	"strings"
)

// A Revision is one published revision of the protocol. Later revisions
// compare greater.
type Revision uint8

// The published revisions. None stands for a peer that has not said yet.
const (
	None Revision = iota
	V20241105
	V20250326
	V20250618
	V20251125
	V20260728
)

// Latest is the newest revision; LatestLegacy the newest that opens a
// session with initialize.
const (
	Latest       = V20260728
	LatestLegacy = V20251125
)

// Count is the number of values that a Revision has, for tables.
const Count = int(Latest) + 1

var names = [Count]string{
	V20241105: "2024-11-05",
	V20250326: "2025-03-26",
	V20250618: "2025-06-18",
	V20251125: "2025-11-25",
	V20260728: "2026-07-28",
}

// All lists the published revisions, newest first.
func All() []Revision {
	return []Revision{V20260728, V20251125, V20250618, V20250326, V20241105}
}

// Parse finds the revision of that name, or None.
func Parse(name string) Revision {
	for r := Latest; r > None; r-- {
		if names[r] == name {
			return r
		}
	}
	return None
}

// String is the revision's name on the wire.
func (r Revision) String() string { return names[r] }

// Modern reports whether every request stands alone: no session, revision
// and capabilities in _meta.
func (r Revision) Modern() bool { return r >= V20260728 }

// Legacy reports whether a session is opened by initialize.
func (r Revision) Legacy() bool { return r != None && r < V20260728 }

// HasBatch reports whether a message may be an array of messages.
func (r Revision) HasBatch() bool { return r == V20250326 }

// HasTitle reports whether tools, prompts, resources and implementations
// have a title, and the first three a _meta.
func (r Revision) HasTitle() bool { return r >= V20250618 }

// HasIcons reports whether icons exist, and an implementation's description
// and website.
func (r Revision) HasIcons() bool { return r >= V20251125 }

// HasToolAnnotations reports whether tools have annotations.
func (r Revision) HasToolAnnotations() bool { return r >= V20250326 }

// HasAudio reports whether content can be audio.
func (r Revision) HasAudio() bool { return r >= V20250326 }

// HasResourceLink reports whether content can be a link to a resource.
func (r Revision) HasResourceLink() bool { return r >= V20250618 }

// HasLastModified reports whether annotations have lastModified.
func (r Revision) HasLastModified() bool { return r >= V20250618 }

// HasContentMeta reports whether content blocks have _meta.
func (r Revision) HasContentMeta() bool { return r >= V20250618 }

// HasStructured reports whether tools have an output schema and results
// structured content, provided that both are objects.
func (r Revision) HasStructured() bool { return r >= V20250618 }

// HasAnyStructured reports whether structured content can be any value.
func (r Revision) HasAnyStructured() bool { return r >= V20260728 }

// HasProgressMessage reports whether progress carries a message.
func (r Revision) HasProgressMessage() bool { return r >= V20250326 }

// HasCompletions reports whether completions is a capability.
func (r Revision) HasCompletions() bool { return r >= V20250326 }

// HasCompletionContext reports whether a request for completion can bring
// arguments that have been chosen already.
func (r Revision) HasCompletionContext() bool { return r >= V20250618 }

// HasElicitation reports whether a server can ask the user.
func (r Revision) HasElicitation() bool { return r >= V20250618 }

// HasFormChoices reports whether a form can have choices with titles and
// choices of several.
func (r Revision) HasFormChoices() bool { return r >= V20251125 }

// HasURLElicitation reports whether a server can send the user to a page, and
// elicitations have a mode.
func (r Revision) HasURLElicitation() bool { return r >= V20251125 }

// HasElicitationID reports whether such a visit has an id, the notification
// that it is complete, and the error that asks for one.
func (r Revision) HasElicitationID() bool { return r == V20251125 }

// HasSamplingArrays reports whether a sampling message can have several
// blocks of content, and use tools.
func (r Revision) HasSamplingArrays() bool { return r >= V20251125 }

// HasPolling reports whether event streams begin with an event that has only
// an id, and the server may close a stream's connection before its end.
func (r Revision) HasPolling() bool { return r == V20251125 }

// HasCoreTasks reports whether tasks are part of the protocol, before they
// became an extension.
func (r Revision) HasCoreTasks() bool { return r == V20251125 }

// HasResultType reports whether results carry resultType, and lists caching
// hints.
func (r Revision) HasResultType() bool { return r >= V20260728 }

// HasErrorWithoutID reports whether an error answers a message whose id
// could not be read by leaving id out; before, it is null as in JSON-RPC.
func (r Revision) HasErrorWithoutID() bool { return r == None || r >= V20251125 }

// BadArgumentsAreResults reports whether arguments that fail a tool's schema
// are told in a result with isError, for the model to correct, instead of a
// protocol error.
func (r Revision) BadArgumentsAreResults() bool { return r >= V20251125 }

// Error codes that differ between revisions.
const (
	codeInvalidParams    = -32602
	codeInternalError    = -32603
	codeResourceNotFound = -32002

	// reserved is where the codes begin that JSON-RPC reserves for
	// implementations; they go down from there.
	reserved = -32 * 1000

	// CodeURLElicitationRequired asks for a visit to a page first.
	CodeURLElicitationRequired = -32042
)

// ResourceNotFound is the code for a resource that does not exist.
func (r Revision) ResourceNotFound() int {
	if r.Modern() {
		return codeInvalidParams
	}
	return codeResourceNotFound
}

// ErrorCode is what a response of the revision says in place of a code that
// it does not have: -32042 is of 2025-11-25 alone, and 2026-07-28 has retired
// or reserved those from -32000 to -32099 that it does not define.
func (r Revision) ErrorCode(code int) int {
	below := reserved - code
	switch {
	case code == codeResourceNotFound:
		return r.ResourceNotFound()
	case code == CodeURLElicitationRequired && !r.HasElicitationID(),
		r.Modern() && below >= 0 && below < 20,
		r.Modern() && below > 22 && below < 100:
		return codeInternalError
	}
	return code
}

// HasMethod reports whether the revision has the method, as request or
// notification, among the methods that this library knows. A method of an
// extension is not asked for here.
func (r Revision) HasMethod(method string) bool {
	switch method {
	case "initialize", "ping", "notifications/initialized",
		"logging/setLevel", "resources/subscribe", "resources/unsubscribe",
		"notifications/roots/list_changed":
		return !r.Modern()
	case "server/discover", "subscriptions/listen", "tasks/update":
		return r.Modern()
	case "tasks/get", "tasks/cancel":
		return r.HasCoreTasks() || r.Modern()
	case "tasks/result", "tasks/list":
		return r.HasCoreTasks()
	}
	return true
}

// Defines reports whether any revision has the method.
func Defines(method string) bool {
	switch method {
	case "initialize", "ping", "server/discover", "subscriptions/listen", "completion/complete",
		"tools/list", "tools/call", "prompts/list", "prompts/get",
		"resources/list", "resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe",
		"tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update", "logging/setLevel":
		return true
	}
	return strings.HasPrefix(method, "notifications/") && slices.Contains([]string{
		"initialized", "cancelled", "progress", "roots/list_changed", "tasks/status"}, strings.TrimPrefix(method, "notifications/"))
}
