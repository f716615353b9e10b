#!/usr/bin/env node
import { defineCommand, runMain } from "citty";
import { showUsage } from "./cli/show-usage.ts";
import { productVersion } from "./node.ts";

const command = defineCommand({
  meta: {
    name: "rightseat",
    version: productVersion(),
    description: "The agent in the copilot's other seat",
  },
  // Loaded on demand, so that each command starts as fast as it can.
  subCommands: {
    serve: () => import("./cli/serve.ts").then((module) => module.serve),
    call: () => import("./cli/call.ts").then((module) => module.call),
    edit: () => import("./cli/edit.ts").then((module) => module.edit),
    lint: () => import("./cli/lint.ts").then((module) => module.lint),
    schema: () => import("./cli/schema.ts").then((module) => module.schema),
  },
});

await runMain(command, { showUsage });
