import { Hono } from "hono";
import type { ActiveTurns } from "../active-turns.ts";

/** `/healthz` (the process lives) and `/readyz` (it takes new work); both need no key. */
export function opsDoor(turns: ActiveTurns): Hono {
  const app = new Hono();
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", (c) =>
    turns.isDraining
      ? c.json({ status: "draining" }, 503, { "retry-after": "5" })
      : c.json({ status: "ready" }),
  );
  return app;
}
