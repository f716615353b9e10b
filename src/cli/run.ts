import { defineCommand, runMain } from "citty";
import { productVersion } from "../node.ts";
import { enterCallerDirectory } from "./enter-caller-directory.ts";
import { showUsage } from "./show-usage.ts";

const command = defineCommand({
  meta: {
    name: "rightseat",
    version: productVersion(),
    description: "The agent in the copilot's other seat",
  },
  // Loaded on demand, so that each command starts as fast as it can.
  subCommands: {
    serve: () => import("./serve.ts").then((module) => module.serve),
    call: () => import("./call.ts").then((module) => module.call),
    edit: () => import("./edit.ts").then((module) => module.edit),
    lint: () => import("./lint.ts").then((module) => module.lint),
    eval: () => import("./eval.ts").then((module) => module.evaluate),
    schema: () => import("./schema.ts").then((module) => module.schema),
  },
});

/** Runs what the command line asks for. */
export function run(): Promise<void> {
  enterCallerDirectory(process.env);
  return runMain(command, { showUsage });
}
