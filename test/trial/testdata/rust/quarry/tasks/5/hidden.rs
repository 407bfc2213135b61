use std::cell::RefCell;
use std::rc::Rc;

use quarry_client::pump_hoses::PumpHoseError;
use quarry_client::{Client, Refusal, Value};
use solve::hose;

#[test]
fn opened_and_halted() {
    let text = Value::from_text;
    let reply = Rc::new(RefCell::new(Ok(Value::map([("id", text("h9"))]))));
    let sent = Rc::new(RefCell::new(Vec::new()));
    let (r, s) = (reply.clone(), sent.clone());
    let client = Client::new("ada", move |e| {
        s.borrow_mut().push((e.operation.clone(), e.request.clone(), e.dry));
        r.borrow().clone()
    });
    assert_eq!(hose(&client, "west", "k1").unwrap(), "h9");
    let open = Value::map([
        ("title", text("north")),
        ("site", text("west")),
        ("key", text("k1")),
        ("labels", Value::map([("use", text("mud"))])),
        ("limit", Value::Number(0.0)),
        ("ready_by", Value::Number(12.0)),
        ("keepers", Value::List(vec![text("ada"), text("eve")])),
    ]);
    let halt = Value::map([("id", text("h9")), ("cause", text("frost")), ("hours", Value::Number(36.0))]);
    assert_eq!(*sent.borrow(), [("pump_hoses.open".to_string(), open, false), ("pump_hoses.halt".to_string(), halt, false)]);
    sent.borrow_mut().clear();
    *reply.borrow_mut() = Err(Refusal { code: "pump_hoses.busy".into(), details: Value::map([("by", text("eve"))]) });
    assert_eq!(hose(&client, "west", "k1"), Err(PumpHoseError::Busy { by: "eve".to_string() }));
    assert_eq!(sent.borrow().len(), 1);
}
