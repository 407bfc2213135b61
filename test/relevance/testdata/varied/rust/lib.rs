// No code: the packages that the questions are about are in Cargo.toml.
