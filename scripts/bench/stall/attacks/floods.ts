// Many small things at once: frames on a WebSocket, and requests that wait for no answers.
import { requests as plugin } from "../../../../test/helpers/plugin-requests.ts";
import { frameOf } from "../../../../test/helpers/raw-plugin.ts";
import type { Attack } from "../attack.ts";

const count = 2_000;

const texts: readonly (readonly [name: string, text: string])[] = [
  ["broken JSON", '{"request_id":1,"cmd":'],
  ["nothing", ""],
  ["unknown commands", '{"request_id":1,"cmd":"nothing"}'],
  ["lists of models", '{"request_id":1,"cmd":"list_model"}'],
  ["tasks", JSON.stringify({ ...plugin.exec_chat, stream: true })],
  ["pings in text", '{"request_id":1,"cmd":"ping"}'],
];

const requests: readonly (readonly [name: string, text: string])[] = [
  ["GET /healthz", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ["GET /v1/models", "GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ["GET /nowhere", "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  [
    "POST /",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
  ],
];

const parallels = [1, 5];

export const floodAttacks: readonly Attack[] = [
  ...texts.map(([name, text]) => ({ name, isSocket: true, reads: true, piece: frameOf(text) })),
  ...[true, false].map((reads) => ({
    name: reads ? "pings" : "pings, pongs unread",
    isSocket: true,
    reads,
    piece: frameOf("x".repeat(125), { opcode: 9 }),
  })),
  ...requests.map(([name, text]) => ({
    name,
    isSocket: false,
    reads: true,
    piece: Buffer.from(text),
  })),
].flatMap(({ name, piece, ...flood }) => {
  const bytes = (): Buffer => Buffer.concat(Array.from({ length: count }, () => piece));
  return parallels.map((parallel): Attack => ({
    group: "flood",
    name: `a flood of ${name}, ${parallel} at once`,
    body: () => "",
    flood: { ...flood, bytes },
    parallel,
  }));
});
