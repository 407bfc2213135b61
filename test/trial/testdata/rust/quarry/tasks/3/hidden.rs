use std::cell::Cell;

use quarry_client::{Client, Refusal, Value};
use solve::settled;

#[test]
fn waits() {
    let looks = Cell::new(0);
    let client = Client::new("ada", move |e| {
        assert_eq!(e.operation, "crane_hooks.get");
        let phase = |p: &str, n: u32| Ok(Value::map([("phase", Value::from_text(p)), ("edition", Value::Number(n.into()))]));
        let refused = |code: &str| Err(Refusal { code: code.into(), details: Value::None });
        match e.request.text("id").as_str() {
            "gone" => refused("crane_hooks.gone"),
            "barred" => refused("crane_hooks.barred"),
            "busy" => phase("changing", 1),
            _ => {
                looks.set(looks.get() + 1);
                phase(if looks.get() < 5 { "changing" } else { "calm" }, looks.get())
            }
        }
    });
    assert_eq!(settled(&client, "h1"), Ok(Some(5)));
    assert_eq!(settled(&client, "gone"), Ok(None));
    assert_eq!(settled(&client, "busy"), Err("late".into()));
    assert_eq!(settled(&client, "barred"), Err("refused".into()));
}
