use quarry_client::{Client, Value};
use solve::{loads, who};

fn text(t: &str) -> Value {
    Value::from_text(t)
}

#[test]
fn pages() {
    let client = Client::new("ada", |e| {
        let Value::Map(mut request) = e.request.clone() else { panic!("{e:?}") };
        let after = request.remove("after");
        if e.operation == "sumps.log" {
            assert_eq!(Value::Map(request), Value::map([("id", text("s1")), ("size", Value::Number(6.0))]));
            let items = Value::List(vec![Value::map([("by", text("cid"))]), Value::map([("by", text("ada"))])]);
            return Ok(Value::map([("items", items), ("next", text("more"))]));
        }
        assert_eq!(e.operation, "truck_loads.list");
        assert_eq!(Value::Map(request), Value::map([("site", text("north")), ("size", Value::Number(120.0)), ("closed", Value::Number(1.0))]));
        Ok(match after {
            None => Value::map([("items", Value::List(vec![Value::map([("title", text("x"))]), Value::map([("title", text("y"))])])), ("next", text("p2"))]),
            Some(_) => Value::map([("items", Value::List(vec![Value::map([("title", text("z"))])]))]),
        })
    });
    assert_eq!(loads(&client, "north"), ["x", "y", "z"]);
    assert_eq!(who(&client, "s1"), ["ada", "cid"]);
}
