use solve::rooms;

#[test]
fn day() {
    let got = rooms(&[(9, 11, "ada"), (11, 12, "ada"), (10, 14, "bob"), (13, 14, "cid"), (7, 9, "dan"), (16, 17, "eve")]);
    assert_eq!(got, (["dan", "ada", "ada", "cid", "eve"].map(String::from).to_vec(), Some((14, 16))));
    assert_eq!(rooms(&[(8, 19, "ada")]).1, None);
    assert_eq!(rooms(&[]).1, Some((10, 20)));
}
