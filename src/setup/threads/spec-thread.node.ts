// What runs in the thread of `createSpecReader`.
import { heapSize, serveThread } from "./spawn-thread.node.ts";
import type { SpecAnswer } from "./create-spec-reader.node.ts";
import { readYaml } from "../../tools/specs/spec-document.ts";

serveThread(async (text: string): Promise<SpecAnswer> => {
  const read = await readYaml(text);
  // A text is handed over much faster than what it says.
  const answer = "fault" in read ? read : { json: JSON.stringify(read.value) };
  return { ...answer, isSpent: heapSize() > maxHeap, isLarge: false };
});

/** In bytes. */
const maxHeap = 134_217_728;
