// What runs in each thread of `createCodeThreads`.
import { loadGrammars } from "../load-grammars.node.ts";
import { heapSize, serveThread } from "./spawn-thread.node.ts";
import { buffersOf } from "../../code/code-facts.ts";
import { createCodeThread } from "../../code/threads/code-thread.ts";

serveThread(createCodeThread(loadGrammars(), heapSize), (answer) =>
  "facts" in answer ? buffersOf(answer.facts) : [],
);
