// Descriptions that name what their client may not reach: no tool of theirs gets there.
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guardedFetch, resolveHost } from "../../../src/base/wire/address-guard.node.ts";
import { createModbus } from "../../../src/tools/specs/modbus-serial.node.ts";
import { openSpecs } from "../../helpers/spec-tools.ts";

/** Each is this machine, its network, a cloud's credentials, or nothing at all, in some spelling. */
const forbidden = (
  "127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001 127.0.0.1. " +
  "127.255.255.254 0 0.0.0.0 localhost LOCALHOST localhost. a.localhost 10.0.0.1 10.255.255.255 " +
  "172.16.0.1 172.31.255.255 192.168.1.1 3232235777 100.64.0.1 169.254.169.254 2852039166 " +
  "0xa9fea9fe 0251.0376.0251.0376 169.254.169.254. 100.100.100.200 168.63.129.16 192.0.0.192 " +
  "198.18.0.1 224.0.0.1 255.255.255.255 metadata.google.internal metadata printer.local " +
  "[::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] " +
  "[fd00:ec2::254] [fe80::1] [fc00::1] [2002:7f00:1::] [ff02::1] １２７.０.０.１ 127。0。0。1 " +
  "inside.example inside6.example mapped.example"
).split(" ");

/** Public names may lead anywhere. */
const names: Readonly<Record<string, string>> = {
  "inside.example": "127.0.0.1",
  "inside6.example": "::1",
  "mapped.example": "::ffff:127.0.0.1",
};

let reached = 0;
const trap = createServer((socket) => {
  reached += 1;
  socket.destroy();
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
  port = (trap.address() as AddressInfo).port;
});
afterAll(() => trap.close());

function guarded(): typeof fetch {
  return guardedFetch({
    hosts: [],
    allowsPublic: true,
    connectTimeout: 1_000,
    lookUp: (name, done) => {
      const address = names[name] ?? "127.0.0.1";
      done(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
    },
  });
}

const apiAt = (url: string, entry: object = {}): object => ({
  protocol: "openapi",
  openSpec: {
    openapi: "3.1.0",
    servers: [{ url }],
    paths: { "/a": { get: { operationId: "go" } } },
  },
  ...entry,
});

test.each(forbidden)("%s is reached by no description", async (host) => {
  const method = { name: "go", params: [], result: { name: "r", schema: {} } };
  const at = (address: string): object[] => [
    apiAt(`http://${address}`),
    apiAt("https://api.test", { baseUrl: `http://${address}` }),
    apiAt("", {
      openSpec: {
        swagger: "2.0",
        host: address,
        schemes: ["http"],
        paths: { "/a": { get: { operationId: "go" } } },
      },
    }),
    {
      protocol: "jsonrpcHttp",
      openSpec: { openrpc: "1.2.6", servers: [{ url: `http://${address}` }], methods: [method] },
    },
  ];
  for (const entry of at(`${host}:${port}`)) {
    const grants = [`go@${new URL(`http://${host}:${port}`).host}`];
    const { call } = await openSpecs([entry], { fetch: guarded(), grants });
    expect(await call("go")).toMatchObject({
      statusCode: 403,
      body: expect.not.stringContaining("operator has not allowed"),
    });
  }
  if (!(host in names)) {
    const read = { slaveId: 1, storage: "coils", address: 0, count: 1 };
    const openSpec = {
      openmodbus: "1.0.0",
      server: { type: "tcp", config: { url: host.replaceAll(/[[\]]/g, ""), port } },
      functions: [{ name: "go", method: "read", path: read, return: { type: "bool" } }],
    };
    const modbus = createModbus({
      resolve: (name, asked) => resolveHost(name, asked, { hosts: [] }),
      allowsLine: () => false,
    });
    const { call } = await openSpecs([{ protocol: "openmodbus", openSpec }], { modbus });
    const { statusCode } = await call("go");
    expect([403, 500]).toContain(statusCode);
  }
  expect(reached).toBe(0);
});

test("schemes other than http and https make no server", async () => {
  for (const url of [
    "file:///etc/passwd",
    "ftp://a.test",
    "gopher://a.test",
    "data:,a",
    "//a.test",
  ])
    await expect(openSpecs([apiAt(url)])).rejects.toMatchObject({ code: "invalid_request" });
  for (const baseUrl of ["http://u:p@a.test", "javascript:1", "http://"])
    await expect(openSpecs([apiAt("https://a.test", { baseUrl })])).rejects.toMatchObject({
      code: "invalid_request",
    });
});

test("a server that sends a call on sends it nowhere but to itself", async () => {
  const sent: string[] = [];
  for (const location of [
    ...forbidden.map((host) => `http://${host}/`),
    "file:///a",
    "//api.test.evil/",
  ]) {
    const { call, sent: heard } = await openSpecs([apiAt("https://api.test")], {
      answer: new Response(null, { status: 302, headers: { location: encodeURI(location) } }),
    });
    await call("go");
    sent.push(...heard.map(({ url }) => url));
  }
  expect(new Set(sent)).toEqual(new Set(["https://api.test/a"]));
  expect(forbidden.length).toBeGreaterThan(40);
});
