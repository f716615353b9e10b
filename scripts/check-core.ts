// Compiles the core where there is no Node, and makes sure that there really was none: one
// `/// <reference types="node" />` in a dependency would bring it back in silence.
import { root, runOrExit } from "./run.ts";

const fewestModules = 40;

const files = runOrExit("tsc", ["-p", "tsconfig.core.json", "--listFiles"]).split("\n");
const problems = files
  .filter((file) => file.includes("/node_modules/@types/node/") || file.endsWith(".node.ts"))
  .map((file) => `${file} is part of the core`);
const modules = files.filter((file) => file.startsWith(`${root}src/`));
if (modules.length < fewestModules) problems.push(`only ${modules.length} modules were compiled`);

for (const problem of problems) console.error(problem);
console.log(`core: ${modules.length} modules without Node, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
