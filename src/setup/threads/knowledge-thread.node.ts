// What runs in the thread of `loadKnowledge`.
import { createFileCutter } from "../../knowledge/cut-file.ts";
import { loadGrammars } from "../load-grammars.node.ts";
import { heapSize, serveThread } from "./spawn-thread.node.ts";

serveThread(createFileCutter(loadGrammars(), heapSize));
