use granary::{Draw, Granary, Order, Sack, Short, Survey};

pub fn barn(goods: &[(&str, f64, &str)]) -> (Vec<f64>, f64) {
    let mut g = Granary::with_room(100.0);
    for (kind, amount, who) in goods {
        let _ = g.try_store(Sack::new(*kind, *amount).from(*who));
    }
    let how = Draw { order: Order::Old, short: Short::Less, from: Some("ada".into()), whole: true, ..Draw::default() };
    let drawn = g.draw("rye", 30.0, how).unwrap();
    (drawn.parts.iter().map(|p| p.1).collect(), g.share("rye"))
}
