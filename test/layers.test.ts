import { expect, test } from "vitest";
import { findViolations, readModules } from "../scripts/check-layers.ts";

/** Enough modules that say nothing, and those of the case. */
function among(modules: Record<string, string>): Map<string, string> {
  const filler = Array.from({ length: 40 }, (_, at) => [`base/filler-${at}.ts`, ""] as const);
  return new Map([...filler, ...Object.entries(modules)]);
}

test("the source keeps its layers", () => {
  expect(findViolations(readModules())).toEqual([]);
});

test("a checker that sees too little fails", () => {
  expect(findViolations(new Map())).toEqual(["saw only 0 modules"]);
});

test("imports that point down, and within one room, are fine", () => {
  const modules = among({
    "base/app-error.ts": "",
    "turn/turn.ts": 'import type { A } from "../base/app-error.ts";\nimport { z } from "zod";',
    "doors/guards.ts": 'import { Hono } from "hono";',
    "doors/copilot/door.ts": 'import { jwk } from "hono/jwk";\nimport { g } from "../guards.ts";',
    "app.ts": 'import { Hono } from "hono";\nimport { d } from "./doors/copilot/door.ts";',
    "load-it.node.ts": 'import { readFileSync } from "node:fs";',
    "load-it.worker.ts": 'import text from "./prompt/en.liquid";',
    "node.ts": 'import { load } from "./load-it.node.ts";\nimport { app } from "./app.ts";',
    "worker.ts":
      'import { load } from "./load-it.worker.ts";\nimport it from "../package.json" with { type: "json" };',
    "cli.ts": 'import { start } from "./node.ts";\nconst serve = () => import("./cli/serve.ts");',
    "cli/serve.ts": 'import { start } from "../node.ts";',
    "setup/start.ts": "const timers = { now: Date.now };",
    "run/keys.ts":
      "// Unlike Date.now() it can be set.\nconst now = deps.now();\nconst keys = await deps.fetch(url);",
    "index.ts":
      '// import { start } from "./node.ts";\n/** import "./node.ts"; */\nexport { app } from "./app.ts";',
  });
  expect(findViolations(modules)).toEqual([]);
});

test.each([
  [
    "a lower folder that imports a higher one",
    { "base/a.ts": 'import { t } from "../turn/t.ts";', "turn/t.ts": "" },
    "base/a.ts imports ../turn/t.ts: turn/ stands above base/",
  ],
  [
    "the same by a type, over several lines",
    { "base/a.ts": 'import type {\n  T,\n} from "../doors/t.ts";', "doors/t.ts": "" },
    "base/a.ts imports ../doors/t.ts: doors/ stands above base/",
  ],
  [
    "the same by a re-export",
    { "base/a.ts": 'export * from "../model/t.ts";', "model/t.ts": "" },
    "base/a.ts imports ../model/t.ts: model/ stands above base/",
  ],
  [
    "the same by an import for its effects",
    { "base/a.ts": 'import "../model/t.ts";', "model/t.ts": "" },
    "base/a.ts imports ../model/t.ts: model/ stands above base/",
  ],
  [
    "the same by a dynamic import",
    { "base/a.ts": 'const t = await import("../model/t.ts");', "model/t.ts": "" },
    "base/a.ts imports ../model/t.ts: model/ stands above base/",
  ],
  [
    "a folder that imports a root file",
    { "doors/a.ts": 'import { c } from "../config.ts";', "config.ts": "" },
    "doors/a.ts imports ../config.ts: the root stands above doors/",
  ],
  [
    "a root file that imports an entry",
    { "app.ts": 'import { s } from "./cli/serve.ts";', "cli/serve.ts": "" },
    "app.ts imports ./cli/serve.ts: an entry stands above the root",
  ],
  [
    "a folder that nobody knows",
    { "utils/a.ts": "" },
    "utils/ has no place in the list of folders",
  ],
  [
    "a door that imports another door",
    {
      "doors/openai/a.ts": 'import { s } from "../copilot/schema.ts";',
      "doors/copilot/schema.ts": "",
    },
    "doors/openai/a.ts imports ../copilot/schema.ts: a door never imports another door",
  ],
  [
    "hono outside of the doors",
    { "flows/a.ts": 'import { streamSSE } from "hono/streaming";' },
    "flows/a.ts imports hono/streaming: hono stays in doors/ and app.ts",
  ],
  [
    "openai, even for its types: users would have to install it",
    { "model/a.ts": 'import type OpenAI from "openai";' },
    "model/a.ts imports openai: openai is a client for tests",
  ],
  [
    "a Node file in the core",
    { "app.ts": 'import { l } from "./load.node.ts";', "load.node.ts": "" },
    "app.ts imports ./load.node.ts: *.node.ts is for node.ts, cli.ts, cli/ and other *.node.ts",
  ],
  [
    "a Node file in the worker",
    { "worker.ts": 'import { l } from "./load.node.ts";', "load.node.ts": "" },
    "worker.ts imports ./load.node.ts: *.node.ts is for node.ts, cli.ts, cli/ and other *.node.ts",
  ],
  [
    "the evaluation in the product",
    { "setup/a.ts": 'const e = import("../../eval/eval.ts");' },
    "setup/a.ts imports ../../eval/eval.ts: eval/ stands above src/; cli/commands.ts is its only way in",
  ],
  [
    "a Workers file outside of the worker",
    { "node.ts": 'import { l } from "./load.worker.ts";', "load.worker.ts": "" },
    "node.ts imports ./load.worker.ts: *.worker.ts is for worker.ts and other *.worker.ts",
  ],
  [
    "a cycle",
    {
      "turn/a.ts": 'import { b } from "./b.ts";',
      "turn/b.ts": 'import { c } from "./c.ts";',
      "turn/c.ts": 'import type { A } from "./a.ts";',
    },
    "import cycle: turn/a.ts -> turn/b.ts -> turn/c.ts -> turn/a.ts",
  ],
  [
    "an import that leads nowhere",
    { "turn/a.ts": 'import { b } from "./gone.ts";' },
    "turn/a.ts imports ./gone.ts: there is no such module",
  ],
  [
    "a clock that was not passed in",
    { "flows/a.ts": "const start = Date.now();" },
    "flows/a.ts uses Date.now: it is passed in",
  ],
  [
    "the same as a default",
    { "base/a.ts": "const defaults = { now: performance.now };" },
    "base/a.ts uses performance.now: it is passed in",
  ],
  [
    "a fetch that was not passed in",
    { "knowledge/a.ts": "const answer = await fetch(url);" },
    "knowledge/a.ts uses fetch(: it is passed in",
  ],
])("%s is found", (_, modules, violation) => {
  expect(findViolations(among(modules))).toEqual([violation]);
});
