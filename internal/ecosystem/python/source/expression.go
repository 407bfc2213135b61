package source

// Expression is an expression of a statement: its text, and its tree once it is needed.
// A nil Expression and the zero value have no text. An Expression must not be used by several
// goroutines at the same time.
type Expression struct {
	text string
	tree *Tree
}

// maxKept is the maximum size in bytes of a text whose tree is kept.
const maxKept = 64 << 10

// NewExpression returns the expression with a tree.
func NewExpression(t *Tree) *Expression { return &Expression{t.Text, t} }

// Annotation returns the expression with a text, or nil if the text is empty.
func Annotation(text string) *Expression {
	if text == "" {
		return nil
	}
	return &Expression{text: text}
}

// Type returns the tree of an annotation without the quotes of a forward reference.
func (x *Expression) Type() *Tree {
	t := x.Tree()
	if t.Kind == String {
		return Parse(t.Name)
	}
	return t
}

// Text returns the source of the expression, with comments and line ends.
func (x *Expression) Text() string {
	if x == nil {
		return ""
	}
	return x.text
}

// Tree returns the tree of the expression. It is parsed at the first call, and must not be
// modified. See [Parse].
func (x *Expression) Tree() *Tree { return x.parsed(Parse) }

// Function returns the dotted name that the expression consists of, or that of the function that it
// calls. It returns "" for other expressions.
func (t *Tree) Function() string {
	if t.Kind == Call {
		t = t.X
	}
	return t.Dotted()
}

// Loop returns the tree of the head of a for statement. ok is false if it is invalid.
func (x *Expression) Loop() (loop *Tree, ok bool) {
	t := x.parsed(func(head string) *Tree {
		t := Parse("[0 for " + head + "]")
		if t.Kind != Loop || len(t.Args) != 1 || len(t.Args[0].Args) != 1 {
			return t
		}
		return t.Args[0]
	})
	return t, t.Kind == For
}

func (x *Expression) parsed(parse func(string) *Tree) *Tree {
	if x == nil {
		return &Tree{Kind: Other}
	}
	if x.tree != nil {
		return x.tree
	}
	t := parse(x.text)
	if len(x.text) <= maxKept {
		x.tree = t
	}
	return t
}

// Call returns a call with the parameters as arguments, which are the bases and keywords of a
// class. It is parsed when it is first needed, and must not be modified.
func (s *Stmt) Call() *Tree {
	if s.call == nil || s.call.text != s.Params {
		s.call = &Expression{text: s.Params}
	}
	return s.call.parsed(func(params string) *Tree { return Parse("f(" + params + "\n)") })
}
