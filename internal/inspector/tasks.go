package inspector

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/mcp"
)

// taskMethods reports whether the server lists its tasks, and whether there is a separate method
// for their results. If tasks are an extension, the state of a task contains its result.
func (c *connection) taskMethods() (list, result bool) {
	client, err := c.usable()
	if err != nil {
		return false, false
	}
	var declared struct {
		Tasks map[string]json.RawMessage `json:"tasks"`
	}
	_ = json.Unmarshal(client.Server().Declared, &declared) // malformed declarations are ignored
	return declared.Tasks["list"] != nil, declared.Tasks != nil
}

// taskRow is a task on the page of the tasks.
type taskRow struct {
	ID, Status, Message, Created string
	// Tool and Request are the tool and the number of the request that started the task, if these
	// pages sent it.
	Tool    string
	Request int
	// Ended is true if the task can no longer be cancelled.
	Ended bool
}

// taskRows returns the tasks that these pages started with the current connection, latest first,
// and then the others that the server lists.
func (i *Inspector) taskRows() []taskRow {
	i.requests.mu.Lock()
	all := slices.Clone(i.requests.all)
	i.requests.mu.Unlock()
	c := i.connection()
	listed := c.list(tasks).items
	var rows []taskRow
	for _, r := range slices.Backward(all) {
		r.mu.Lock()
		state := r.task
		r.mu.Unlock()
		if state.ID != "" && r.connection == c {
			rows = append(rows, taskRow{ID: state.ID, Status: string(state.Status), Message: state.StatusMessage, Tool: r.Name, Request: r.ID})
		}
	}
	for n := range listed {
		t := &listed[n]
		k := slices.IndexFunc(rows, func(row taskRow) bool { return row.ID == t.TaskID })
		if k < 0 {
			rows = append(rows, taskRow{ID: t.TaskID})
			k = len(rows) - 1
		}
		rows[k].Status, rows[k].Message, rows[k].Created = t.Status, t.Message, t.Created
	}
	for n := range rows {
		ended := []mcp.TaskStatus{mcp.TaskStatusCompleted, mcp.TaskStatusFailed, mcp.TaskStatusCancelled}
		rows[n].Ended = slices.Contains(ended, mcp.TaskStatus(rows[n].Status))
	}
	return rows
}

// maxTasksShown is the maximum number of tasks on a page.
const maxTasksShown = 300

// tasksPage is the body of the page of the tasks.
type tasksPage struct {
	Tasks []taskRow
	// Left is the number of tasks that are not shown.
	Left int
	// Listed is true if the server lists its tasks. Results is true if there is a separate method
	// for the result of a task.
	Listed, Results bool
	// Problem is why the list of the server is incomplete.
	Problem string
}

// serveTasks shows the tasks.
func (i *Inspector) serveTasks(w http.ResponseWriter, r *http.Request) {
	c := i.connection()
	waitForLists(r.Context(), c, tasks)
	p := tasksPage{Tasks: i.taskRows()}
	p.Listed, p.Results = c.taskMethods()
	if len(p.Tasks) > maxTasksShown {
		p.Tasks, p.Left = p.Tasks[:maxTasksShown], len(p.Tasks)-maxTasksShown
	}
	if err := c.list(tasks).err; err != nil {
		p.Problem = strings.TrimPrefix(err.Error(), "mcp: ")
	}
	i.render(w, http.StatusOK, "tasks.html", &page{Title: "Tasks", Section: "/tasks", Body: p})
}

// postTask requests the state or the result of a task, or cancels it.
func (i *Inspector) postTask(w http.ResponseWriter, r *http.Request) {
	if !i.form(w, r) {
		return
	}
	method := "tasks/" + r.PostForm.Get("do")
	if !slices.Contains([]string{"tasks/get", "tasks/result", "tasks/cancel"}, method) {
		i.fail(w, http.StatusBadRequest, "This request for tasks does not exist.")
		return
	}
	params, problem := encode(struct {
		ID string `json:"taskId"`
	}{r.PostForm.Get("task")})
	if problem != "" {
		i.fail(w, http.StatusBadRequest, problem)
		return
	}
	i.start(w, r, &request{Kind: "method", Name: method, Arguments: params})
}

// tasksChanged loads the list of tasks again, if the server has one.
func (c *connection) tasksChanged() {
	if list, _ := c.taskMethods(); list {
		c.load(tasks)
	}
	c.changed(tasks.part(), "state")
}
