use solve::barn;

#[test]
fn whole() {
    let goods = [("rye", 20.0, "ada"), ("rye", 15.0, "bob"), ("rye", 25.0, "ada"), ("oat", 30.0, "ada"), ("oat", 11.0, "bob"), ("hay", 10.0, "bob")];
    let (taken, share) = barn(&goods);
    assert_eq!(taken, [20.0, 25.0]);
    assert!((share - 15.0 / 55.0).abs() < 1e-9, "{share}");
    assert_eq!(barn(&[("oat", 5.0, "ada")]), (vec![], 0.0));
}
