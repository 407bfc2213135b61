//! A server made with rmcp, which the client of package mcp is tested against,
//! and its server is measured beside.
//!
//!     rmcp-peers server -stdio | -http ADDR    prints its URL; MCP is at /mcp
//!     rmcp-peers server [-tools N] [-stateless] stdio | http ADDR    with the tools that are measured

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
    time::Duration,
};

use rmcp::{
    ErrorData, Peer, RoleServer, ServerHandler, ServiceExt,
    model::*,
    service::{RequestContext, SubscriptionContext},
    transport::{
        stdio,
        streamable_http_server::{
            StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
        },
    },
};
use serde_json::{Value, json};
use tokio::sync::{broadcast, watch};

const NOTE: &str = "note://today";

struct Shared {
    measured: bool, // offers the tools that are measured, not those of tests
    tools: Vec<Tool>,
    note: Mutex<String>,
    written: broadcast::Sender<()>,
    states: watch::Sender<HashMap<String, &'static str>>, // of calls of wait
    subscribers: Mutex<Vec<Peer<RoleServer>>>,
}

#[derive(Clone)]
struct Server(Arc<Shared>);

fn tool(name: &str, properties: Value, output: Option<Value>) -> Tool {
    let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
    let schema = json!({"type": "object", "properties": properties, "required": required});
    let mut tool = json!({"name": name, "description": name, "inputSchema": schema});
    if let Some(output) = output {
        tool["outputSchema"] = output;
    }
    serde_json::from_value(tool).unwrap()
}

fn test_tools() -> Vec<Tool> {
    let sum = json!({"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]});
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    let mut tools = vec![
        tool("echo", json!({"message": text}), None),
        tool("add", json!({"a": number, "b": number}), Some(sum)),
        tool("wait", json!({"id": text}), None),
        tool("state", json!({"id": text, "state": text}), None),
        tool("ask-model", json!({"question": text}), None),
        tool("write-note", json!({"text": text}), None),
    ];
    for name in ["fail", "steps", "ask-user", "ask-roots"] {
        tools.push(tool(name, json!({}), None));
    }
    tools
}

fn measured_tools(n: usize) -> Vec<Tool> {
    let number = |about: &str| json!({"type": "integer", "description": about});
    let sum = json!({"type": "object", "properties": {"sum": number("a plus b")}, "required": ["sum"]});
    let mut tools = vec![
        tool("echo", json!({"message": {"type": "string", "description": "the text to send back"}}), None),
        tool("structured", json!({"a": number("first addend"), "b": number("second addend")}), Some(sum)),
        tool("big", json!({"kb": number("KiB of text to return")}), None),
    ];
    for i in 3..n {
        tools.push(tool(
            &format!("tool_{i:03}"),
            json!({
                "path": {"type": "string", "description": "file or folder to work on"},
                "recursive": {"type": "boolean", "description": "descend into folders"},
                "limit": {"type": "integer", "description": "most entries to return"},
                "tags": {"type": "array", "items": {"type": "string"}, "description": "only entries with these tags"},
            }),
            None,
        ));
    }
    tools
}

fn text(text: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

fn invalid(what: impl ToString) -> ErrorData {
    ErrorData::invalid_params(what.to_string(), None)
}

fn internal(err: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(err.to_string(), None)
}

fn form(message: &str) -> ElicitRequestParams {
    serde_json::from_value(json!({
        "mode": "form",
        "message": message,
        "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    }))
    .unwrap()
}

fn modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|v| v.as_str() >= "2026-07-28")
}

fn ask(requests: impl IntoIterator<Item = (&'static str, InputRequest)>) -> CallToolResponse {
    let requests: BTreeMap<String, InputRequest> = requests.into_iter().map(|(key, r)| (key.into(), r)).collect();
    InputRequiredResult::from_input_requests(requests).into()
}

fn named(action: &str, first: &Value, second: &Value) -> CallToolResponse {
    let name = |v: &Value| v["name"].as_str().unwrap_or_default().to_owned();
    text(format!("{action}: {} and {}", name(first), name(second)))
}

impl Server {
    async fn steps(&self, context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        for step in 1..=3 {
            if let Some(token) = context.meta.get_progress_token() {
                let params = ProgressNotificationParam::new(token, f64::from(step))
                    .with_total(3.0)
                    .with_message(format!("step {step}"));
                context.peer.notify_progress(params).await.map_err(internal)?;
            }
            #[allow(deprecated)]
            let log = LoggingMessageNotificationParam::new(LoggingLevel::Info, format!("took step {step}").into())
                .with_logger("steps");
            #[allow(deprecated)]
            context.peer.notify_logging_message(log).await.map_err(internal)?;
        }
        Ok(text("there"))
    }

    async fn wait(&self, id: &str, context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let set = |state| {
            self.0.states.send_modify(|states| {
                states.insert(id.to_owned(), state);
            });
        };
        set("waiting");
        tokio::select! {
            () = context.ct.cancelled() => {
                set("cancelled");
                Err(internal("cancelled"))
            }
            () = tokio::time::sleep(Duration::from_secs(60)) => Ok(text("nobody cancelled this call")),
        }
    }

    async fn state(&self, id: &str, state: &str) -> Result<CallToolResponse, ErrorData> {
        let mut states = self.0.states.subscribe();
        let reached = states.wait_for(|states| states.get(id).is_some_and(|is| *is == state));
        match tokio::time::timeout(Duration::from_secs(5), reached).await {
            Ok(_) => Ok(text(state)),
            Err(_) => Err(internal(format!("call {id} is not {state}"))),
        }
    }

    async fn ask_user(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let questions = ["What is your name?", "And your friend's?"];
        if !modern(context) {
            let mut answers = vec![];
            for question in questions {
                answers.push(context.peer.create_elicitation(form(question)).await.map_err(internal)?);
            }
            let content = |i: usize| answers[i].content.clone().unwrap_or_default();
            let action = serde_json::to_value(&answers[1].action).map_err(internal)?;
            return Ok(named(action.as_str().unwrap_or_default(), &json!(content(0)), &json!(content(1))));
        }
        let Some(answers) = &request.input_responses else {
            let question = |message| InputRequest::Elicitation(ElicitRequest::new(form(message)));
            return Ok(ask([("first", question(questions[0])), ("second", question(questions[1]))]));
        };
        let (first, second) = (&answers["first"], &answers["second"]);
        Ok(named(second["action"].as_str().unwrap_or_default(), &first["content"], &second["content"]))
    }

    #[allow(deprecated)]
    async fn ask_model(
        &self,
        question: &str,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let params = CreateMessageRequestParams::new(vec![SamplingMessage::user_text(question)], 10);
        let answer = if !modern(context) {
            let answer = context.peer.create_message(params).await.map_err(internal)?;
            serde_json::to_value(answer).map_err(internal)?
        } else if let Some(answers) = &request.input_responses {
            answers["answer"].clone()
        } else {
            return Ok(ask([("answer", InputRequest::CreateMessage(CreateMessageRequest::new(params)))]));
        };
        let content = if answer["content"].is_array() { &answer["content"][0] } else { &answer["content"] };
        let said = |v: &Value| v.as_str().unwrap_or_default().to_owned();
        Ok(text(format!("{} says {}", said(&answer["model"]), said(&content["text"]))))
    }

    #[allow(deprecated)]
    async fn ask_roots(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let answer = if !modern(context) {
            context.peer.list_roots().await.map_err(internal)?
        } else if let Some(answers) = &request.input_responses {
            serde_json::from_value(answers["roots"].clone()).map_err(internal)?
        } else {
            return Ok(ask([("roots", InputRequest::ListRoots(ListRootsRequest::default()))]));
        };
        let roots = answer.roots.iter().map(|r| format!("{}={}", r.name.as_deref().unwrap_or_default(), r.uri));
        Ok(text(roots.collect::<String>()))
    }

    async fn write_note(&self, note: &str) -> Result<CallToolResponse, ErrorData> {
        *self.0.note.lock().unwrap() = note.to_owned();
        let _ = self.0.written.send(()); // nobody may listen
        let subscribers = self.0.subscribers.lock().unwrap().clone();
        for peer in subscribers {
            let _ = peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(NOTE)).await;
        }
        Ok(text("written"))
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let tools = ServerCapabilities::builder().enable_tools();
        if self.0.measured {
            return ServerConfig::new(tools.build());
        }
        #[allow(deprecated)]
        let all = tools.enable_prompts().enable_resources().enable_resources_subscribe().enable_logging();
        ServerConfig::new(all.build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let string = |name: &str| {
            let value = request.arguments.as_ref().and_then(|args| args.get(name)).and_then(Value::as_str);
            value.ok_or_else(|| invalid(format!("{name} must be a string")))
        };
        let integer = |name: &str| {
            let value = request.arguments.as_ref().and_then(|args| args.get(name)).and_then(Value::as_i64);
            value.ok_or_else(|| invalid(format!("{name} must be an integer")))
        };
        match request.name.as_ref() {
            "echo" => Ok(text(string("message")?)),
            "add" | "structured" => Ok(CallToolResult::structured(json!({"sum": integer("a")? + integer("b")?})).into()),
            "big" => {
                let line = "abcdefghij".repeat(8)[..79].to_owned() + "\n";
                let size = integer("kb")?.clamp(0, 2 << 10) as usize * 1024;
                let mut all = line.repeat(size / line.len() + 1);
                all.truncate(size);
                Ok(text(all))
            }
            "fail" => Ok(CallToolResult::error(vec![ContentBlock::text("no such luck")]).into()),
            "steps" => self.steps(&context).await,
            "wait" => self.wait(string("id")?, &context).await,
            "state" => self.state(string("id")?, string("state")?).await,
            "ask-user" => self.ask_user(&request, &context).await,
            "ask-model" => self.ask_model(string("question")?, &request, &context).await,
            "ask-roots" => self.ask_roots(&request, &context).await,
            "write-note" => self.write_note(string("text")?).await,
            other => Err(invalid(format!("unknown tool {other}"))),
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![Resource::new(NOTE, "today"), Resource::new("pic://dot", "dot")]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = match request.uri.as_str() {
            NOTE => ResourceContents::text(self.0.note.lock().unwrap().clone(), NOTE),
            "pic://dot" => ResourceContents::blob("AAH+/w==", "pic://dot"),
            uri => return Err(ErrorData::resource_not_found(format!("resource {uri} not found"), None)),
        };
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let arguments = vec![PromptArgument::new("kind").with_required(true), PromptArgument::new("about")];
        Ok(ListPromptsResult::with_all_items(vec![Prompt::new("compose", Some("Asks for a text"), Some(arguments))]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let args = json!(request.arguments);
        let kind = args["kind"].as_str().ok_or_else(|| invalid("kind is required"))?;
        let about = args["about"].as_str().unwrap_or_default();
        let message = PromptMessage::new_text(Role::User, format!("Write a {kind} about {about}."));
        Ok(GetPromptResult::new(vec![message]).into())
    }

    #[allow(deprecated)]
    async fn set_level(&self, _: SetLevelRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    #[allow(deprecated)]
    async fn subscribe(&self, _: SubscribeRequestParams, context: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.0.subscribers.lock().unwrap().push(context.peer);
        Ok(())
    }

    #[allow(deprecated)]
    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.0.subscribers.lock().unwrap().clear();
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut written = self.0.written.subscribe();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                news = written.recv() => {
                    if news.is_ok() {
                        let _ = context.sink().notify_resource_updated(NOTE).await; // it may have ended
                    }
                }
            }
        }
    }
}

pub async fn run(args: Vec<String>) -> anyhow::Result<()> {
    let after = |flag: &str| args.iter().position(|a| a == flag).and_then(|i| args.get(i + 1)).cloned();
    let count = after("-tools").map(|n| n.parse()).transpose()?.unwrap_or(3);
    let measured = !args.iter().any(|a| a == "-stdio" || a == "-http");
    let shared = Arc::new(Shared {
        measured,
        tools: if measured { measured_tools(count) } else { test_tools() },
        note: Mutex::new("nothing to do".into()),
        written: broadcast::channel(16).0,
        states: watch::channel(HashMap::new()).0,
        subscribers: Mutex::default(),
    });
    let Some(address) = after("-http").or_else(|| after("http")) else {
        Server(shared).serve(stdio()).await?.waiting().await?;
        return Ok(());
    };
    let mut config = StreamableHttpServerConfig::default();
    if args.iter().any(|a| a == "-stateless") {
        config = config.with_legacy_session_mode(false).with_json_response(true);
    }
    let service: StreamableHttpService<Server, LocalSessionManager> =
        StreamableHttpService::new(move || Ok(Server(shared.clone())), Default::default(), config);
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
