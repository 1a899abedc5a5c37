//! Tells the program which compiler built it.
use std::{env, process::Command};

fn main() {
    let output = Command::new(env::var("RUSTC").unwrap()).arg("--version").output().unwrap();
    let version = String::from_utf8(output.stdout).unwrap();
    let number = version.split_whitespace().nth(1).unwrap();
    let minor: Vec<&str> = number.split('.').take(2).collect();
    println!("cargo::rustc-env=RUST={}", minor.join("."));
    println!("cargo::rerun-if-changed=build.rs");
}
