//! Lines of a text that are to be shown.

/// Lines by number.
#[derive(Default)]
pub struct Shown(burr::SpanSet);

impl Shown {
    /// Shows some lines.
    pub fn show(&mut self, first: i64, last: i64) {
        self.0.insert(first, last);
    }

    /// Whether a line is shown.
    pub fn is(&self, line: i64) -> bool {
        self.0.contains(line)
    }
}
