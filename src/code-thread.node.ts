// What runs in each thread of `createCodeThreads`.
import { loadGrammars } from "./load-grammars.node.ts";
import { serveThread } from "./spawn-thread.node.ts";
import { buffersOf } from "./symbols/code-facts.ts";
import { createThreadReader } from "./symbols/code-thread.ts";

serveThread(createThreadReader(loadGrammars()), ({ facts }) => buffersOf(facts));
