#!/usr/bin/env node
// Everything else is loaded where this Node is new enough for it; an older one would fail midway.
import { checkNode } from "./setup/check-node.node.ts";

const problem = checkNode(process.versions.node);
if (problem === undefined) {
  const { run } = await import("./cli/commands.ts");
  await run();
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
