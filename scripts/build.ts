// Makes dist/, which is what npm ships: the compiled source and the texts beside it.
import { chmodSync, cpSync, rmSync } from "node:fs";
import { root, runOrExit } from "./run.ts";

const dist = `${root}dist`;

rmSync(dist, { recursive: true, force: true });
runOrExit("tsc", ["-p", "tsconfig.build.json"]);
cpSync(`${root}src/prompt/builtin`, `${dist}/prompt/builtin`, { recursive: true });
const page = "doors/plugin/page/test-page.html";
cpSync(`${root}src/${page}`, `${dist}/${page}`);
chmodSync(`${dist}/cli.js`, 0o755);
