package mcp

import (
	"log/slog"
	"time"
)

// ServerOptions configure a Server. The zero value is suitable for most servers.
type ServerOptions struct {
	// Instructions tell a model how to use the server as a whole.
	Instructions string
	// Capabilities are declared even if the server has no entries of the kind yet.
	Capabilities ServerCapabilities
	// Middleware wraps the handling of every request and notification in both directions. The first
	// element is the outermost.
	Middleware []Middleware
	// Visible reports whether the client that sent r may see an entry. If Visible is nil, clients
	// can see all entries. A hidden entry does not appear in lists, and calls of it fail as if it
	// did not exist. If a hidden resource or template matches a URI, no other template is used for
	// that URI. Visible must be fast, because it runs for each entry of a list, before middleware,
	// on the goroutine that reads from the client.
	Visible func(r *Request, e Entry) bool
	// RefuseNull refuses calls to tools in which an optional argument is null although its schema
	// does not allow that. By default, such an argument counts as absent, because many models write
	// null instead of omitting an argument.
	RefuseNull bool

	// Logger receives messages for the operator of the server. They concern panics, errors whose
	// text is hidden from clients, and refused connections. They do not contain arguments or
	// results, but they contain the values of handlers' panics and their errors, so keep secrets
	// out of those. Nil means slog.Default().
	Logger *slog.Logger
	// IsSecret reports whether members with the given name contain secrets, which Request.Log
	// replaces with "[redacted]". Nil matches names that contain password, secret, token,
	// authorization, api_key and similar words, in any spelling. Bearer tokens and basic
	// credentials are never sent.
	IsSecret func(name string) bool

	// PageSize is the number of entries on one page of a list; default 1000.
	PageSize int
	// ListTTL is how long clients of revision 2026-07-28 may cache a list or the response to
	// server/discover; zero disables caching.
	ListTTL time.Duration
	// SealKey protects data that clients return to the server: the cursors of lists and, in
	// revision 2026-07-28, the state of a request that has asked questions. It must consist of 32
	// random bytes, and all replicas behind one address must have the same key. If the key is
	// shorter, the server logs a warning. Nil means a random key.
	SealKey []byte

	Limits Limits
	Tasks  TaskOptions
}

// ServerCapabilities are capabilities that a server declares even if it has no entries of the kind
// yet. By default, it declares those for which it has entries when a client connects. A session can
// use only capabilities that were declared when it started. For others, the client gets "method not
// found".
type ServerCapabilities struct {
	Tools, Prompts, Resources, Completions, Tasks bool
	// Logging allows Request.Log to send messages to clients. Without it, nothing is sent. Since
	// revision 2026-07-28, logging is deprecated in the protocol.
	Logging bool
}

// Limits limit the work and the memory that clients can cause for a server. A field that is zero or
// negative means the default, unless its comment states otherwise.
type Limits struct {
	// MaxMessageBytes is the maximum size of a received message; default 4 MiB. A larger message is
	// discarded and answered with an error.
	MaxMessageBytes int
	// MaxConcurrent is the maximum number of requests on one connection or session that are served
	// at a time; default 128. Additional requests wait. Open subscriptions do not count, and pings
	// do not wait. On a pipe, the same number of notifications and pings may be in middleware at a
	// time.
	MaxConcurrent int
	// MaxWaiting is the maximum number of requests on one connection or session that wait; default
	// 1024. Additional requests are refused with an error, and the client may send them again after
	//       it
	// has received an answer. On a pipe, the same number of notifications and pings may wait for
	// middleware; additional notifications are dropped. It is also the maximum number of
	// subscriptions that one connection can have.
	MaxWaiting int
	// MaxQueuedBytes is the maximum size of each of a connection's three queues: data waiting to be
	// written, the params of waiting requests, and the params of requests being served; default 8
	// MiB. It also limits the answers to a batch that is not complete; answers that exceed it
	// become errors. For HTTP with SSE it limits the posted messages that wait to be read;
	// additional messages are refused with status 429.
	//
	// A client on a pipe is behind when it has left a quarter of the limit unread, until it has read
	// everything. While a client is behind:
	//
	//   - A request begins only if its answer, and those to the requests being served, fit into half
	//     of the limit. Each is assumed to be as large as recent answers. Otherwise it waits.
	//   - Notifications are lost when half of the limit is unread.
	//   - At the limit, the server stops reading messages that it would have to answer immediately.
	//
	// Answers to requests that began before the client was behind do not count here;
	// MaxUnreadBytes limits them.
	MaxQueuedBytes int
	// MaxUnreadBytes is the maximum total size of all responses that clients have not read, on all
	// connections; default 64 MiB. A quarter of it is for responses of up to 64 KiB, a quarter for
	// responses of up to 1 MiB, and half for larger ones, so that small responses do not wait for
	// large ones. All responses waiting on one pipe count as one. Responses of up to 4 KiB, and the
	// first 64 KiB on a pipe or an event stream, do not count. A response that is larger than its
	// part must be the only one in that part. The collector lets the heap grow to about twice the
	// memory in use, so slow clients can take 128 MiB by default.
	//
	// A request starts when there is room for its response, which is assumed to be as large as
	// recent ones from the same tool, prompt or resource. Otherwise, it waits. Before the first
	// response, four requests start at the same time. After one second, four requests on each
	// connection may run, or one if 16 are running in total; after five seconds, one more per
	// connection may start each second. Their results wait for room before they are encoded.
	//
	// While requests wait for room, the server drops large events that it keeps for clients that
	// may reconnect. After 5 seconds, it closes connections whose clients read so slowly that they
	// would need a minute, beginning with the slowest. If handlers instead of clients have used the
	// room for 5 seconds, one more request starts each second.
	MaxUnreadBytes int
	// MaxNotificationRate is the maximum number of log messages, and of progress reports, that one
	// request sends per second; default 100, negative for no limit. Additional ones are dropped.
	// The last progress report is always sent before the result.
	MaxNotificationRate int
	// MaxSubscriptions is the maximum number of subscriptions of clients of revision 2026-07-28
	// that are open at a time, on all connections together; default 10,000. Additional
	// subscriptions get an error.
	MaxSubscriptions int
	// MaxCompletionRate is the maximum number of completion requests from one client per second;
	// default 100. Additional requests get an error.
	MaxCompletionRate int

	// UnreadTimeout limits how long a client on a pipe may leave MaxQueuedBytes unread, or 64 KiB
	// when MaxUnreadBytes is reached, while it sends messages that are answered immediately, such
	// as requests that are refused; default 30 seconds. The server does not read during this time,
	// and then closes the connection with an error.
	UnreadTimeout time.Duration
	// AskTimeout is the time limit for a client with a session to answer a question; default
	// 10 minutes.
	AskTimeout time.Duration
	// DrainTimeout is how long requests in flight may continue after a connection ends; default 5
	// seconds.
	DrainTimeout time.Duration
}

// TaskOptions configure calls that are tasks; see TaskSupport. Fields that are zero or negative
// have their default.
type TaskOptions struct {
	// Store keeps tasks; nil keeps them in memory.
	Store TaskStore
	// TTL is how long a task is kept after its start, unless its client requests a shorter time;
	// default 1 hour. If the handler is still running after that time, it is cancelled.
	TTL time.Duration
	// PollInterval is how long clients are asked to wait between two requests for the state of a
	// task; default 1 second.
	PollInterval time.Duration
	// MaxRunning is the maximum number of tasks that run at a time; default 1000. Additional calls
	// get an error.
	MaxRunning int
	// MaxPerClient is the maximum number of running tasks per client, which is a principal or, if
	// there is none, a session or a connection; default 100. Over HTTP, clients of revision
	// 2026-07-28 without a principal cannot be distinguished and share MaxRunning.
	MaxPerClient int
	// MaxRequestRate is the maximum number of requests about tasks from one client per second. The
	// default is 1000, which is enough to poll 1000 tasks at the default PollInterval. Additional
	// requests get an error.
	MaxRequestRate int
}

func (o *ServerOptions) setDefaults() {
	if o.IsSecret == nil {
		o.IsSecret = isSecret
	}
	orDefault(&o.PageSize, 1000)
	l := &o.Limits
	orDefault(&l.MaxMessageBytes, 4<<20)
	orDefault(&l.MaxConcurrent, 128)
	orDefault(&l.MaxWaiting, 1024)
	orDefault(&l.MaxQueuedBytes, 8<<20)
	orDefault(&l.MaxUnreadBytes, 64<<20)
	if l.MaxNotificationRate == 0 { // negative means no limit
		l.MaxNotificationRate = 100
	}
	orDefault(&l.MaxSubscriptions, 10_000)
	orDefault(&l.MaxCompletionRate, 100)
	orDefault(&l.UnreadTimeout, 30*time.Second)
	orDefault(&l.AskTimeout, 10*time.Minute)
	orDefault(&l.DrainTimeout, 5*time.Second)
	t := &o.Tasks
	if t.Store == nil {
		t.Store = new(memoryTasks)
	}
	orDefault(&t.TTL, time.Hour)
	orDefault(&t.PollInterval, time.Second)
	orDefault(&t.MaxRunning, 1000)
	orDefault(&t.MaxPerClient, 100)
	orDefault(&t.MaxRequestRate, 1000)
}

func orDefault[T int | time.Duration](n *T, value T) {
	if *n <= 0 {
		*n = value
	}
}
