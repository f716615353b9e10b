import { WebSocket } from "ws";

/** Opens `/ws` many times at once, but not all: a server takes so many connections in its turn. */
export async function openPlugins(url: string, count: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(50, count - sockets.length) }, () =>
      openPlugin(url),
    );
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

async function openPlugin(url: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`, { perMessageDeflate: false });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  return socket;
}
