// Loaded before the server, so that its memory can be read without what nobody holds any more.
import { writeFileSync } from "node:fs";

process.on("SIGUSR2", () => {
  globalThis.gc?.();
  const file = process.env["STALL_HEAP_FILE"];
  if (file !== undefined) writeFileSync(file, String(process.memoryUsage().heapUsed));
});
