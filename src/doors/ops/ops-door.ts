import type { Door } from "../http/door.ts";

/** `/healthz` (the process lives) and `/readyz` (it takes new work); both need no key. */
export const opsDoor: Door = {
  name: "ops",
  mount(app, host) {
    app.get("/healthz", (c) => c.json({ status: "ok" }));
    app.get("/readyz", (c) => {
      const figures = host.loop === undefined ? {} : { loop: host.loop() };
      return host.isDraining
        ? c.json({ status: "draining", ...figures }, 503, { "retry-after": "5" })
        : c.json({ status: "ready", ...figures });
    });
  },
};
