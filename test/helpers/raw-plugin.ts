// A plugin on a bare TCP socket, which sends every byte that a WebSocket client must not.
import { type Socket, connect } from "node:net";
import { once } from "node:events";

interface HeardFrame {
  /** 1 text, 8 close, 9 ping, 10 pong. */
  opcode: number;
  payload: Buffer;
}

export interface RawPlugin {
  socket: Socket;
  /** The next frame; undefined when the connection is over. */
  next: () => Promise<HeardFrame | undefined>;
  /** The code with which the server closes it, whatever comes before; undefined where it just cuts. */
  closeCode: () => Promise<number | undefined>;
  /** Resolves when the connection is over. */
  over: Promise<void>;
}

export interface FrameOptions {
  opcode?: number;
  isLast?: boolean;
  isMasked?: boolean;
  /** Instead of the payload's own. */
  length?: bigint;
}

/** A frame of a client, whose mask changes nothing. */
export function frameOf(payload: string | Uint8Array, options: FrameOptions = {}): Buffer {
  const { opcode = 1, isLast = true, isMasked = true } = options;
  const bytes = Buffer.from(payload);
  const length = options.length ?? BigInt(bytes.byteLength);
  const [size, wide] = length < 126n ? [Number(length), 0] : length < 65_536n ? [126, 2] : [127, 8];
  const head = Buffer.alloc(2 + wide);
  head[0] = (isLast ? 0x80 : 0) | opcode;
  head[1] = (isMasked ? 0x80 : 0) | size;
  if (wide === 2) head.writeUInt16BE(Number(length), 2);
  if (wide === 8) head.writeBigUInt64BE(length, 2);
  return Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0), bytes]);
}

/** @param first goes out with the request for the upgrade, in one piece */
export async function openRawPlugin(
  url: string,
  headers: Readonly<Record<string, string>>,
  first: Buffer = Buffer.alloc(0),
): Promise<RawPlugin> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const over = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
  socket.write(Buffer.concat([Buffer.from(upgradeOf(`${hostname}:${port}`, headers)), first]));
  let buffered = Buffer.alloc(0);
  const read = async (): Promise<boolean> => {
    if (socket.destroyed) return false;
    const bytes = await Promise.race([once(socket, "data"), over]);
    if (bytes === undefined) return false;
    socket.pause();
    buffered = Buffer.concat([buffered, bytes[0] as Buffer]);
    return true;
  };
  const fill = async (): Promise<boolean> => {
    const filled = read();
    socket.resume();
    return filled;
  };
  while (!buffered.includes("\r\n\r\n")) if (!(await fill())) throw new Error("refused");
  const end = buffered.indexOf("\r\n\r\n");
  const [status = ""] = buffered.toString("latin1", 0, end).split("\r\n");
  if (!status.includes(" 101 ")) throw new Error(`refused with ${status}`);
  buffered = buffered.subarray(end + 4);
  const next = async (): Promise<HeardFrame | undefined> => {
    for (;;) {
      const taken = takeFrame(buffered);
      if (taken !== undefined) {
        buffered = buffered.subarray(taken.length);
        return taken.frame;
      }
      if (!(await fill())) return undefined;
    }
  };
  const closeCode = async (): Promise<number | undefined> => {
    for (;;) {
      const frame = await next();
      if (frame === undefined) return undefined;
      if (frame.opcode === 8) return frame.payload.readUInt16BE(0);
    }
  };
  return { socket, next, closeCode, over };
}

function upgradeOf(host: string, headers: Readonly<Record<string, string>>): string {
  const lines = [
    "GET /ws HTTP/1.1",
    `Host: ${host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** A frame of a server, which is not masked. */
function takeFrame(bytes: Buffer): { frame: HeardFrame; length: number } | undefined {
  const size = (bytes[1] ?? 0) & 0x7f;
  const wide = size === 126 ? 2 : size === 127 ? 8 : 0;
  if (bytes.byteLength < 2 + wide) return undefined;
  const long = wide === 8 ? Number(bytes.readBigUInt64BE(2)) : size;
  const length = wide === 2 ? bytes.readUInt16BE(2) : long;
  const start = 2 + wide;
  if (bytes.byteLength < start + length) return undefined;
  const payload = bytes.subarray(start, start + length);
  return { frame: { opcode: (bytes[0] ?? 0) & 0x0f, payload }, length: start + length };
}

/** The next text, read as JSON; pings before it are answered. */
export async function takeText({ next, socket }: RawPlugin): Promise<Record<string, unknown>> {
  for (;;) {
    const heard = await next();
    if (heard === undefined) throw new Error("the connection is over");
    if (heard.opcode === 9) socket.write(frameOf(heard.payload, { opcode: 10 }));
    if (heard.opcode === 1) return JSON.parse(heard.payload.toString()) as Record<string, unknown>;
  }
}
