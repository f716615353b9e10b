// Thousands of calls of a model that wants to change what it may not: what servers and a device were told is looked at.
import { once } from "node:events";
import { type IncomingMessage, type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as fc from "fast-check";
import modbusSerial from "modbus-serial";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cases } from "../../helpers/cases.ts";
import { createModbus } from "../../../src/tools/specs/modbus-serial.node.ts";
import type { AskedCall } from "../../../src/tools/tool.ts";
import { freePort } from "../../helpers/free-port.ts";
import { apiOf, openSpecs } from "../../helpers/spec-tools.ts";

interface Heard {
  method: string;
  url: string;
  body: string;
}

const heard: Heard[] = [];
const registers = new Map<number, number>();
const changes: string[] = [];
let web: Server;
let device: InstanceType<typeof modbusSerial.ServerTCP>;
let [webPort, devicePort] = [0, 0];

beforeAll(async () => {
  // The package takes 0 for its usual port, which another server may have.
  devicePort = await freePort();
  web = createServer((request, response) => void record(request).then(() => response.end("{}")));
  web.listen(0, "127.0.0.1");
  const vector = {
    getHoldingRegister: (at: number) => registers.get(at) ?? 0,
    setRegister(at: number, value: number) {
      registers.set(at, value);
      const isRight = value <= 50 && (registers.get(1) ?? 0) <= (registers.get(2) ?? 0);
      changes.push(`${at < 3 && isRight ? "right" : "wrong"} ${at} ${value}`);
    },
    setCoil: (at: number, value: boolean) => void changes.push(`wrong coil ${at} ${value}`),
  };
  device = new modbusSerial.ServerTCP(vector, { host: "127.0.0.1", port: devicePort, unitID: 1 });
  await Promise.all([once(web, "listening"), once(device, "initialized")]);
  webPort = (web.address() as AddressInfo).port;
});

afterAll(async () => {
  web.closeAllConnections();
  web.close();
  await new Promise<void>((resolve) => device.close(() => resolve()));
});

async function record(request: IncomingMessage): Promise<void> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
  heard.push({ method: request.method ?? "", url: request.url ?? "", body });
}

/** What the policy says once more, in the words of the servers. */
function isWithin({ method, url, body }: Heard, allowed: string[]): boolean {
  if (method === "GET") return true;
  const sent = [...new URL(url, "http://a").searchParams].map((pair) => JSON.stringify(pair));
  const text = `${sent.join(" ").replaceAll('","', '":"')} ${body}`.replaceAll("\\", "");
  const amounts = [...text.matchAll(/a_?mount"\s*:\s*["[\s]*([^",\]}\s]+)/gi)];
  const areSmall = amounts.every(([, number]) => Number(number) >= 0 && Number(number) <= 100);
  if (url.startsWith("/rpc")) {
    const { method: called, params } = JSON.parse(body) as { method: string; params: unknown };
    const at = allowed.indexOf(JSON.stringify(params));
    // Each yes counts for one call.
    if (at >= 0) allowed.splice(at, 1);
    return called === "transfer" && areSmall && at >= 0;
  }
  const kinds = [...text.matchAll(/kind"\s*:\s*["[\s]*([^",\]}\s]+)/gi)];
  const areKnown = kinds.every(([, kind]) => kind === "gift" || kind === "sale");
  const isOrder = method === "POST" && /^\/v1\/orders(?:\?|$)/.test(url);
  const isNote = method === "PUT" && /^\/v1\/notes\/[^/?]+$/.test(url);
  return (isNote || (isOrder && amounts.length > 0)) && areSmall && areKnown;
}

const query = (called: string) => ({ name: called, in: "query", schema: {} });
const json = { requestBody: { content: { "application/json": { schema: {} } } } };
const form = { requestBody: { content: { "application/x-www-form-urlencoded": { schema: {} } } } };
const text = { requestBody: { content: { "text/plain": { schema: { type: "string" } } } } };

function describeServers(): object[] {
  const [host, dev] = [`http://127.0.0.1:${webPort}`, `127.0.0.1:${devicePort}`];
  const reads = Array.from({ length: 60 }, (_, nth) => [`/r${nth}`, { get: {} }]);
  const paths = {
    "/orders": {
      post: { operationId: "order", parameters: [query("amount")], ...json },
      get: { operationId: "orders" },
      delete: { operationId: "POST" },
    },
    "/orders/{id}": {
      post: { operationId: "change", ...form },
      delete: { operationId: "cancel" },
    },
    "/notes/{id}": {
      put: { operationId: "note", ...text },
      patch: { operationId: "PUT", ...json },
    },
    "/orders?amount=7000": { post: { operationId: "sly", parameters: [query("amount")] } },
    ...Object.fromEntries(reads),
  };
  const param = (called: string) => ({ name: called, schema: {} });
  const method = (called: string) => ({
    name: called,
    params: [param("amount"), param("to")],
    result: { name: "r", schema: {} },
  });
  const write = (called: string, storage: string, address: number, type = "uint16") => ({
    name: called,
    method: "write",
    path: { slaveId: 1, storage, address, count: 1 },
    parameter: { name: "value", type },
  });
  return [
    apiOf(paths, { servers: [{ url: `${host}/v1` }] }),
    {
      protocol: "jsonrpcHttp",
      openSpec: {
        openrpc: "1.2.6",
        servers: [{ url: `${host}/rpc` }],
        methods: [method("transfer"), method("drain")],
      },
    },
    {
      protocol: "openmodbus",
      openSpec: {
        openmodbus: "1.0.0",
        server: { type: "tcp", config: { url: "127.0.0.1", port: Number(dev.split(":")[1]) } },
        functions: [
          write("set_low", "holdingRegisters", 1),
          write("set_high", "holdingRegisters", 2),
          write("set_mode", "holdingRegisters", 3),
          write("set_valve", "coils", 1, "bool"),
        ],
      },
    },
  ];
}

const tools = (
  "order change cancel POST note PUT sly transfer drain set_low set_high set_mode set_valve orders r1 " +
  "constructor __proto__ find_tool call_tool unheard"
).split(" ");
const name = fc
  .tuple(fc.constantFrom(...tools), fc.constantFrom("", "functions.", "tool_code."), fc.boolean())
  .map(([tool, before, isLoud]) => before + (isLoud ? tool.toUpperCase() : tool));
const number = fc.oneof(
  fc.integer({ min: -5, max: 120 }),
  fc.constantFrom(0, 50, 51, 100, 100.01, 1e21, -0),
  fc.constantFrom("7", "0x7f", "1e5", "0101", " 5", "５００", "NaN", true, null, "", {}),
);
const kind = fc.constantFrom("gift", "sale", "theft", "GIFT", 1, null);
const key = fc.constantFrom("amount", "Amount", "a_mount", "kind", "Kind", "note", "__proto__");
const fields = fc
  .array(fc.tuple(key, fc.oneof(number, kind)), { maxLength: 4 })
  .map((pairs) => Object.fromEntries(pairs));
const nested = fc
  .tuple(fields, fc.constantFrom("plain", "list", "text", "deep", "twice"))
  .map(([value, shape]): unknown => {
    if (shape === "list") return { lines: [value, { amount: [1, 2] }] };
    if (shape === "text") return { note: JSON.stringify(value) };
    if (shape === "deep") return { a: { b: { c: [value] } } };
    return shape === "twice" ? JSON.stringify({ note: JSON.stringify(value) }) : value;
  });
const id = fc.constantFrom("1", "..", "../orders", "%2e%2e", "1/2", "1?amount=500", "a b", "#", "");
const given = fc.record(
  {
    id,
    amount: number,
    to: fc.constantFrom("me", "you"),
    value: fc.oneof(number, fc.constant(9_999)),
    body: fc.oneof(nested, fields),
    kind,
    method: fc.constant("DELETE"),
    url: fc.constant("http://127.0.0.1:1/"),
  },
  { requiredKeys: [] },
);
/** As models write them: well, inside of another call, twice, or with a field more than once. */
const call = fc
  .tuple(name, given, fc.constantFrom("plain", "inner", "twice", "double", "broken"))
  .map(([tool, args, dress]): [string, string] => {
    const written = JSON.stringify(args);
    if (dress === "inner") return ["call_tool", JSON.stringify({ name: tool, arguments: written })];
    if (dress === "twice") return [tool, JSON.stringify(written)];
    if (dress === "double") return [tool, `{"amount": 1, "value": 1, ${written.slice(1)}`];
    return [tool, dress === "broken" ? `${written.slice(0, -1)}, "amount": 5000}` : written];
  });

test("of hostile calls none changes anything outside of the policy", async () => {
  const [host, dev] = [`127.0.0.1:${webPort}`, `127.0.0.1:${devicePort}`];
  const amount = { min: 0, max: 100 };
  const kinds = { oneOf: ["gift", "sale"] };
  const limits = { value: { min: 0, max: 50 } };
  const set = { rehearse: true, arguments: limits, invariants: ["register 1 <= register 2"] };
  const allowed: string[] = [];
  let asked = 0;
  const { call: play } = await openSpecs(describeServers(), {
    grants: {
      [`POST /v1/orders@${host}`]: {
        rehearse: true,
        arguments: { amount: { ...amount, required: true }, kind: kinds },
      },
      [`PUT@${host}`]: { arguments: { amount, kind: kinds } },
      [`transfer@${host}`]: { ask: true, arguments: { amount } },
      [`set_low@${dev}`]: set,
      [`set_high@${dev}`]: set,
    },
    fetch,
    modbus: createModbus({ resolve: async (address) => address, allowsLine: () => false }),
    use: {
      async askCall({ arguments: args }: AskedCall) {
        asked += 1;
        if (asked % 2 === 0) return { ok: false, reason: "No." };
        allowed.push(JSON.stringify(args));
        return { ok: true };
      },
    },
  });
  await fc.assert(
    fc.asyncProperty(call, async ([tool, args]) => {
      heard.length = 0;
      changes.length = 0;
      await play(tool, args);
      expect(heard.filter((one) => !isWithin(one, allowed))).toEqual([]);
      expect(changes.filter((change) => change.startsWith("wrong"))).toEqual([]);
      for (const { method } of heard) sums[method] = (sums[method] ?? 0) + 1;
      sums["WRITE"] = (sums["WRITE"] ?? 0) + changes.length;
    }),
    { numRuns: cases(1_000) },
  );
  // It is not refused what may be done.
  for (const method of ["GET", "POST", "PUT", "WRITE"]) expect(sums[method]).toBeGreaterThan(0);
  expect(asked).toBeGreaterThan(0);
});

const sums: Record<string, number> = {};
