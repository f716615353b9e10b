// Several processes that serve one port: the first one starts the others, passes on what they publish, and ends them.
import cluster, { type Worker } from "node:cluster";
import { getLogger } from "@logtape/logtape";
import type { Config } from "../setup/config.ts";
import type { TopicWire } from "../store/sqlite-store.node.ts";

interface Published {
  topic: string;
  message: string;
}

/** One that dies is started again after this, in milliseconds. */
const restartPause = 1_000;

/**
 * Starts the processes and stays with them: one that dies is started again, SIGTERM ends all in good order, SIGHUP
 * starts new ones, with the files as they are by then, before the old ones end.
 *
 * @returns the exit code, when all have ended
 */
export function leadProcesses({ processes, stateKeys }: Config): Promise<number> {
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
  // What one seals another opens.
  const shared = stateKeys.length > 0 ? {} : { RIGHTSEAT_STATE_KEYS: `run:${key}` };
  const leaving = new Set<Worker>();
  let isClosing = false;
  let exitCode = 0;
  const start = (): Worker => cluster.fork(shared);
  const end = (worker: Worker): void => {
    leaving.add(worker);
    worker.process.kill("SIGTERM");
  };
  const current = (): Worker[] =>
    Object.values(cluster.workers ?? {}).filter(
      (worker): worker is Worker => worker !== undefined && !leaving.has(worker),
    );
  cluster.on("message", (from, published: Published) => {
    for (const worker of Object.values(cluster.workers ?? {}))
      if (worker !== undefined && worker !== from && worker.isConnected()) worker.send(published);
  });
  return new Promise((resolve) => {
    const listening = new Set<Worker>();
    cluster.on("listening", (worker) => void listening.add(worker));
    cluster.on("exit", (worker, code, signal) => {
      const isLast = Object.keys(cluster.workers ?? {}).length === 0;
      if (isClosing || leaving.delete(worker)) {
        if (isClosing && isLast) resolve(exitCode);
        return;
      }
      // It has said why, and the next one would end in the same way.
      if (!listening.has(worker)) {
        isClosing = true;
        exitCode = code || 1;
        for (const other of current()) end(other);
        if (isLast) resolve(exitCode);
        return;
      }
      getLogger(["rightseat", "app"]).warn("a process has ended ({why}); another one starts", {
        why: signal || code,
      });
      setTimeout(() => {
        if (!isClosing) start();
      }, restartPause);
    });
    const close = (): void => {
      // A second signal ends everything at once.
      if (isClosing) for (const worker of current()) worker.process.kill("SIGKILL");
      isClosing = true;
      for (const worker of current()) end(worker);
    };
    process.on("SIGTERM", close);
    process.on("SIGINT", close);
    process.on("SIGHUP", () => {
      const old = current();
      for (const worker of old)
        start().once("listening", () => {
          if (worker.isConnected()) end(worker);
        });
    });
    for (let nth = 0; nth < processes; nth += 1) start();
  });
}

/** Whether this process is one of several; `isFirst`: it says where they listen. */
export function processRole(): { isFirst: boolean } | undefined {
  return cluster.worker === undefined ? undefined : { isFirst: cluster.worker.id === 1 };
}

/** What is published here goes to the other processes by way of the first one. */
export function processWire(): TopicWire {
  return {
    send: (topic, message) => void process.send?.({ topic, message } satisfies Published),
    receive(take) {
      process.on("message", (published: Published) => {
        if (typeof published?.topic === "string") take(published.topic, published.message);
      });
    },
  };
}
