#!/usr/bin/env node
// Starts the binary of the package for this platform, which npm has installed as an
// optional dependency.
"use strict";

const { spawn } = require("node:child_process");

const name = `@SCOPE/${process.platform}-${process.arch}`;
const file = `bin/docent${process.platform === "win32" ? ".exe" : ""}`;
let binary;
try {
  binary = require.resolve(`${name}/${file}`);
} catch {
  console.error(
    `docent: the package ${name} is not installed. Either there is no build for this platform, ` +
      "or npm was told to leave out optional dependencies: install again without --omit=optional.",
  );
  process.exit(1);
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`docent: ${binary} cannot be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    return;
  }
  process.exit(code);
});
