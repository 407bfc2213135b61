#[test]
fn mill() {
    assert_eq!(solve::mill(), (25.0, vec![(3, 5.0), (1, 10.0)]));
}
