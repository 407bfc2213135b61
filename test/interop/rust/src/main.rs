//! A server and clients made with rmcp, in one program.

mod client;
mod server;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let what = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    match what.as_str() {
        "server" => server::run(rest).await,
        "client" => client::drive(rest).await,
        "measure" => client::measure(rest).await,
        _ => anyhow::bail!("say server, client or measure"),
    }
}
