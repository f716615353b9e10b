import type { Server } from "node:http";

/** Listens on a free port of loopback and says where, in the words that the launcher waits for. */
export function announce(name: string, server: Server): void {
  server.listen({ port: 0, host: "127.0.0.1", backlog: 8_192 }, () => {
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error(`${name} has no port.`);
    process.stdout.write(`${name} listens on http://127.0.0.1:${address.port}\n`);
  });
}
