// What runs in each thread of `createCodeThreads`.
import { loadGrammars } from "../load-grammars.node.ts";
import { heapSize, serveThread } from "./spawn-thread.node.ts";
import { buffersOf } from "../../code/code-facts.ts";
import { createThreadReader } from "../../code/threads/code-thread.ts";

serveThread(createThreadReader(loadGrammars(), heapSize), ({ facts }) => buffersOf(facts));
