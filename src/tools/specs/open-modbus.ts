// OpenModbus 1.0.0: each function of a description as a read or a write of one value in a device.
import * as z from "zod";
import type { Fields } from "../../base/text/json.ts";
import type { Message } from "../../base/errors/app-error.ts";
import type { ToolOutcome } from "../tool.ts";
import { type Operation, type OperationUse, callInTime } from "./operation.ts";
import { BadArgument } from "./http-parameters.ts";
import { type Place, type SpecDocument, parseAt, reject } from "./spec-document.ts";
import { type ModbusPlace, type NamedSpan, rehearseWrite } from "./twin.ts";

/**
 * A port: one request to a device, by a connection of its own. Requests to the same device go one after the other.
 * Bits are 0 and 1, registers 0 to 65,535.
 *
 * Whatever fails throws: Refused with the code of the exception, 1 to 255, where the device refuses, else the error of
 * the connection, or the signal's reason.
 */
export interface Modbus {
  read(
    server: ModbusServer,
    place: ModbusPlace,
    count: number,
    signal: AbortSignal,
  ): Promise<readonly number[]>;
  write(
    server: ModbusServer,
    place: ModbusPlace,
    values: readonly number[],
    signal: AbortSignal,
  ): Promise<void>;
  /** Does one work after the other that looks at the same device before it changes it. */
  hold?<Result>(server: ModbusServer, work: () => Promise<Result>): Promise<Result>;
}

const Order = z.enum(["big", "little"]);
const orders = { byteOrder: Order.optional(), wordOrder: Order.optional() };

const NetServer = z.looseObject({
  type: z.enum(["tcp", "udp"]),
  config: z.looseObject({
    url: z.string().min(1).max(253),
    port: z.int().min(1).max(65_535).default(502),
    ...orders,
  }),
});
const SerialServer = z.looseObject({
  type: z.enum(["rtu", "ascii"]),
  config: z.looseObject({
    port: z.string().min(1).max(200),
    baudRate: z.int().min(50).max(10_000_000).default(9_600),
    ...orders,
  }),
});
/** And the orders where a function says no others. */
const Server = z.discriminatedUnion("type", [
  NetServer.transform(({ type, config: { url, port, ...usual } }) => {
    const host = url.replace(/^[a-z]{3,6}:\/\//i, "").replace(/\/$/, "");
    return { server: { type, host, port }, usual };
  }),
  SerialServer.transform(({ type, config: { port: line, baudRate, ...usual } }) => {
    return { server: { type, line, baudRate }, usual };
  }),
]);

/** Where a device is. */
export type ModbusServer = z.infer<typeof Server>["server"];

const ValueType = z.enum(["bool", "int16", "uint16", "int32", "uint32", "float32", "string"]);
type ValueType = z.infer<typeof ValueType>;

const Value = z.looseObject({
  name: z.string().max(64).optional(),
  description: z.string().max(2_000).optional(),
  type: ValueType,
  multiplier: z.number().optional(),
  uom: z.string().max(64).optional(),
});

const storages = ["coils", "discreteInput", "inputRegisters", "holdingRegisters"] as const;

const ModbusFunction = z.looseObject({
  name: z.string().min(1).max(200),
  description: z.string().max(4_000).optional(),
  method: z.enum(["read", "write"]),
  path: z.looseObject({
    slaveId: z.int().min(0).max(255),
    storage: z.enum([...storages, "discreteInputs"]),
    address: z.int().min(0).max(65_535),
    count: z.int().min(1).max(125).optional(),
    ...orders,
  }),
  parameter: Value.optional(),
  return: Value.optional(),
});

/** How a value is written into registers. */
interface Encoding {
  type: ValueType;
  multiplier: number;
  /** Of a text: two characters a register. */
  count: number;
  /** The order of the two bytes of a register, and of the two registers of a number. */
  byteOrder: z.infer<typeof Order>;
  wordOrder: z.infer<typeof Order>;
}

/** What all functions of a description share. */
type Device = z.infer<typeof Server> & { modbus: Modbus; named: Map<string, NamedSpan> };

/** @throws AppError `invalid_request` with the path of what cannot be read */
export function readOpenModbus(document: SpecDocument, modbus: Modbus | undefined): Operation[] {
  const { root } = document;
  if (modbus === undefined)
    reject(
      root.path,
      "needs Modbus, which only the server on Node has",
      "需要 Modbus，仅 Node 上的服务支持",
    );
  const at = root.at("server");
  const device = { ...parseAt(Server, at.value, at.path), modbus, named: new Map() };
  return root.list("functions").map((place, nth) => readFunction(place, nth, device));
}

function readFunction(
  place: Place,
  nth: number,
  { server, usual, modbus, named }: Device,
): Operation {
  const given = parseAt(ModbusFunction, place.value, place.path);
  const { name, description = "", method, path } = given;
  const isRead = method === "read";
  const field = isRead ? "return" : "parameter";
  const refuse: (inner: string, en: string, zh: string) => never = (inner, en, zh) =>
    reject(`${place.path}.${inner}`, en, zh);
  const value = given[field];
  if (value === undefined)
    refuse(field, `is missing: a ${method} needs it`, `缺失：${method} 需要它`);
  const { multiplier = 1, type, uom = "" } = value;
  const storage = path.storage === "discreteInputs" ? "discreteInput" : path.storage;
  const isBits = storage === "coils" || storage === "discreteInput";
  if (!isRead && storage !== "coils" && storage !== "holdingRegisters")
    refuse(
      "path.storage",
      "can only be read; write to coils or holdingRegisters",
      "只能读取；请写入 coils 或 holdingRegisters",
    );
  if (isBits && type !== "bool")
    refuse(`${field}.type`, `must be bool in ${storage}`, `在 ${storage} 中应为 bool`);
  const size = sizes[type];
  const count = path.count ?? size ?? 1;
  if (size !== undefined && count !== size)
    refuse(
      "path.count",
      `must be ${size}, as ${type} has that many`,
      `${type} 对应的数量应为 ${size}`,
    );
  if (!isRead && count > 123) refuse("path.count", "must be at most 123", "最多为 123");
  if (path.address + count > 65_536)
    refuse("path.address", "lies beyond the last one, 65535", "超出最大地址 65535");
  if (multiplier === 0 || !Number.isFinite(multiplier))
    refuse(`${field}.multiplier`, "must be a number that is not 0", "应为非零数字");
  const { byteOrder = usual.byteOrder ?? "big", wordOrder = usual.wordOrder ?? "big" } = path;
  const encoding: Encoding = { type, multiplier, count, byteOrder, wordOrder };
  const at: ModbusPlace = { unit: path.slaveId, storage, address: path.address };
  if (!named.has(name))
    named.set(name, { at, count, decode: (values) => decode(values, encoding)["value"] });
  const key = (value.name ?? "value").replaceAll(/[^\w.-]+/g, "_") || "value";
  const told = `${value.description ?? ""} ${uom}`;
  const returns = isRead ? `Returns ${key}: ${told}`.trim() : "";
  const properties = isRead ? {} : { [key]: { ...schemaOf(encoding), description: told.trim() } };
  const schema = { type: "object", properties, required: Object.keys(properties) };
  return {
    name,
    id: `${method} ${name} ${nth}`,
    description: [description, returns].filter((text) => text !== "").join("\n") || name,
    schema: () => schema,
    effect: method,
    says: "message",
    host: "host" in server ? `${server.host}:${server.port}` : server.line,
    method: isRead ? "READ" : "WRITE",
    hasRegisters: true,
    hold: (work) => modbus.hold?.(server, work) ?? work(),
    async rehearse(input, invariants, use) {
      const written = { at, count, values: encode(input[key], encoding) };
      let problem: Message | undefined;
      const { message, success } = await answerModbus(use, async (signal) => {
        problem = await rehearseWrite(written, invariants, named, (span) =>
          modbus.read(server, span.at, span.count, signal),
        );
        return {};
      });
      if (success) return problem;
      return {
        en: `This write could not be rehearsed: ${String(message)} Nothing was written.`,
        zh: `此次写入无法预演：${String(message)} 没有写入任何内容。`,
      };
    },
    async run(input, use) {
      const values = isRead ? [] : encode(input[key], encoding);
      return await answerModbus(use, async (signal) => {
        if (!isRead) await modbus.write(server, at, values, signal);
        const found = isRead ? await modbus.read(server, at, count, signal) : values;
        return { ...decode(found, encoding), ...(uom === "" ? {} : { uom }) };
      });
    },
  };
}

/** `{ statusCode: 0, value, uom? }`, or the code of the exception, 504 for silence, 500 where nothing can be reached. */
function answerModbus(
  use: OperationUse,
  ask: (signal: AbortSignal) => Promise<Fields>,
): Promise<ToolOutcome> {
  return callInTime(use, "device", async (signal) => ({
    success: true,
    statusCode: 0,
    ...(await ask(signal)),
  }));
}

/** Registers of a type; a text has as many as its place. */
const sizes: Readonly<Record<ValueType, number | undefined>> = {
  bool: 1,
  int16: 1,
  uint16: 1,
  int32: 2,
  uint32: 2,
  float32: 2,
  string: undefined,
};

const ranges = {
  int16: [-0x8000, 0x7fff],
  uint16: [0, 0xffff],
  int32: [-0x8000_0000, 0x7fff_ffff],
  uint32: [0, 0xffff_ffff],
} as const;

function schemaOf({ type, multiplier, count }: Encoding): Fields {
  if (type === "bool") return { type: "boolean" };
  if (type === "string") return { type: "string", maxLength: count * 2 };
  if (type === "float32") return { type: "number" };
  const range = ranges[type].map((raw) => scale(raw, multiplier)).sort((a, b) => a - b);
  const [minimum, maximum] = range;
  return { type: Number.isInteger(multiplier) ? "integer" : "number", minimum, maximum };
}

/** Without what binary fractions add: 328 times 0.1 is 32.8. */
function scale(raw: number, multiplier: number): number {
  return Number((raw * multiplier).toPrecision(15));
}

/**
 * A value as registers, or as one bit.
 *
 * @throws BadArgument where the device has no place for it
 */
function encode(value: unknown, encoding: Encoding): readonly number[] {
  const { type, multiplier, count } = encoding;
  if (type === "bool") return [value === true ? 1 : 0];
  const bytes = new Uint8Array(count * 2);
  const view = new DataView(bytes.buffer);
  const given = Number(value) / multiplier;
  if (type === "string") {
    const text = new TextEncoder().encode(String(value));
    if (text.byteLength > bytes.byteLength)
      throw new BadArgument(`the text is longer than the ${bytes.byteLength} bytes of its place`);
    bytes.set(text);
  } else if (type === "float32") {
    if (!Number.isFinite(Math.fround(given)))
      throw new BadArgument("the number is too large for float32");
    view.setFloat32(0, given);
  } else {
    const raw = Math.round(given);
    const [least, most] = ranges[type];
    if (!(raw >= least && raw <= most))
      throw new BadArgument(
        `the number is not between ${scale(least, multiplier)} and ${scale(most, multiplier)}`,
      );
    // A device keeps whole steps; half of one would be another value than the one that was asked for.
    if (Math.abs(given - raw) > 1e-6 * Math.max(1, Math.abs(given)))
      throw new BadArgument(
        `the number must be a multiple of ${multiplier}, as ${scale(raw, multiplier)}`,
      );
    if (count === 1) view.setUint16(0, raw);
    else view.setUint32(0, raw);
  }
  return reorder(
    Array.from({ length: count }, (_, at) => view.getUint16(at * 2)),
    encoding,
  );
}

function decode(registers: readonly number[], encoding: Encoding): Fields {
  const { type, multiplier } = encoding;
  if (type === "bool") return { value: registers[0] !== 0 };
  const bytes = new Uint8Array(registers.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [at, register] of reorder(registers, encoding).entries())
    view.setUint16(at * 2, register);
  if (type === "string") return { value: readText(bytes) };
  if (type === "float32") {
    const number = view.getFloat32(0);
    if (Number.isFinite(number)) return { value: scale(shortest(number), multiplier) };
    return { value: null, message: "The device has no number there." };
  }
  const [least, most] = ranges[type];
  const raw = registers.length === 1 ? view.getUint16(0) : view.getUint32(0);
  return { value: scale(raw > most ? raw - (most - least + 1) : raw, multiplier) };
}

/** Up to the first NUL, or the spaces that fill its place. */
function readText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end)).trimEnd();
}

/** Of the many numbers that 32 bits stand for, the one with the fewest digits. */
function shortest(number: number): number {
  const short = [6, 7, 8].map((digits) => Number(number.toPrecision(digits)));
  return short.find((each) => Math.fround(each) === number) ?? number;
}

/** Between the device's order and big ends first, either way. The order of words is that of numbers; a text has its own. */
function reorder(
  registers: readonly number[],
  { type, byteOrder, wordOrder }: Encoding,
): readonly number[] {
  const ordered = wordOrder === "little" && type !== "string" ? registers.toReversed() : registers;
  return byteOrder === "big"
    ? ordered
    : ordered.map((register) => ((register & 0xff) << 8) | (register >> 8));
}
