use granary::{Draw, Error, Granary, Order, Survey};

pub fn promise(g: &mut Granary, amount: f64) -> Result<u64, f64> {
    match g.hold("oat", amount, Draw { order: Order::Small, ..Draw::default() }) {
        Ok(hold) => Ok(hold.keep()),
        Err(Error::Short { lacking, .. }) => Err(lacking),
        Err(other) => panic!("{other}"),
    }
}

pub fn fetch(g: &mut Granary, number: u64) -> f64 {
    g.claim(number).map_or(0.0, |drawn| drawn.total())
}

pub fn offer(g: &Granary) -> Vec<String> {
    g.free().into_iter().map(|(kind, amount)| format!("{kind} {amount}")).collect()
}
