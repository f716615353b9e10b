// Runs the edit engine on a corpus and prints what came out. The exit code is 1 if a text was wrong,
// half a text came with an error, a success changed nothing, or the engine threw.
//   npm run corpus:edit -- PATH     (.jsonl or .jsonl.gz; RIGHTSEAT_EDIT_CORPUS or our own where absent)
import { fileURLToPath } from "node:url";
import { readCorpus } from "./edit/edit-case.ts";
import { fromCaller } from "./from-caller.ts";
import type { Grade } from "./edit/grade.ts";
import { printCorpus } from "./edit/print-corpus.ts";
import { runCorpus } from "./edit/run-corpus.ts";

const ownCorpus = fileURLToPath(new URL("../../test/fixtures/edit/corpus.jsonl", import.meta.url));
const harmful: readonly Grade[] = ["W", "P", "Z", "X"];

try {
  const given = process.argv[2] ?? process.env["RIGHTSEAT_EDIT_CORPUS"];
  const path = given ? fromCaller(given) : ownCorpus;
  const graded = runCorpus(readCorpus(path));
  const classes = new Set(graded.map(({ wanted }) => wanted.cls));
  process.stdout.write(
    `${path}: ${graded.length} cases in ${classes.size} classes\n\n${printCorpus(graded)}\n`,
  );
  process.exitCode = graded.some(({ grade }) => harmful.includes(grade)) ? 1 : 0;
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
}
