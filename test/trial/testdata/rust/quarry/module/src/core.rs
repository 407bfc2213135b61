use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Words by name.
pub type Labels = BTreeMap<String, String>;

/// Values by name, as [`gauge`](crate::blocks::Blocks::gauge) gives them.
pub type Gauged = BTreeMap<String, Vec<f64>>;

/// What something is sold as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grade {
    /// With marks.
    #[default]
    Plain,
    /// Without.
    Fine,
    /// Rubble.
    Waste,
}

/// What something does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// A change is under way.
    Changing,
    /// Nothing is.
    #[default]
    Calm,
    /// It was halted.
    Halted,
    /// It was closed.
    Closed,
}

/// What the service is sent and answers: a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Nothing.
    #[default]
    None,
    /// Text.
    Text(String),
    /// A number; truth is 1.
    Number(f64),
    /// Several.
    List(Vec<Value>),
    /// By name.
    Map(BTreeMap<String, Value>),
}

impl Value {
    /// A map of some pairs.
    pub fn map<const N: usize>(pairs: [(&str, Value); N]) -> Value {
        Value::Map(pairs.into_iter().map(|(k, v)| (k.to_string(), v)).collect())
    }

    /// Text.
    pub fn from_text(text: &str) -> Value {
        Value::Text(text.to_string())
    }

    fn at(&self, name: &str) -> &Value {
        match self {
            Value::Map(m) => m.get(name).unwrap_or(&Value::None),
            _ => &Value::None,
        }
    }

    /// The text under a name, empty if there is none.
    pub fn text(&self, name: &str) -> String {
        match self.at(name) {
            Value::Text(t) => t.clone(),
            _ => String::new(),
        }
    }

    /// The number under a name, 0 if there is none.
    pub fn number(&self, name: &str) -> f64 {
        match self.at(name) {
            Value::Number(n) => *n,
            _ => 0.0,
        }
    }

    pub(crate) fn phase(&self) -> Phase {
        match self.text("phase").as_str() {
            "changing" => Phase::Changing,
            "halted" => Phase::Halted,
            "closed" => Phase::Closed,
            _ => Phase::Calm,
        }
    }

    fn list(&self, name: &str) -> &[Value] {
        match self.at(name) {
            Value::List(l) => l,
            _ => &[],
        }
    }
}

macro_rules! values {
    ($($t:ty => |$v:ident| $e:expr;)*) => { $(impl From<&$t> for Value { fn from($v: &$t) -> Value { $e } })* };
}
values! {
    String => |v| Value::Text(v.clone());
    f64 => |v| Value::Number(*v);
    u32 => |v| Value::Number(*v as f64);
    u64 => |v| Value::Number(*v as f64);
    bool => |v| Value::Number(*v as u8 as f64);
    Grade => |v| Value::Text(format!("{v:?}"));
    Vec<String> => |v| Value::List(v.iter().map(Value::from).collect());
    Labels => |v| Value::Map(v.iter().map(|(k, v)| (k.clone(), Value::from(v))).collect());
}

/// Fields of a request that are set.
#[doc(hidden)]
#[derive(Default)]
pub struct Fields(BTreeMap<String, Value>);

impl Fields {
    pub(crate) fn add<T>(&mut self, name: &str, value: &T)
    where
        for<'v> Value: From<&'v T>,
    {
        self.0.insert(name.to_string(), Value::from(value));
    }

    pub(crate) fn add_some<T>(&mut self, name: &str, value: &Option<T>)
    where
        for<'v> Value: From<&'v T>,
    {
        if let Some(v) = value {
            self.add(name, v);
        }
    }
}

#[doc(hidden)]
pub trait Request {
    fn fields(&self, fields: &mut Fields);
}

#[doc(hidden)]
pub trait Reply {
    fn read(v: &Value) -> Self;
}

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// Kind and operation: `"blocks.get"`.
    pub operation: String,
    /// Fields of the request that are set.
    pub request: Value,
    /// Name of the caller.
    pub caller: String,
    /// Counts tries, from 1.
    pub attempt: u32,
    /// True for a call that changes nothing.
    pub dry: bool,
    /// What [`CallOptions::note`] added.
    pub notes: Labels,
}

/// What the service refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Kind and fault: `"blocks.gone"`.
    pub code: String,
    /// What the service sent along.
    pub details: Value,
}

/// Options of a call.
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    tries: Option<u32>,
    dry: bool,
    notes: Labels,
}

impl CallOptions {
    /// How often a call is tried that somebody else's change keeps from being made. 2 if it is not called.
    pub fn tries(mut self, tries: u32) -> Self {
        self.tries = Some(tries);
        self
    }

    /// Checks the call and changes nothing. See the crate's README.
    pub fn dry(mut self, dry: bool) -> Self {
        self.dry = dry;
        self
    }

    /// Adds a note for the log.
    pub fn note(mut self, name: &str, value: &str) -> Self {
        self.notes.insert(name.to_string(), value.to_string());
        self
    }
}

/// Options of `until_calm`.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Until {
    pub(crate) pause: Option<Duration>,
    pub(crate) most: Option<Duration>,
    pub(crate) or_gone: bool,
}

impl Until {
    /// Time between two looks.
    pub fn pause(mut self, pause: Duration) -> Self {
        self.pause = Some(pause);
        self
    }

    /// After which it gives up with [`Calm::Late`]. Never if it is not called.
    pub fn most(mut self, most: Duration) -> Self {
        self.most = Some(most);
        self
    }

    /// Gives [`Calm::Gone`] for a thing that is gone, in place of an error.
    pub fn or_gone(mut self) -> Self {
        self.or_gone = true;
        self
    }
}

/// What `until_calm` gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Calm<T> {
    /// No change is under way.
    Calm(T),
    /// There is no such thing. Only with [`Until::or_gone`].
    Gone,
    /// It took longer than [`Until::most`].
    Late,
}

/// One page of things.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    /// What is on it.
    pub items: Vec<T>,
    /// What to set as `after` for the next page; `None` on the last.
    pub next: Option<String>,
}

/// Something that happened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogEntry {
    /// Who did it.
    pub by: String,
    /// What.
    pub what: String,
    /// On which day.
    pub day: u32,
}

impl Reply for LogEntry {
    fn read(v: &Value) -> Self {
        Self { by: v.text("by"), what: v.text("what"), day: v.number("day") as u32 }
    }
}

impl<T: Reply> Reply for Page<T> {
    fn read(v: &Value) -> Self {
        let next = v.text("next");
        Page { items: v.list("items").iter().map(T::read).collect(), next: (!next.is_empty()).then_some(next) }
    }
}

impl Reply for Gauged {
    fn read(v: &Value) -> Self {
        let Value::Map(m) = v else { return Self::new() };
        m.iter()
            .map(|(k, v)| {
                let Value::List(l) = v else { return (k.clone(), vec![]) };
                (k.clone(), l.iter().filter_map(|n| if let Value::Number(n) = n { Some(*n) } else { None }).collect())
            })
            .collect()
    }
}

/// What all errors have in common. Bring it into scope to use it.
pub trait Refused {
    /// The fault without its kind: `"gone"`, `"busy"`, `"newer"`, `"barred"`.
    fn fault(&self) -> &str;

    /// There is no such thing.
    fn is_gone(&self) -> bool {
        self.fault() == "gone"
    }

    /// Somebody else changes it.
    fn is_busy(&self) -> bool {
        self.fault() == "busy"
    }

    /// There is a newer edition.
    fn is_newer(&self) -> bool {
        self.fault() == "newer"
    }

    /// The caller may not do it.
    fn is_barred(&self) -> bool {
        self.fault() == "barred"
    }
}

type Wire = Box<dyn Fn(&Exchange) -> Result<Value, Refusal>>;

#[doc(hidden)]
pub struct Core {
    wire: Wire,
    caller: String,
}

impl Core {
    pub(crate) fn call<R: Reply>(&self, operation: &str, request: &dyn Request, options: &CallOptions) -> Result<R, Refusal> {
        let mut fields = Fields::default();
        request.fields(&mut fields);
        let request = Value::Map(fields.0);
        let tries = options.tries.unwrap_or(2);
        let mut attempt = 1;
        loop {
            let exchange = Exchange {
                operation: operation.to_string(),
                request: request.clone(),
                caller: self.caller.clone(),
                attempt,
                dry: options.dry,
                notes: options.notes.clone(),
            };
            match (self.wire)(&exchange) {
                Ok(v) => return Ok(R::read(&v)),
                Err(r) if r.code.ends_with(".busy") && attempt < tries => attempt += 1,
                Err(r) => return Err(r),
            }
        }
    }
}

/// Talks to the service. It sends nothing by itself.
pub struct Client {
    pub(crate) core: Core,
}

impl Client {
    /// A client that signs calls with a name and sends them through a function.
    pub fn new(caller: &str, wire: impl Fn(&Exchange) -> Result<Value, Refusal> + 'static) -> Self {
        Client { core: Core { wire: Box::new(wire), caller: caller.to_string() } }
    }
}

pub(crate) fn every<T, E>(mut draw: impl FnMut(Option<String>) -> Result<Page<T>, E>) -> impl Iterator<Item = Result<T, E>> {
    let mut items: std::vec::IntoIter<T> = Vec::new().into_iter();
    let (mut next, mut begun) = (None, false);
    std::iter::from_fn(move || loop {
        if let Some(item) = items.next() {
            return Some(Ok(item));
        }
        if begun && next.is_none() {
            return None;
        }
        match draw(next.take()) {
            Ok(page) => (items, next, begun) = (page.items.into_iter(), page.next, true),
            Err(e) => {
                begun = true;
                return Some(Err(e));
            }
        }
    })
}

pub(crate) fn wait<T, E>(until: &Until, seconds: u64, mut look: impl FnMut() -> Result<Option<(bool, T)>, E>) -> Result<Calm<T>, E> {
    let begun = Instant::now();
    loop {
        match look()? {
            None => return Ok(Calm::Gone),
            Some((false, thing)) => return Ok(Calm::Calm(thing)),
            Some((true, _)) if until.most.is_some_and(|m| begun.elapsed() >= m) => return Ok(Calm::Late),
            Some(_) => std::thread::sleep(until.pause.unwrap_or(Duration::from_secs(seconds))),
        }
    }
}
