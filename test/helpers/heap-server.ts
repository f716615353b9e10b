// Runs the product in a process of its own, which tells after a full collection what it holds. Start it with --expose-gc.
import { queryObjects } from "node:v8";
import { WebSocket } from "ws";
import { FrameWriter } from "../../src/doors/plugin/frame-writer.ts";
import { PluginConnection } from "../../src/doors/plugin/plugin-connection.ts";
import { PluginTask } from "../../src/doors/plugin/plugin-task.ts";
import { startServer } from "../../src/start-server.node.ts";

export interface Held {
  /** Connections, tasks and the like. */
  ours: number;
  /** Objects of all kinds. */
  all: number;
}

const kinds = [WebSocket, PluginConnection, PluginTask, FrameWriter];
const server = await startServer();
process.send?.({ url: server.url });
process.on("message", (asked) => {
  if (asked === "collect") void collect().then((held) => process.send?.(held));
  else {
    gc?.();
    process.send?.(process.memoryUsage.rss());
  }
});
process.on("disconnect", () => process.exit(0));

/** Each count looks at the whole heap, which takes a while. */
async function collect(): Promise<Held> {
  for (let nth = 0; nth < 4; nth += 1) {
    gc?.();
    // What was finalized goes with the next one.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const count = (kind: Function): number => queryObjects(kind, { format: "count" });
  return { ours: kinds.map(count).reduce((sum, one) => sum + one, 0), all: count(Object) };
}
