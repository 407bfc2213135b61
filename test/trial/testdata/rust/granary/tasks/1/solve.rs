use granary::{sack, Draw, Granary, Order, Short, Survey};

pub fn mill() -> (f64, Vec<(u64, f64)>) {
    let mut g = Granary::new();
    g.store(sack!("rye", 10.0, fresh for 10));
    g.store(sack!("rye", 20.0, fresh until 4));
    g.store(sack!("rye", 5.0));
    g.pass(2);
    let how = Draw { order: Order::New, short: Short::Owe, fresh: 3, ..Draw::default() };
    let drawn = g.draw("rye", 22.0, how).unwrap();
    g.store(sack!("rye", 12.0));
    (g.there("rye"), drawn.parts)
}
