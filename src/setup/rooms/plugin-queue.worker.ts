// The Durable Object that owns the one queue of tasks, and how the rooms of the plugins wait in it: a WebSocket
// a task, which is closed when the task is over. When a room dies, the runtime closes it.
import * as z from "zod";
import { AppError, toAppError } from "../../base/errors/app-error.ts";
import {
  type AdmissionParts,
  type QueueOptions,
  type TaskPool,
  createAdmissions,
  queueFull,
} from "../../run/admissions.ts";
import { nameCaller } from "../../turn/chat-model.ts";
import { createTimers, onAbort, untilAborted } from "../../base/wire/patient-timer.ts";
import {
  type DurableObject,
  type RuntimeSocket,
  createSocketPair,
  openSocketTo,
  upgradeWith,
} from "../../base/wire/worker-sockets.worker.ts";

/** What the queue tells a room. */
const QueueMessage = z.union([
  z.object({ place: z.int() }),
  z.object({ admitted: z.literal(true) }),
  z.object({ queueLength: z.int() }),
]);
type QueueMessage = z.infer<typeof QueueMessage>;

/** @param readLimits reads the settings of the worker */
export function createPluginQueue(readLimits: (env: object) => AdmissionParts["limits"]) {
  return class PluginQueue {
    readonly #admissions;

    constructor(_: object, env: object) {
      this.#admissions = createAdmissions({
        limits: readLimits(env),
        onEnd: () => undefined,
        timers: createTimers(),
        createId: () => "",
      });
    }

    /** Opens a WebSocket that holds one place. */
    fetch(request: Request): Response {
      const { 0: client, 1: server } = createSocketPair();
      server.accept();
      const keyId = new URL(request.url).searchParams.get("caller");
      void this.#hold(server, keyId === null ? {} : { keyId });
      return upgradeWith(client);
    }

    async #hold(socket: RuntimeSocket, who: { keyId?: string }): Promise<void> {
      const gone = new AbortController();
      const leave = (): void => gone.abort();
      socket.addEventListener("close", leave);
      socket.addEventListener("error", leave);
      const tell = (message: QueueMessage): void => {
        try {
          socket.send(JSON.stringify(message));
        } catch {
          // The room has just left; the others in the queue hear their places all the same.
          leave();
        }
      };
      try {
        const admission = await this.#admissions.queue(
          { ...who, forward: () => ({}) },
          { signal: gone.signal, onPlace: (place) => tell({ place }) },
        );
        onAbort(gone.signal, () => admission.end());
        if (!gone.signal.aborted) tell({ admitted: true });
      } catch (thrown) {
        if (gone.signal.aborted) return;
        tell({ queueLength: toAppError(thrown).details.queueLength ?? 0 });
        socket.close();
      }
    }
  };
}

/** The port over that object. */
export function createQueuePool(queue: DurableObject): TaskPool {
  return {
    async enter(caller, { signal, onPlace }: QueueOptions) {
      signal.throwIfAborted();
      const who = nameCaller(caller);
      const query: Record<string, string> = who === undefined ? {} : { caller: who };
      const socket = await openSocketTo(queue, query).catch(() => Promise.reject(lost()));
      const leave = (): void => socket.close();
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      socket.addEventListener("close", () => reject(lost()));
      socket.addEventListener("message", ({ data }) => {
        const message = QueueMessage.parse(JSON.parse(String(data)));
        if ("place" in message) onPlace?.(message.place);
        else if ("admitted" in message) resolve(leave);
        else reject(queueFull(message.queueLength));
      });
      socket.accept();
      return untilAborted(promise, signal).catch((thrown: unknown) => {
        leave();
        throw thrown;
      });
    },
  };
}

/** It was deployed anew, say; what runs goes on, and what waits must ask again. */
function lost(): AppError {
  const message = { en: "The queue of tasks was restarted.", zh: "任务队列已重启。" };
  return new AppError("overloaded", message, { retryAfter: 1 });
}
