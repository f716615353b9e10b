// Functions of OpenModbus as tools, against a device on loopback whose registers change when they are written.
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import modbusSerial from "modbus-serial";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startDevice } from "../../../examples/modbus-device.ts";
import { createModbus, modbusOptions } from "../../../src/tools/specs/modbus-serial.node.ts";
import { freePort } from "../../helpers/free-port.ts";
import { type SpecClient, openSpecs } from "../../helpers/spec-tools.ts";

const own = { resolve: async (host: string) => host, allowsLine: () => true };
const modbus = createModbus(own);
const registers = new Map<number, number>();
const coils = new Map<number, boolean>();
const units = new Set<number>();

function refuse(): never {
  throw Object.assign(new Error("no such register"), { modbusErrorCode: 2 });
}
const device = {
  getCoil: (at: number, unit: number) => (
    units.add(unit),
    at > 9_000 ? refuse() : coils.get(at) === true
  ),
  getDiscreteInput: (at: number) => coils.get(at) === true,
  getInputRegister: (at: number) => registers.get(at) ?? 0,
  getHoldingRegister: (at: number, unit: number) => (
    units.add(unit),
    at > 9_000 ? refuse() : (registers.get(at) ?? 0)
  ),
  setCoil: (at: number, value: boolean) => void coils.set(at, value),
  setRegister: (at: number, value: number) => void registers.set(at, value),
};
let port = 0;
let server: InstanceType<typeof modbusSerial.ServerTCP>;

beforeAll(async () => {
  // The package takes 0 for its usual port, which another server may have.
  port = await freePort();
  server = new modbusSerial.ServerTCP(device, { host: "127.0.0.1", port, unitID: 0 });
  await once(server, "initialized");
});
afterAll(async () => await new Promise<void>((resolve) => server.close(() => resolve())));

interface Function {
  name: string;
  method: "read" | "write";
  path: object;
  value: object;
}

async function open(
  functions: readonly Function[],
  config: object = {},
  options: object = {},
): Promise<SpecClient> {
  const openSpec = {
    openmodbus: "1.0.0",
    info: { title: "T", version: "1" },
    server: { type: "tcp", config: { url: "127.0.0.1", port, ...config } },
    functions: functions.map(({ name, method, path, value }) => ({
      name,
      method,
      path: { slaveId: 1, storage: "holdingRegisters", address: 0, count: 1, ...path },
      [method === "read" ? "return" : "parameter"]: { name: "value", ...value },
    })),
  };
  const grants = [`WRITE@127.0.0.1:${port}`];
  return await openSpecs([{ openSpec, protocol: "openmodbus" }], {
    grants,
    modbus,
    ...options,
  });
}

const both = (path: object, value: object): Function[] => [
  { name: "get", method: "read", path, value },
  { name: "set", method: "write", path, value },
];

describe("a value comes back as it was written, and lies in the registers as Modbus has it", () => {
  const order = fc.constantFrom("big" as const, "little" as const);
  const numbers = {
    int16: fc.integer({ min: -0x8000, max: 0x7fff }),
    uint16: fc.integer({ min: 0, max: 0xffff }),
    int32: fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff }),
    uint32: fc.integer({ min: 0, max: 0xffff_ffff }),
  };
  const kind = fc.constantFrom(...(Object.keys(numbers) as (keyof typeof numbers)[]));
  const given = fc
    .record({
      type: kind,
      byteOrder: order,
      wordOrder: order,
      multiplier: fc.constantFrom(1, 0.1, 0.01, 0.001, 0.5, 10, -1),
    })
    .chain((shape) => fc.record({ shape: fc.constant(shape), raw: numbers[shape.type] }));

  test("numbers", async () => {
    await fc.assert(
      fc.asyncProperty(
        given,
        async ({ shape: { type, byteOrder, wordOrder, multiplier }, raw }) => {
          const count = type.endsWith("32") ? 2 : 1;
          const { call } = await open(
            both({ address: 10, count, byteOrder, wordOrder }, { type, multiplier, uom: "℃" }),
          );
          const value = Number((raw * multiplier).toFixed(4)) + 0;
          expect(await call("set", { value })).toEqual({ statusCode: 0, value, uom: "℃" });
          expect(await call("get")).toEqual({ statusCode: 0, value, uom: "℃" });
          // Written anew from the words of the settings: which byte of the number is where.
          const bytes = Array.from(
            { length: count * 2 },
            (_, at) =>
              Number(BigInt.asUintN(32, BigInt(raw)) >> BigInt(8 * (count * 2 - 1 - at))) & 0xff,
          );
          const words = Array.from({ length: count }, (_, at) => bytes.slice(at * 2, at * 2 + 2));
          const placed = wordOrder === "little" ? words.toReversed() : words;
          const expected = placed.map(([high = 0, low = 0]) =>
            byteOrder === "little" ? low * 256 + high : high * 256 + low,
          );
          expect(Array.from({ length: count }, (_, at) => registers.get(10 + at))).toEqual(
            expected,
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test("numbers of float32", async () => {
    const value = { type: "float32" };
    const { call } = await open(both({ address: 20, count: 2 }, value));
    const exact = fc
      .float({ noNaN: true, noDefaultInfinity: true })
      .filter((each) => !Object.is(each, -0));
    await fc.assert(
      fc.asyncProperty(exact, async (number) => {
        await call("set", { value: number });
        expect(Math.fround(Number((await call("get"))["value"]))).toBe(number);
      }),
      { numRuns: 40 },
    );
    await call("set", { value: 21.7 });
    expect(await call("get")).toEqual({ statusCode: 0, value: 21.7 });
    registers.set(20, 0x7fc0);
    expect(await call("get")).toMatchObject({
      statusCode: 0,
      value: null,
      message: expect.any(String),
    });
  });

  test("texts", async () => {
    const text = fc
      .string({ unit: "grapheme", maxLength: 6 })
      .filter(
        (each) =>
          !each.includes("\0") &&
          each === each.trimEnd() &&
          each.isWellFormed() &&
          !each.startsWith("\uFEFF"),
      );
    await fc.assert(
      fc.asyncProperty(text, order, async (value, byteOrder) => {
        const { call } = await open(
          both({ address: 30, count: 60, byteOrder }, { type: "string" }),
        );
        expect(await call("set", { value })).toMatchObject({ statusCode: 0 });
        expect(await call("get")).toEqual({ statusCode: 0, value });
      }),
      { numRuns: 30 },
    );
    const { call } = await open(both({ address: 30, count: 2 }, { type: "string" }));
    expect(await call("set", { value: "ab好" })).toMatchObject({ statusCode: 400 });
  });

  test("truth values, in coils and in registers", async () => {
    for (const storage of ["coils", "holdingRegisters"])
      for (const value of [true, false]) {
        const { call } = await open(both({ storage, address: 5 }, { type: "bool" }));
        expect(await call("set", { value: String(value) })).toEqual({ statusCode: 0, value });
        expect(await call("get")).toEqual({ statusCode: 0, value });
      }
  });
});

test("each storage is read in its own way, and slave 0 is a device like others", async () => {
  registers.set(3, 328);
  coils.set(3, true);
  units.clear();
  const read = (name: string, storage: string, type: string, multiplier = 1): Function => ({
    name,
    method: "read",
    path: { slaveId: 0, storage, address: 3 },
    value: { type, multiplier },
  });
  const { call } = await open([
    read("coil", "coils", "bool"),
    read("input", "discreteInput", "bool"),
    read("register", "inputRegisters", "int16", 0.1),
    read("held", "holdingRegisters", "uint16"),
  ]);
  expect(
    await Promise.all(
      ["coil", "input", "register", "held"].map(async (name) => (await call(name))["value"]),
    ),
  ).toEqual([true, true, 32.8, 328]);
  expect([...units]).toEqual([0]);
});

test("a value that the device has no place for is not written", async () => {
  registers.set(40, 7);
  const { call } = await open([
    {
      name: "set",
      method: "write",
      path: { address: 40 },
      value: { type: "int16", multiplier: 0.1 },
    },
  ]);
  for (const value of [3_276.8, -3_276.9, "warm", null, 21.55])
    expect(await call("set", { value })).not.toHaveProperty("statusCode", 0);
  expect(registers.get(40)).toBe(7);
});

test("a write without a grant is refused, and changes nothing", async () => {
  registers.set(50, 1);
  const { call } = await open(
    both({ address: 50 }, { type: "int16" }),
    {},
    { grants: ["WRITE@127.0.0.1:1"] },
  );
  expect(await call("set", { value: 2 })).toEqual({
    statusCode: 403,
    message: expect.stringContaining("not allowed"),
  });
  expect(await call("get")).toEqual({ statusCode: 0, value: 1 });
});

describe("a rehearsal", () => {
  const rule = (invariants: readonly string[], more: object = {}) => ({
    grants: { [`WRITE@127.0.0.1:${port}`]: { rehearse: true, invariants, ...more } },
  });
  const limits = [
    ...["low", "high"].flatMap((name, nth) =>
      both({ address: 60 + nth }, { type: "uint16", multiplier: 0.1 }).map((each) => ({
        ...each,
        name: each.method === "read" ? name : `set_${name}`,
      })),
    ),
    {
      name: "set_both",
      method: "write" as const,
      path: { address: 60, count: 2 },
      value: { type: "uint32" },
    },
  ];

  test("lets through every write after which the invariants hold, and no other", async () => {
    const write = fc.oneof(
      fc.record({
        name: fc.constantFrom("set_low", "set_high"),
        value: fc.nat(9).map((steps) => steps / 10),
      }),
      fc.record({
        name: fc.constant("set_both"),
        value: fc.tuple(fc.nat(9), fc.nat(9)).map(([low, high]) => low * 65_536 + high),
      }),
    );
    const lines = fc.constantFrom(
      ["register 60 <= register 61"],
      ["low <= high", "register 62 == 3"],
      ["register 61 >= register 60", "coil 9500 == 1"],
    );
    await fc.assert(
      fc.asyncProperty(lines, fc.array(write, { maxLength: 8 }), async (invariants, writes) => {
        for (const [nth, value] of [2, 5].entries()) registers.set(60 + nth, value);
        const { call } = await open(limits, {}, rule(invariants));
        for (const { name, value } of writes) {
          const before = [registers.get(60) ?? 0, registers.get(61) ?? 0];
          const raw = Math.round(value * 10);
          const after =
            name === "set_both"
              ? [Math.floor(value / 65_536), value % 65_536]
              : before.with(name === "set_low" ? 0 : 1, raw);
          const isRight = (after[0] ?? 0) <= (after[1] ?? 0);
          const { statusCode } = await call(name, { value });
          expect(statusCode).toBe(isRight ? 0 : 403);
          expect([registers.get(60), registers.get(61)]).toEqual(isRight ? after : before);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("comes before anybody is asked, and once more after that", async () => {
    registers.set(60, 2);
    registers.set(61, 5);
    const asked: unknown[] = [];
    const askCall = async ({ arguments: given }: { arguments: unknown }) => {
      asked.push(given);
      registers.set(61, 3);
      return { ok: true as const };
    };
    const options = rule(["low <= high"], { ask: true });
    const { call } = await open(limits, {}, { ...options, use: { askCall } });
    expect(await call("set_low", { value: 0.6 })).toEqual({
      statusCode: 403,
      message: 'In a rehearsal of this write "low <= high" did not hold. Nothing was written.',
    });
    expect(asked).toEqual([]);
    expect(await call("set_low", { value: 0.4 })).toMatchObject({ statusCode: 403 });
    expect(await call("set_low", { value: 0.3 })).toMatchObject({ statusCode: 0 });
    expect(asked).toEqual([{ value: 0.4 }, { value: 0.3 }]);
    expect(registers.get(60)).toBe(3);
  });

  test("and its write are one: of two that do not fit together one is made", async () => {
    registers.set(60, 2);
    registers.set(61, 5);
    const { call } = await open(limits, {}, rule(["low <= high"]));
    const made = await Promise.all([
      call("set_low", { value: 0.4 }),
      call("set_high", { value: 0.3 }),
      call("set_low", { value: 0.5 }),
    ]);
    expect(made.map(({ statusCode }) => statusCode)).toEqual([0, 403, 0]);
    expect([registers.get(60), registers.get(61)]).toEqual([5, 5]);
  });

  test("that cannot be made is a refusal", async () => {
    registers.set(60, 2);
    for (const [invariant, why] of [
      ["register 60 < register 9500", "could not be rehearsed"],
      ["low < middle", "no such function"],
    ] as const) {
      const { call } = await open(limits, {}, rule([invariant]));
      const message = expect.stringContaining(why);
      expect(await call("set_low", { value: 0.1 })).toEqual({ statusCode: 403, message });
    }
    expect(registers.get(60)).toBe(2);
  });
});

test("what a device refuses has its code; what cannot be reached 500", async () => {
  const path = { address: 9_500 };
  const { call } = await open(both(path, { type: "int16" }));
  expect(await call("get")).toEqual({
    statusCode: 2,
    message: expect.stringContaining("Illegal data address"),
  });
  const away = await open(both(path, { type: "int16" }), { port: 1 });
  expect(await away.call("get")).toEqual({
    statusCode: 500,
    message: expect.stringContaining("ECONNREFUSED"),
  });
});

test("a listed host is asked at its port, and at no other", async () => {
  for (const [listed, mayAsk] of [
    [`127.0.0.1:${port}`, true],
    [`127.0.0.1:${port + 1}`, false],
    ["127.0.0.1", false],
    ["10.0.0.7", false],
  ] as const) {
    const options = modbusOptions({ sessionHosts: [listed], toolGrants: {} });
    const { call } = await open(both({}, { type: "int16" }), {}, { modbus: createModbus(options) });
    expect(await call("get")).toMatchObject({ statusCode: mayAsk ? 0 : 403 });
  }
});

test("devices by UDP are read, and silent ones end with 504", async () => {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  // The one answer of a device: 2 bytes, 0x0148.
  socket.once("message", (data, { port: from, address }) => {
    socket.send(
      Buffer.from([...data.subarray(0, 4), 0, 5, data[6] ?? 0, 3, 2, 1, 0x48]),
      from,
      address,
    );
  });
  const functions = [
    { name: "get", method: "read" as const, path: {}, value: { type: "int16", multiplier: 0.1 } },
  ];
  const openSpec = {
    openmodbus: "1.0.0",
    server: { type: "udp", config: { url: "127.0.0.1", port: socket.address().port } },
    functions: functions.map(({ value, ...rest }) => ({
      ...rest,
      path: { slaveId: 1, storage: "holdingRegisters", address: 0 },
      return: value,
    })),
  };
  const { call } = await openSpecs([{ openSpec, protocol: "openmodbus" }], {
    modbus,
    grants: { [`*@127.0.0.1:${socket.address().port}`]: { timeout: 300 } },
  });
  expect(await call("get")).toEqual({ statusCode: 0, value: 32.8 });
  expect(await call("get")).toMatchObject({ statusCode: 504 });
  socket.close();
});

/** A device on a serial line. */
async function openLine(line: string, options: object = {}): Promise<SpecClient> {
  const get = {
    name: "get",
    method: "read",
    path: { slaveId: 7, storage: "holdingRegisters", address: 2 },
  };
  const openSpec = {
    openmodbus: "1.0.0",
    server: { type: "rtu", config: { port: line } },
    functions: [{ ...get, return: { type: "int16", multiplier: 0.1 } }],
  };
  return await openSpecs([{ openSpec, protocol: "openmodbus" }], { modbus, ...options });
}

test("lines that may not be used are refused", async () => {
  const strict = createModbus({ ...own, allowsLine: () => false });
  const { call } = await openLine("COM3", { modbus: strict });
  expect(await call("get")).toEqual({ statusCode: 403, message: expect.stringContaining("COM3") });
});

test("a device on a serial line is read", async () => {
  // Bytes of the line are those of its standard input and output.
  const bridge = `import os, pty, sys, threading, tty
master, line = pty.openpty()
tty.setraw(line)
os.write(1, (os.ttyname(line) + '\\n').encode())
def copy(source, target):
    while data := os.read(source, 256): os.write(target, data)
threading.Thread(target=copy, args=(0, master), daemon=True).start()
copy(master, 1)`;
  const child = spawn("python3", ["-c", bridge], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  let said = Buffer.alloc(0);
  child.stdout.on("data", (bytes: Buffer) => (said = Buffer.concat([said, bytes])));
  await expect.poll(() => said.includes("\n")).toBe(true);
  const name = said.subarray(0, said.indexOf("\n")).toString();
  said = Buffer.alloc(0);
  const { call } = await openLine(name);
  const reading = call("get");
  // Unit, function, address, count; then the checksum.
  await expect.poll(() => [...said.subarray(0, 6)]).toEqual([7, 3, 0, 2, 0, 1]);
  child.stdin.write(Buffer.from([7, 3, 2, 1, 0x48, 0x31, 0xe2]));
  expect(await reading).toEqual({ statusCode: 0, value: 32.8 });
});

test.each([
  ["/dev/no-such-line", "No such file or directory"],
  ["/dev", "Is a directory"],
  ["/dev/null", "Inappropriate ioctl for device"],
])("%s cannot be opened, and the answer says why: %s", async (line, why) => {
  const { call } = await openLine(line);
  const { statusCode, message } = await call("get");
  expect(statusCode).toBe(500);
  expect(message).toMatch(new RegExp(`^The serial line ${line} cannot be opened: ${why}[^,]*\\.$`));
});

test.each<[Partial<Function>, string]>([
  [{ path: { count: 2 }, value: {} }, "path.count"],
  [{ path: { storage: "coils" } }, "return.type"],
  [{ path: { storage: "registers" } }, "path.storage"],
  [{ path: { address: 65_536 } }, "path.address"],
  [{ path: { address: 65_535, count: 2 }, value: { type: "int32" } }, "path.address"],
  [{ path: { slaveId: 256 } }, "path.slaveId"],
  [{ value: { type: "int64" } }, "return.type"],
  [{ value: { multiplier: 0 } }, "return.multiplier"],
  [{ method: "write" as const, path: { storage: "inputRegisters" } }, "path.storage"],
])("%j is refused at %s", async (more, path) => {
  const wrong = {
    name: "get",
    method: "read" as const,
    path: {},
    ...more,
    value: { type: "int16", ...more.value },
  };
  await expect(open([wrong])).rejects.toMatchObject({
    code: "invalid_request",
    details: { param: `openSpecList[0].openSpec.functions[0].${path}` },
  });
});

test("without Modbus, as on Workers, the description is refused", async () => {
  const openSpec = { openmodbus: "1.0.0", server: {}, functions: [] };
  await expect(openSpecs([{ openSpec, protocol: "openmodbus" }])).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("Node"),
  });
});

test("the device of the docs does what they say", async () => {
  const page = readFileSync(new URL("../../../docs/sessions.md", import.meta.url), "utf8");
  const from = page.indexOf("### A device over Modbus");
  const [, json = ""] = /```json\n([^]*?)```/.exec(page.slice(from)) ?? [];
  const [, host = ""] = /RIGHTSEAT_SESSION_HOSTS=(\S+)/.exec(page.slice(from)) ?? [];
  const allowed = createModbus(modbusOptions({ sessionHosts: [host], toolGrants: {} }));
  const { openSpecList } = JSON.parse(json) as { openSpecList: unknown[] };
  const stop = await startDevice(5020);
  onTestFinished(stop);
  const { call } = await openSpecs(openSpecList, {
    grants: ["WRITE@127.0.0.1:5020"],
    modbus: allowed,
  });
  const temperature = (value: number) => ({ statusCode: 0, value, uom: "℃" });
  expect(await call("read_temperature")).toEqual(temperature(28.5));
  expect(await call("set_target", { value: 22 })).toEqual(temperature(22));
  expect(await call("read_temperature")).toEqual(temperature(22));
  const others = await openSpecs(openSpecList, { modbus });
  expect(await others.call("set_target", { value: 40 })).toMatchObject({ statusCode: 403 });
});
