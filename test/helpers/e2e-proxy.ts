// A proxy as companies have them: whole addresses for http, tunnels for https; it alone knows the names.
import { type IncomingMessage, type Server, createServer, request } from "node:http";
import { type Socket, connect } from "node:net";
import { listen } from "./e2e-upstream.ts";

export interface Proxy extends AsyncDisposable {
  url: string;
  /** `POST http://model.example/v1/chat/completions`, `CONNECT localhost:8443` */
  readonly lines: string[];
  readonly credentials: (string | undefined)[];
}

/** @param ports where the names are that it knows; every other host is asked as it is named */
export async function startProxy(ports: Readonly<Record<string, number>> = {}): Promise<Proxy> {
  const lines: string[] = [];
  const credentials: (string | undefined)[] = [];
  const tunnels = new Set<Socket>();
  const hear = ({ method, url, headers }: IncomingMessage): URL => {
    lines.push(`${method} ${url}`);
    credentials.push(headers["proxy-authorization"]);
    const found = new URL(method === "CONNECT" ? `http://${url}` : (url ?? ""));
    const port = ports[found.hostname];
    return port === undefined ? found : new URL(`http://127.0.0.1:${port}${found.pathname}`);
  };
  const server: Server = createServer((incoming, outgoing) => {
    const { method = "GET", headers } = incoming;
    const { "proxy-authorization": _, ...others } = headers;
    const onward = request(hear(incoming), { method, headers: others }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, socket) => {
    const { hostname, port } = hear(incoming);
    const onward = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    tunnels.add(onward.on("close", () => socket.destroy()));
  });
  return {
    url: await listen(server),
    lines,
    credentials,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      for (const tunnel of tunnels) tunnel.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
