// Starts each benchmark with tiny sizes, and says which ones work. What they print is looked at by nobody,
// but for one word: a benchmark that measures nothing also ends well.
import { run } from "../run.ts";

const benches: readonly (readonly [name: string, script: string, args: string[], word: string])[] =
  [
    ["bench", "run.ts", ["--quick", "--only", "burst"], "burst"],
    [
      "stall",
      "run.ts",
      ["--only", "stall", "--attack", "gzip bomb", "--random", "0", "--rounds", "1"],
      "gzip bomb",
    ],
    ["bench:edit", "edit.ts", ["--quick"], "20 units"],
    ["corpus:edit", "edit-corpus.ts", [], "classes"],
  ];

let failures = 0;
for (const [name, script, args, word] of benches) {
  const start = performance.now();
  const { ok, text } = run("node", [`${import.meta.dirname}/${script}`, ...args]);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const works = ok && text.includes(word);
  console.log(`${works ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
  if (!works) console.log(text);
  if (!works) failures += 1;
}
process.exitCode = failures === 0 ? 0 : 1;
