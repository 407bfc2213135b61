use std::cell::RefCell;
use std::rc::Rc;

use quarry_client::{Client, Refusal, Value};
use solve::could;

#[test]
fn dry() {
    let reply = Rc::new(RefCell::new(Ok(Value::map([("edition", Value::Number(0.0))]))));
    let r = reply.clone();
    let client = Client::new("ada", move |e| {
        assert_eq!(e.operation, "fuse_boxes.haul");
        assert_eq!(e.request, Value::map([("id", Value::from_text("b1")), ("site", Value::from_text("cold")), ("with_labels", Value::Number(1.0))]));
        assert!(e.dry);
        assert_eq!(e.notes.get("why").map(String::as_str), Some("plan"));
        r.borrow().clone()
    });
    assert_eq!(could(&client, "b1"), Ok(true));
    *reply.borrow_mut() = Ok(Value::map([("edition", Value::Number(4.0))]));
    assert_eq!(could(&client, "b1"), Ok(false));
    for (fault, want) in [("busy", Ok(false)), ("barred", Ok(false)), ("gone", Err("gone".to_string()))] {
        *reply.borrow_mut() = Err(Refusal { code: format!("fuse_boxes.{fault}"), details: Value::None });
        assert_eq!(could(&client, "b1"), want);
    }
}
