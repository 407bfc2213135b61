package radio

// Forms has paragraphs that look like something else in Markdown.
//
// 1) is no item.
//
// # is no heading
// of two lines.
//
// > is no quotation.
//
// - - -
//
// [note]: is no definition.
//
// *One* _two_ `three *four*` and unclosed ` ticks.
const Forms = 1

// Formats lists what can be sent:
//   - text,
//     on two lines
//   - numbers
//
// and nothing else:
//
//  10. ten
//
//  11. eleven
//
//     code with `ticks`
type Formats struct{}
