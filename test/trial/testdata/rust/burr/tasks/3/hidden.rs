use burr::{Coat, Span};
use solve::{meetings, ticks};

#[test]
fn both() {
    let (mut a, mut b) = (Coat::new(), Coat::new());
    a.stick(Span::new(-4, 6), "x".to_string());
    a.stick(Span::new(6, 8), "y".to_string());
    b.stick(Span::new(5, 20), "z".to_string());
    assert_eq!(meetings(&a, &b), [(5, 6, "x+z".into()), (6, 8, "y+z".into())]);
    assert_eq!(ticks(&a), [-3, 2, 7]);
}
