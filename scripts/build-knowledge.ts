// Writes the index of a folder of documents and code as JSON, for Workers, which have no folders.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ConfigError } from "../src/setup/config.ts";
import { loadKnowledge } from "../src/setup/knowledge/load-knowledge.node.ts";

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) {
  console.error("Usage: npm run build:knowledge -- FOLDER OUT.json");
  process.exit(2);
}

try {
  const knowledge = await loadKnowledge(folder, { watch: false });
  const { retriever, skipped } = knowledge;
  const json = JSON.stringify(retriever);
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, json);
  await knowledge.close();
  for (const { problem, count, examples } of skipped)
    console.error(`left out ${count}, each ${problem}: ${examples.join(", ")}`);
  const size = (new TextEncoder().encode(json).length / 1e6).toFixed(1);
  console.log(
    `${out}: ${retriever.fileCount} files, ${retriever.passageCount} passages, ${size} MB`,
  );
} catch (thrown) {
  if (!(thrown instanceof ConfigError)) throw thrown;
  console.error(thrown.message);
  process.exitCode = 1;
}
