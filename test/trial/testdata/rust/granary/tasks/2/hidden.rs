use granary::{sack, Granary};
use solve::{fetch, offer, promise};

#[test]
fn holds() {
    let mut g = Granary::new();
    g.store(sack!("oat", 9.0, fresh for 5));
    g.store(sack!("oat", 4.0));
    g.store(sack!("hay", 1.0));
    let number = promise(&mut g, 6.0).unwrap();
    assert_eq!(offer(&g), ["hay 1", "oat 7"]);
    assert_eq!(promise(&mut g, 10.0), Err(3.0));
    assert_eq!(offer(&g), ["hay 1", "oat 7"]);
    g.pass(5);
    assert_eq!(fetch(&mut g, number), 4.0);
    assert_eq!(fetch(&mut g, number), 0.0);
    assert_eq!(offer(&g), ["hay 1"]);
}
