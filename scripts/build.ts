// Makes dist/, which is what npm ships: the compiled source and the texts beside it.
import {
  chmodSync,
  cpSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { root, runOrExit } from "./run.ts";

const dist = `${root}dist`;

rmSync(dist, { recursive: true, force: true });
runOrExit("tsc", ["-p", "tsconfig.build.json"]);
// The compiler writes dist/src and dist/eval; the product is dist itself, with eval in it.
for (const name of globSync("*", { cwd: `${dist}/src` }))
  renameSync(`${dist}/src/${name}`, `${dist}/${name}`);
rmSync(`${dist}/src`, { recursive: true });
for (const path of globSync("{cli,eval}/**/*.{js,ts}", { cwd: dist })) {
  const text = readFileSync(`${dist}/${path}`, "utf8");
  const moved = text.replaceAll("../src/", "../").replaceAll("../eval/", "eval/");
  if (moved !== text) writeFileSync(`${dist}/${path}`, moved);
}
for (const path of globSync("**/*.{liquid,html}", { cwd: `${root}src` }))
  cpSync(`${root}src/${path}`, `${dist}/${path}`);
chmodSync(`${dist}/cli.js`, 0o755);
