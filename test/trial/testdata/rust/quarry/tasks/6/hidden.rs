use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use quarry_client::road_gates::RoadGateError;
use quarry_client::{Client, Refusal, Value};
use solve::revive;

fn text(t: &str) -> Value {
    Value::from_text(t)
}

fn gates(list: &[(&str, &str)]) -> Value {
    Value::List(list.iter().map(|(id, phase)| Value::map([("id", text(id)), ("phase", text(phase))])).collect())
}

#[test]
fn revived() {
    let faults = Rc::new(RefCell::new(BTreeMap::from([("g2", "busy"), ("g4", "gone")])));
    let tries = Rc::new(RefCell::new(0));
    let (f, n) = (faults.clone(), tries.clone());
    let client = Client::new("ada", move |e| {
        let Value::Map(mut request) = e.request.clone() else { panic!("{e:?}") };
        if e.operation == "road_gates.list" {
            let after = request.remove("after");
            let want = Value::map([("site", text("west")), ("size", Value::Number(120.0)), ("closed", Value::Number(1.0))]);
            assert_eq!(Value::Map(request), want);
            return Ok(match after {
                None => Value::map([("items", gates(&[("g1", "closed"), ("g2", "closed"), ("g3", "calm")])), ("next", text("p2"))]),
                Some(_) => Value::map([("items", gates(&[("g4", "closed"), ("g5", "closed")]))]),
            });
        }
        assert_eq!(e.operation, "road_gates.reopen");
        *n.borrow_mut() += 1;
        let Some(Value::Text(id)) = request.get("id").cloned() else { panic!("{e:?}") };
        assert_eq!(Value::Map(request), Value::map([("id", text(&id)), ("as_of", Value::Number(61.0))]));
        assert_ne!(id, "g3");
        match f.borrow().get(id.as_str()) {
            Some(fault) => Err(Refusal { code: format!("road_gates.{fault}"), details: Value::map([("by", text("eve"))]) }),
            None => Ok(Value::map([("id", text(&id))])),
        }
    });
    let list = |ids: &[&str]| ids.iter().map(|id| id.to_string()).collect::<Vec<_>>();
    assert_eq!(revive(&client, "west", 61), Ok((list(&["g1", "g5"]), list(&["g2"]), list(&["g4"]))));
    assert_eq!(*tries.borrow(), 5);
    faults.borrow_mut().insert("g1", "barred");
    assert_eq!(revive(&client, "west", 61), Err(RoadGateError::Barred));
}
