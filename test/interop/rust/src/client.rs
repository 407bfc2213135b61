//! Clients made with rmcp.
//!
//!     rmcp-peers client REVISION URL | COMMAND ARGS...     does what standard input says, for tests
//!     rmcp-peers measure REVISION URL | COMMAND ARGS...    calls echo as often as standard input says

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

use anyhow::Context;
use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::*,
    service::{ClientLifecycleMode, ClientServiceExt, NotificationContext, RequestContext, RunningService, Subscription},
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Command,
    sync::Notify,
};

const NOTE: &str = "note://today";

struct Client {
    revision: String,
}

fn say(line: Value) {
    println!("{line}");
}

fn event(text: String) {
    say(json!({"event": text}));
}

fn changed(what: &str) {
    event(format!("changed {what}"));
}

#[allow(deprecated)]
impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        serde_json::from_value(json!({
            "protocolVersion": self.revision,
            "capabilities": {"roots": {"listChanged": true}, "sampling": {}, "elicitation": {"form": {}, "url": {}}},
            "clientInfo": {"name": "rmcp", "version": "3"},
        }))
        .unwrap()
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let answer = json!({"role": "assistant", "model": "parrot", "content": params.messages[0].content});
        serde_json::from_value(answer).map_err(|err| ErrorData::internal_error(err.to_string(), None))
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        let mut root = Root::new("file:///home/ada");
        root.name = Some("home".into());
        Ok(ListRootsResult::new(vec![root]))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let request = json!(request);
        let accepted = ElicitResult::new(ElicitationAction::Accept);
        if let Some(url) = request["url"].as_str() {
            event(format!("sent to {url}"));
            return Ok(accepted);
        }
        let friend = request["message"].as_str().unwrap_or_default().contains("friend");
        Ok(accepted.with_content(json!({"name": if friend { "Grace" } else { "Ada" }})))
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let (total, message) = (params.total.unwrap_or_default(), params.message.unwrap_or_default());
        event(format!("progress {}/{total} {message}", params.progress));
    }

    async fn on_logging_message(&self, params: LoggingMessageNotificationParam, _: NotificationContext<RoleClient>) {
        let data = params.data.as_str().map_or_else(|| params.data.to_string(), str::to_owned);
        let level = json!(params.level);
        event(format!("log {} {}: {data}", level.as_str().unwrap_or_default(), params.logger.unwrap_or_default()));
    }

    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        event(format!("updated {}", params.uri));
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        changed("tools");
    }

    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        changed("prompts");
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        changed("resources");
    }
}

type Service = RunningService<RoleClient, Client>;

/// Connects in the revision to the URL or the command.
async fn connect(args: &[String]) -> anyhow::Result<Service> {
    let [revision, target, rest @ ..] = args else {
        anyhow::bail!("say REVISION and URL or COMMAND");
    };
    let version: ProtocolVersion = serde_json::from_value(json!(revision))?;
    let lifecycle = if revision.as_str() < "2026-07-28" {
        ClientLifecycleMode::Initialize
    } else {
        ClientLifecycleMode::Discover { preferred_versions: vec![version] }
    };
    let client = Client { revision: revision.clone() };
    if target.starts_with("http") {
        let transport = StreamableHttpClientTransport::from_uri(target.as_str());
        return Ok(client.serve_with_lifecycle(transport, lifecycle).await?);
    }
    let mut command = Command::new(target);
    command.args(rest);
    Ok(client.serve_with_lifecycle(TokioChildProcess::new(command)?, lifecycle).await?)
}

struct Driver {
    service: Service,
    modern: bool,
    unsubscribe: Arc<Notify>,
}

/// Does what standard input says, each request on a task of its own.
pub async fn drive(args: Vec<String>) -> anyhow::Result<()> {
    let service = match connect(&args).await {
        Ok(service) => service,
        Err(err) => {
            say(json!({"id": 0, "error": format!("{err:#}")}));
            return Ok(());
        }
    };
    let revision = service.peer().peer_info().context("no revision was negotiated")?.protocol_version.to_string();
    say(json!({"id": 0, "value": revision}));
    let modern = revision.as_str() >= "2026-07-28";
    let driver = Arc::new(Driver { service, modern, unsubscribe: Arc::default() });
    let running = Arc::new(Mutex::new(HashMap::new()));
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let request: Value = serde_json::from_str(&line)?;
        if let Some(id) = request["cancel"].as_i64() {
            let task: Option<tokio::task::JoinHandle<()>> = running.lock().unwrap().remove(&id);
            if let Some(task) = task {
                task.abort(); // rmcp cancels a request that is dropped
            }
            continue;
        }
        let id = request["id"].as_i64().context("a request has no id")?;
        let (driver, finished) = (driver.clone(), running.clone());
        let mut tasks = running.lock().unwrap();
        tasks.insert(
            id,
            tokio::spawn(async move {
                say(match driver.perform(&request).await {
                    Ok(value) => json!({"id": id, "value": value}),
                    Err(err) => json!({"id": id, "error": format!("{err:#}")}),
                });
                finished.lock().unwrap().remove(&id);
            }),
        );
    }
    if let Some(driver) = Arc::into_inner(driver) {
        driver.service.cancel().await?;
    }
    Ok(())
}

impl Driver {
    async fn perform(&self, request: &Value) -> anyhow::Result<Value> {
        let peer = self.service.peer();
        let text = |name: &str| request[name].as_str().unwrap_or_default().to_owned();
        Ok(match request["op"].as_str().unwrap_or_default() {
            "tools" => json!(peer.list_all_tools().await?.iter().map(|t| &t.name).collect::<Vec<_>>()),
            "prompts" => json!(peer.list_all_prompts().await?.iter().map(|p| &p.name).collect::<Vec<_>>()),
            "resources" => json!(peer.list_all_resources().await?.iter().map(|r| &r.uri).collect::<Vec<_>>()),
            "templates" => {
                json!(peer.list_all_resource_templates().await?.iter().map(|t| &t.uri_template).collect::<Vec<_>>())
            }
            "call" => {
                let mut params: CallToolRequestParams =
                    serde_json::from_value(json!({"name": request["tool"], "arguments": request["args"]}))?;
                if self.modern {
                    params.meta = Some(serde_json::from_value(json!({"io.modelcontextprotocol/logLevel": "info"}))?);
                }
                let result = self.service.call_tool(params).await?;
                let said = result.content.iter().filter_map(|c| c.as_text()).map(|t| t.text.as_str());
                json!({
                    "text": said.collect::<String>(),
                    "structured": result.structured_content,
                    "failed": result.is_error.unwrap_or(false),
                })
            }
            "read" => {
                let params = serde_json::from_value(json!({"uri": request["uri"]}))?;
                json!(self.service.read_resource(params).await?.contents[0])
            }
            "prompt" => {
                let params = serde_json::from_value(json!({"name": request["name"], "arguments": request["args"]}))?;
                let result = json!(self.service.get_prompt(params).await?);
                let messages = result["messages"].as_array().context("no messages")?.iter().map(|m| {
                    let part = |v: &Value| v.as_str().unwrap_or_default().to_owned();
                    let (role, content) = (part(&m["role"]), &m["content"]);
                    match content["resource"].as_object() {
                        Some(r) => format!("{role}: resource {}: {}", part(&r["uri"]), part(&r["text"])),
                        None => format!("{role}: {}", part(&content["text"])),
                    }
                });
                json!(messages.collect::<Vec<_>>())
            }
            "complete" => {
                let kind = text("kind");
                let key = if kind == "ref/prompt" { "name" } else { "uri" };
                let mut params = json!({
                    "ref": {"type": kind, key: request["ref"]},
                    "argument": {"name": request["argument"], "value": request["typed"]},
                });
                if request["chosen"].is_object() {
                    params["context"] = json!({"arguments": request["chosen"]});
                }
                json!(peer.complete(serde_json::from_value(params)?).await?.completion.values)
            }
            "logs" => {
                if !self.modern {
                    #[allow(deprecated)]
                    peer.set_level(SetLevelRequestParams::new(LoggingLevel::Info)).await?;
                }
                Value::Null
            }
            "subscribe" => {
                self.subscribe().await?;
                Value::Null
            }
            "unsubscribe" => {
                if self.modern {
                    self.unsubscribe.notify_one();
                } else {
                    #[allow(deprecated)]
                    peer.unsubscribe(serde_json::from_value(json!({"uri": NOTE}))?).await?;
                }
                Value::Null
            }
            op => anyhow::bail!("there is no op {op}"),
        })
    }

    async fn subscribe(&self) -> anyhow::Result<()> {
        let peer = self.service.peer();
        if !self.modern {
            #[allow(deprecated)]
            peer.subscribe(serde_json::from_value(json!({"uri": NOTE}))?).await?;
            return Ok(());
        }
        let lists = SubscriptionFilter::builder().tools_list_changed().prompts_list_changed().resources_list_changed();
        let note = SubscriptionFilter::builder().resource_subscriptions([NOTE]);
        report(peer.listen(lists.build()).await?, Arc::default());
        report(peer.listen(note.build()).await?, self.unsubscribe.clone());
        Ok(())
    }
}

/// Reports what a subscription receives.
fn report(mut subscription: Subscription, unsubscribe: Arc<Notify>) {
    tokio::spawn(async move {
        loop {
            let news = tokio::select! {
                news = subscription.next() => news,
                () = unsubscribe.notified() => {
                    let _ = subscription.cancel().await; // the server may have gone
                    return;
                }
            };
            let Ok(Some(news)) = news else { return };
            match news {
                ServerNotification::ResourceUpdatedNotification(n) => event(format!("updated {}", n.params.uri)),
                ServerNotification::ToolListChangedNotification(_) => changed("tools"),
                ServerNotification::PromptListChangedNotification(_) => changed("prompts"),
                ServerNotification::ResourceListChangedNotification(_) => changed("resources"),
                _ => {}
            }
        }
    });
}

/// Reads lines with a number of calls and how many of them are in flight, makes
/// them, and prints a line when they have been answered.
pub async fn measure(args: Vec<String>) -> anyhow::Result<()> {
    const MESSAGE: &str = "hello, world";
    let service = Arc::new(connect(&args).await?);
    println!("connected");
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let (calls, in_flight) = line.split_once(' ').context("say CALLS IN_FLIGHT")?;
        let left = Arc::new(AtomicI64::new(calls.parse()?));
        let mut callers = tokio::task::JoinSet::new();
        for _ in 0..in_flight.parse::<usize>()? {
            let (service, left) = (service.clone(), left.clone());
            callers.spawn(async move {
                while left.fetch_sub(1, Ordering::Relaxed) > 0 {
                    let mut arguments = JsonObject::new();
                    arguments.insert("message".into(), MESSAGE.into());
                    let result = service.call_tool(CallToolRequestParams::new("echo").with_arguments(arguments)).await?;
                    if result.content[0].as_text().is_none_or(|t| t.text != MESSAGE) {
                        anyhow::bail!("the call was not answered with {MESSAGE}");
                    }
                }
                Ok(())
            });
        }
        while let Some(done) = callers.join_next().await {
            done??;
        }
        println!("done");
    }
    Ok(())
}
