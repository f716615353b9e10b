// A process that appends to a file of SQLite until somebody kills it, and prints what was acknowledged: a line for each
// append with its id, its position and how many entries it had.
import { openSqliteStore } from "../../src/store/sqlite-store.node.ts";

const [path = "", name = ""] = process.argv.slice(2);
const store = openSqliteStore({ path, now: Date.now });

async function write(writer: number): Promise<never> {
  for (let nth = 0; ; nth++) {
    const id = `${name}.${writer}.${nth}`;
    const entries = Array.from({ length: 1 + (nth % 4) }, (_, entry) => `${id}.${entry}`);
    const position = await store.append("log", entries, { id });
    process.stdout.write(`${id} ${position} ${entries.length}\n`);
    if (nth % 8 === 0) await store.put(`value:${name}.${writer}`, `${nth}`);
  }
}

// Several at a time, so that they share transactions.
await Promise.all([write(0), write(1), write(2)]);
