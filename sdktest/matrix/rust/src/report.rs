//! How the program prints, and what it expects of Weir's answers. The protocol is the package comment of sdktest/matrix.
use std::{env, error::Error, fmt, future::Future, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};

pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

pub const HELLO: &str = "Grüße, 世界 👋";
pub const THOUGHT: &str = "The question was read; a simulated answer will do.";
pub const TOOL: &str = "get_weather";

/// The parameters of the function that models can call.
pub fn tool_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}},
        "required": ["city", "unit"],
        "additionalProperties": false
    })
}

/// The schema of a structured answer.
pub fn answer_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "degrees": {"type": "integer"}},
        "required": ["city", "degrees"],
        "additionalProperties": false
    })
}

/// A structured answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
pub struct Answer {
    pub city: String,
    pub degrees: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Arguments {
    city: String,
    unit: String,
}

/// Fails with what is said.
pub fn wrong<T>(what: impl fmt::Debug) -> Outcome<T> {
    Err(format!("{what:?}").into())
}

/// A variable that the harness sets.
pub fn var(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set: run this through go test ./sdktest/matrix"))
}

/// The first line. The lock file says which version was built in.
pub fn introduce(client: &str) {
    let lock = include_str!("../Cargo.lock");
    let entries = lock.split("[[package]]").filter(|p| p.contains(&format!("name = \"{client}\"\n")) && p.contains("source = "));
    let versions: Vec<&str> = entries.filter_map(|p| p.split("version = \"").nth(1)?.split('"').next()).collect();
    assert_eq!(versions.len(), 1, "{client} in Cargo.lock");
    println!("{{\"client\":{},\"version\":{},\"language\":{}}}", json!(client), json!(versions[0]), json!(format!("Rust {}", env!("RUST"))));
}

/// Tries one feature for at most 30 seconds and prints what came of it.
pub async fn feature(name: &str, run: impl Future<Output = Outcome>) {
    let outcome = tokio::time::timeout(Duration::from_secs(30), run).await;
    let (result, note) = match outcome {
        Ok(Ok(())) => ("ok", String::new()),
        Ok(Err(error)) => ("failed", error.to_string()),
        Err(_) => ("failed", "it takes too long".to_string()),
    };
    println!("{{\"feature\":{},\"result\":{},\"note\":{}}}", json!(name), json!(result), json!(note));
}

pub fn check_usage(prompt: u32, completion: u32, total: u32) -> Outcome {
    if prompt == 0 || completion == 0 || total != prompt + completion {
        return wrong(("usage", prompt, completion, total));
    }
    Ok(())
}

pub fn check_call(id: &str, name: &str, arguments: &str) -> Outcome {
    let parsed: Arguments = serde_json::from_str(arguments)?;
    if id.is_empty() || name != TOOL || parsed.unit != "celsius" {
        return wrong((id, name, arguments));
    }
    Ok(())
}

/// The simulated provider's vectors have 256 dimensions and length 1.
pub fn check_vector(vector: &[f32]) -> Outcome {
    let sum: f32 = vector.iter().map(|x| x * x).sum();
    if vector.len() != 256 || (sum - 1.0).abs() > 1e-3 {
        return wrong(("dimensions", vector.len(), "squares", sum));
    }
    Ok(())
}
