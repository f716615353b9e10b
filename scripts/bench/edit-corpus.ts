// Runs the edit engine on a corpus and prints what came out; the exit code is 1 if a case did harm.
//   npm run corpus:edit -- PATH     (.jsonl or .jsonl.gz; RIGHTSEAT_EDIT_CORPUS or our own where absent)
import { fileURLToPath } from "node:url";
import { isHarmful, printCorpus, readCorpus, runCorpus } from "./edit/corpus.ts";
import { fromCaller, print, runBench } from "./figures.ts";

await runBench(async () => {
  const given = process.argv[2] ?? process.env["RIGHTSEAT_EDIT_CORPUS"];
  const own = new URL("../../test/fixtures/edit/corpus.jsonl", import.meta.url);
  const path = given ? fromCaller(given) : fileURLToPath(own);
  const graded = runCorpus(readCorpus(path));
  const classes = new Set(graded.map(({ wanted }) => wanted.cls));
  print(`${path}: ${graded.length} cases in ${classes.size} classes\n\n${printCorpus(graded)}`);
  if (graded.some(isHarmful)) throw new Error("Some edits did harm.");
});
