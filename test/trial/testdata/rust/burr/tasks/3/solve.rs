use burr::walk::{steps, together, Pace};
use burr::Coat;

pub fn meetings(a: &Coat<String>, b: &Coat<String>) -> Vec<(i64, i64, String)> {
    together(&[a, b], Pace::All)
        .into_iter()
        .map(|stop| {
            let names: Vec<&str> = stop.values.iter().flatten().map(|name| name.as_str()).collect();
            (stop.span.from, stop.span.to, names.join("+"))
        })
        .collect()
}

pub fn ticks(a: &Coat<String>) -> Vec<i64> {
    steps(a, 5, 2)
}
