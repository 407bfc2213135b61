// Package revision describes how the published revisions of the Model Context Protocol differ. The
// rest of the library uses its predicates to determine which parts of a message exist in the
// peer's revision.
package revision

import (
	"slices"
	"strings"
)

// A Revision is a published revision of the protocol. A later revision is greater than an earlier
// one.
type Revision uint8

// The published revisions. None means that the revision is not yet known.
const (
	None Revision = iota
	V20241105
	V20250326
	V20250618
	V20251125
	V20260728
)

// These constants are revisions with special properties.
const (
	// Latest is the newest revision.
	Latest = V20260728
	// LatestWithSessions is the newest revision with sessions.
	LatestWithSessions = V20251125
	// WithBatches is the only revision with batches.
	WithBatches = V20250326
	// WithElicitationIDs is the only revision with elicitation IDs.
	WithElicitationIDs = V20251125
	// WithoutHeader is the revision of an HTTP request in a session that has no header
	// MCP-Protocol-Version.
	WithoutHeader = V20250326
	// OwnAuthorization is the only revision in which a server can itself be the
	// authorization server of its clients.
	OwnAuthorization = V20250326
)

// Count is the number of values of type Revision, including None.
const Count = int(Latest) + 1

var names = [Count]string{
	V20241105: "2024-11-05",
	V20250326: "2025-03-26",
	V20250618: "2025-06-18",
	V20251125: "2025-11-25",
	V20260728: "2026-07-28",
}

// All returns the published revisions, newest first.
func All() []Revision {
	return []Revision{V20260728, V20251125, V20250618, V20250326, V20241105}
}

// Parse returns the revision with the given name, or None.
func Parse(name string) Revision {
	for r := Latest; r > None; r-- {
		if names[r] == name {
			return r
		}
	}
	return None
}

// String returns the name of the revision in the protocol.
func (r Revision) String() string { return names[r] }

// HasSessions reports whether initialize opens a session.
func (r Revision) HasSessions() bool { return r != None && !r.Stateless() }

// Stateless reports whether every request is independent. There are no sessions, and the _meta of
// each request contains the revision and the capabilities.
func (r Revision) Stateless() bool { return r >= V20260728 }

// HasVersionHeader reports whether each HTTP request contains the revision in a header after it has
// been negotiated.
func (r Revision) HasVersionHeader() bool { return r >= V20250618 }

// HasErrorStatus reports whether some errors have a specific HTTP status.
func (r Revision) HasErrorStatus() bool { return r >= V20260728 }

// HasMissingCapability reports whether there is an error code that means that
// the client lacks a capability.
func (r Revision) HasMissingCapability() bool { return r >= V20260728 }

// AsksByResult reports whether a server asks the client questions in a result that ends the
// request, instead of in a separate request.
func (r Revision) AsksByResult() bool { return r >= V20260728 }

// HasBatch reports whether a message may be an array of messages.
func (r Revision) HasBatch() bool { return r == WithBatches }

// HasTitle reports whether tools, prompts, resources and implementations have a title. In these
// revisions, tools, prompts and resources also have _meta, and capabilities have extensions.
func (r Revision) HasTitle() bool { return r >= V20250618 }

// HasIcons reports whether there are icons, and whether an implementation has a description and a
// website.
func (r Revision) HasIcons() bool { return r >= V20251125 }

// HasToolAnnotations reports whether tools have annotations.
func (r Revision) HasToolAnnotations() bool { return r >= V20250326 }

// HasAudio reports whether content can be audio.
func (r Revision) HasAudio() bool { return r >= V20250326 }

// HasResourceLink reports whether content can be a resource link.
func (r Revision) HasResourceLink() bool { return r >= V20250618 }

// HasLastModified reports whether annotations have lastModified.
func (r Revision) HasLastModified() bool { return r >= V20250618 }

// HasContentMeta reports whether content blocks have _meta.
func (r Revision) HasContentMeta() bool { return r >= V20250618 }

// HasStructured reports whether tools have an output schema and results have structured content.
// Unless HasAnyStructured is true, both must be objects.
func (r Revision) HasStructured() bool { return r >= V20250618 }

// HasAnyStructured reports whether structured content can be any value.
func (r Revision) HasAnyStructured() bool { return r >= V20260728 }

// HasProgressMessage reports whether progress notifications can contain a message.
func (r Revision) HasProgressMessage() bool { return r >= V20250326 }

// HasCompletions reports whether there is a capability named completions.
func (r Revision) HasCompletions() bool { return r >= V20250326 }

// HasCompletionContext reports whether a completion request can contain arguments that the user has
// already chosen.
func (r Revision) HasCompletionContext() bool { return r >= V20250618 }

// HasElicitation reports whether a server can request input from the user.
func (r Revision) HasElicitation() bool { return r >= V20250618 }

// HasFormChoices reports whether a form can have multiple choice and choices with titles.
func (r Revision) HasFormChoices() bool { return r >= V20251125 }

// HasURLElicitation reports whether a server can ask the user to visit a URL. Elicitations then
// have a mode.
func (r Revision) HasURLElicitation() bool { return r >= V20251125 }

// RequiresVisits reports whether an error code means that the user must first
// visit URLs.
func RequiresVisits(code int) bool { return code == CodeURLElicitationRequired }

// HasElicitationID reports whether a URL elicitation has an ID. The same revision has a
// notification of the elicitation's completion, and an error that requires URL elicitations.
func (r Revision) HasElicitationID() bool { return r == WithElicitationIDs }

// HasSamplingArrays reports whether a sampling message can contain several blocks of content and
// use tools.
func (r Revision) HasSamplingArrays() bool { return r >= V20251125 }

// HasPolling reports whether an event stream begins with an event that contains only an ID, and the
// server may close the connection before the stream ends.
func (r Revision) HasPolling() bool { return r == V20251125 }

// HasCoreTasks reports whether tasks are part of the protocol.
func (r Revision) HasCoreTasks() bool { return r == V20251125 }

// TasksAreExtension reports whether tasks are an extension that clients declare.
func (r Revision) TasksAreExtension() bool { return r >= V20260728 }

// HasResultType reports whether results have a resultType, and lists have
// caching hints.
func (r Revision) HasResultType() bool { return r >= V20260728 }

// HasErrorWithoutID reports whether an error response has no id if the id of the request is
// unreadable. In earlier revisions, the id is null.
func (r Revision) HasErrorWithoutID() bool { return r == None || r >= V20251125 }

// BadArgumentsAreResults reports whether a call whose arguments violate the tool's schema gets a
// result with isError, which the model can use to correct them, instead of a protocol error.
func (r Revision) BadArgumentsAreResults() bool { return r >= V20251125 }

// These error codes are not the same in all revisions.
const (
	codeInvalidParams    = -32602
	codeInternalError    = -32603
	codeResourceNotFound = -32002

	// reserved is the highest code that JSON-RPC reserves for implementations. The other reserved
	// codes are lower.
	reserved = -32 * 1000

	// CodeURLElicitationRequired means that the user must first visit a URL.
	CodeURLElicitationRequired = -32042
)

// ResourceNotFound returns the error code for a resource that does not exist.
func (r Revision) ResourceNotFound() int {
	if r >= V20260728 {
		return codeInvalidParams
	}
	return codeResourceNotFound
}

// ErrorCode returns code, or the code that replaces it in the revision. Only 2025-11-25 has -32042.
// From -32000 to -32099, 2026-07-28 allows only codes that it defines.
func (r Revision) ErrorCode(code int) int {
	below := reserved - code
	switch {
	case code == codeResourceNotFound:
		return r.ResourceNotFound()
	case code == CodeURLElicitationRequired && !r.HasElicitationID(),
		r >= V20260728 && below >= 0 && below < 20,
		r >= V20260728 && below > 22 && below < 100:
		return codeInternalError
	}
	return code
}

// HasMethod reports whether the revision has requests or notifications with the given method.
// It returns true for methods that no revision defines, such as methods of extensions.
func (r Revision) HasMethod(method string) bool {
	switch method {
	case "initialize", "ping", "notifications/initialized",
		"logging/setLevel", "resources/subscribe", "resources/unsubscribe",
		"notifications/roots/list_changed":
		return !r.Stateless()
	case "server/discover", "subscriptions/listen", "tasks/update":
		return r.Stateless()
	case "tasks/get", "tasks/cancel":
		return r.HasCoreTasks() || r.TasksAreExtension()
	case "tasks/result", "tasks/list":
		return r.HasCoreTasks()
	}
	return true
}

// Defines reports whether any revision defines the method.
func Defines(method string) bool {
	switch method {
	case "initialize", "ping", "server/discover", "subscriptions/listen", "completion/complete",
		"tools/list", "tools/call", "prompts/list", "prompts/get",
		"resources/list", "resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe",
		"tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update", "logging/setLevel":
		return true
	}
	return strings.HasPrefix(method, "notifications/") && slices.Contains([]string{
		"initialized", "cancelled", "progress", "message", "roots/list_changed", "tools/list_changed", "prompts/list_changed",
		"resources/list_changed", "resources/updated", "subscriptions/acknowledged", "elicitation/complete", "tasks/status", "tasks"}, strings.TrimPrefix(method, "notifications/"))
}

// AsksFor reports whether the result of a method may request input from the client, in revisions in
// which AsksByResult is true.
func AsksFor(method string) bool {
	return method == "tools/call" || method == "prompts/get" || method == "resources/read"
}

// IsResourceNotFound reports whether servers of any revision use the error code only for a resource
// that does not exist.
func IsResourceNotFound(code int) bool { return code == codeResourceNotFound }
