use burr::{Coat, Span};

pub fn watches(on_duty: &[(i64, i64, &str)], open: &[(i64, i64)]) -> Vec<(i64, i64, String)> {
    let mut coat = Coat::new();
    for (from, to, name) in on_duty {
        coat.stick(*from..*to, name.to_string());
    }
    coat.trim(&Coat::of_spans(open.iter().map(|(from, to)| Span::new(*from, *to).grown(1))));
    coat.slide(2);
    coat.peel(12..13);
    let mut parts = Vec::new();
    for (span, name) in coat.spans() {
        parts.extend(span.cut(4, true).into_iter().map(|s| (s.from, s.to, name.clone())));
    }
    parts
}
