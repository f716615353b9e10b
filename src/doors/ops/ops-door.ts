import { Hono } from "hono";
import type { LoopFigures } from "../../turn/loop-figures.ts";
import type { ActiveTurns } from "../../run/active-turns.ts";

/**
 * `/healthz` (the process lives) and `/readyz` (it takes new work); both need no key.
 *
 * @param loop how long the event loop was held, where that is measured
 */
export function opsDoor(turns: ActiveTurns, loop?: () => LoopFigures): Hono {
  const app = new Hono();
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", (c) => {
    const figures = loop === undefined ? {} : { loop: loop() };
    return turns.isDraining
      ? c.json({ status: "draining", ...figures }, 503, { "retry-after": "5" })
      : c.json({ status: "ready", ...figures });
  });
  return app;
}
