use granary::{sack, Draw, Granary};
use solve::{losses, soon};

#[test]
fn stale() {
    let mut g = Granary::new();
    g.store(sack!("rye", 1.0, fresh until 2));
    g.store(sack!("rye", 2.0, fresh until 3));
    g.store(sack!("oat", 3.0, fresh until 3));
    g.store(sack!("rye", 4.0, fresh until 6));
    g.store(sack!("hay", 5.0, fresh until 14));
    g.draw("rye", 3.0, Draw { fresh: 4, ..Draw::default() }).unwrap();
    assert_eq!(soon(&g).as_deref(), Some("rye"));
    for day in 1..=6 {
        g.pass(1);
        if day == 4 {
            g.store(sack!("rye", 9.0));
        }
    }
    assert_eq!(losses(&g, "rye"), [(6, 1.0), (3, 2.0)]);
    assert_eq!(soon(&g), None);
    g.pass(1);
    assert_eq!(soon(&g).as_deref(), Some("hay"));
}
