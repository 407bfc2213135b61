use burr::{Clash, Coat, Span};

pub fn rooms(bookings: &[(i64, i64, &str)]) -> (Vec<String>, Option<(i64, i64)>) {
    let mut coat = Coat::builder().clash(Clash::Refuse).seams(true).within(Span::new(8, 20)).build();
    for (from, to, name) in bookings {
        coat.stick(Span::new(*from, *to), name.to_string());
    }
    let free = coat.room(2, 10).map(|s| (s.from, s.to));
    (coat.spans().map(|(_, name)| name.clone()).collect(), free)
}
