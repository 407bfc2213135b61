use std::cell::RefCell;
use std::rc::Rc;

use quarry_client::saw_wires::SawWireError;
use quarry_client::{Client, Refusal, Value};
use solve::wire;

fn refused(code: &str, details: Value) -> Result<Value, Refusal> {
    Err(Refusal { code: code.into(), details })
}

#[test]
fn revised() {
    let reply = Rc::new(RefCell::new(Ok(Value::None)));
    let sent = Rc::new(RefCell::new(Vec::new()));
    let (r, s) = (reply.clone(), sent.clone());
    let client = Client::new("ada", move |e| {
        s.borrow_mut().push(e.clone());
        r.borrow().clone()
    });
    assert_eq!(wire(&client, "w1", 7).unwrap(), "ok");
    assert_eq!(sent.borrow()[0].operation, "saw_wires.revise");
    let want = [("id", Value::from_text("w1")), ("edition", Value::Number(7.0)), ("ration", Value::Number(2.5)), ("rounds", Value::Number(4.0))];
    assert_eq!(sent.borrow()[0].request, Value::map(want));
    *reply.borrow_mut() = refused("saw_wires.busy", Value::map([("by", Value::from_text("eve"))]));
    assert_eq!(wire(&client, "w1", 7).unwrap(), "by eve");
    assert_eq!(sent.borrow().len(), 2);
    *reply.borrow_mut() = refused("saw_wires.newer", Value::map([("edition", Value::Number(9.0))]));
    assert_eq!(wire(&client, "w1", 7).unwrap(), "edition 9");
    *reply.borrow_mut() = refused("saw_wires.gone", Value::None);
    assert_eq!(wire(&client, "w1", 7), Err(SawWireError::Gone));
}
