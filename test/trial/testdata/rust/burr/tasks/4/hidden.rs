use solve::watches;

#[test]
fn duty() {
    let got = watches(&[(0, 12, "ada"), (9, 20, "bob")], &[(4, 10), (15, 16)]);
    let want = [(5, 7, "ada"), (7, 11, "ada"), (11, 12, "bob"), (16, 19, "bob")].map(|(a, b, n)| (a, b, n.to_string()));
    assert_eq!(got, want);
}
