// Modbus by the package modbus-serial, which is installed by those who use it: TCP and UDP, and serial lines where the
// package serialport is beside it.
import { EventEmitter, once } from "node:events";
import { isIP, connect as connectSocket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type modbusSerial from "modbus-serial";
import { AppError, missingPackage } from "../../base/errors/app-error.ts";
import { untilAborted } from "../../base/wire/patient-timer.ts";
import { resolveHost } from "../../base/wire/address-guard.node.ts";
import { createLocks } from "../../workspace/locks.ts";
import type { Modbus, ModbusServer } from "./open-modbus.ts";
import { Refused } from "./operation.ts";
import type { ModbusPlace } from "./twin.ts";

type ModbusRTU = InstanceType<typeof modbusSerial.default>;

/** Until a line is free again after a write that no device confirms, in milliseconds. */
const turnaround = 500;

export interface ModbusOptions {
  /** The address that a host name means, and a refusal where that port may not be called: a thrown AppError. */
  resolve(host: string, port: number): Promise<string>;
  /** Whether a serial line may be opened. */
  allowsLine(line: string): boolean;
}

/** By the settings: listed hosts beside public ones, and lines that a grant names. */
export function modbusOptions(config: {
  sessionHosts: readonly string[];
  toolGrants: object;
}): ModbusOptions {
  const { sessionHosts: hosts, toolGrants } = config;
  return {
    resolve: (host, port) => resolveHost(host, port, { hosts }),
    allowsLine: (line) => Object.keys(toolGrants).some((grant) => grant.endsWith(`@${line}`)),
  };
}

/** Each request has a connection of its own, as devices allow few, and waits for those to the same device before it. */
export function createModbus(options: ModbusOptions): Modbus {
  const [requests, works] = [createLocks(), createLocks()];

  async function use<Result>(
    server: ModbusServer,
    { unit }: ModbusPlace,
    signal: AbortSignal,
    ask: (client: ModbusRTU) => Promise<Result>,
  ): Promise<Result> {
    const request = async (): Promise<Result> => {
      signal.throwIfAborted();
      if ("line" in server && !options.allowsLine(server.line))
        throw new AppError("host_forbidden", {
          en: `The serial line ${server.line} may not be opened. The operator has a list of those that may.`,
          zh: `不允许打开串口 ${server.line}。允许的串口由管理员列出。`,
        });
      const loaded = await import("modbus-serial").catch((cause: unknown) => {
        throw missingPackage("modbus-serial", { en: "Modbus needs", zh: "Modbus 需要" }, cause);
      });
      const client = new loaded.default.default();
      client.on("error", () => undefined);
      try {
        await untilAborted(connect(client, server, options, signal), signal);
        client.setID(unit);
        return await untilAborted(ask(client), signal);
      } catch (thrown) {
        const code: unknown = Reflect.get(Object(thrown), "modbusCode");
        if (typeof code === "number" && thrown instanceof Error)
          throw new Refused(code, thrown.message);
        throw thrown;
      } finally {
        close(client);
      }
    };
    return await untilAborted(requests.run(nameOf(server), request), signal);
  }

  return {
    hold: (server, work) => works.run(nameOf(server), work),
    read: (server, place, count, signal) =>
      use(server, place, signal, async (client) => {
        const { data } = await client[reads[place.storage]](place.address, count);
        return data.slice(0, count).map(Number);
      }),
    write: (server, place, values, signal) =>
      use(server, place, signal, async (client) => {
        const { address, storage } = place;
        const [first = 0] = values;
        const written =
          storage === "coils"
            ? client.writeCoil(address, first === 1)
            : values.length === 1
              ? client.writeRegister(address, first)
              : client.writeRegisters(address, [...values]);
        // On a line, 0 means all devices, and none of them answers.
        const isToAll = "line" in server && place.unit === 0;
        await (isToAll ? Promise.race([written, wait(turnaround)]) : written);
      }),
  };
}

const reads = {
  coils: "readCoils",
  discreteInput: "readDiscreteInputs",
  inputRegisters: "readInputRegisters",
  holdingRegisters: "readHoldingRegisters",
} as const;

function nameOf(server: ModbusServer): string {
  return "host" in server ? `${server.host.toLowerCase()}:${server.port}` : server.line;
}

async function connect(
  client: ModbusRTU,
  server: ModbusServer,
  options: ModbusOptions,
  signal: AbortSignal,
): Promise<void> {
  if ("line" in server) {
    const { line, baudRate, type } = server;
    try {
      if (type === "rtu") return await client.connectRTUBuffered(line, { baudRate });
      return await client.connectAsciiSerial(line, { baudRate });
    } catch (thrown) {
      if (Reflect.get(Object(thrown), "code") === "MODULE_NOT_FOUND")
        throw missingPackage("serialport", { en: "A serial line needs", zh: "串口需要" }, thrown);
      // The system's own words: a line has no address that they could give away, and no code tells why it cannot be opened.
      const said = thrown instanceof Error ? thrown.message : String(thrown);
      const [why = ""] = said.replace(/^(?:Error: )+/, "").split(/\n|, cannot open /);
      throw new AppError("internal", {
        en: `The serial line ${line} cannot be opened: ${why}.`,
        zh: `无法打开串口 ${line}：${why}。`,
      });
    }
  }
  const address = await options.resolve(server.host, server.port);
  if (server.type === "udp") return await connectUdp(client, address, server.port);
  // A socket of our own tells why a connection fails, and can be ended while it is being made.
  const socket = connectSocket({ host: address, port: server.port, signal });
  socket.on("error", () => undefined);
  await once(socket, "connect", { signal });
  await client.linkTCP(socket, { port: server.port });
}

/** The package opens the socket later than it says, and nobody hears when that fails. */
async function connectUdp(client: ModbusRTU, address: string, port: number): Promise<void> {
  if (isIP(address) !== 4)
    throw new AppError("invalid_request", {
      en: "Modbus by UDP needs an address of IPv4.",
      zh: "UDP 方式的 Modbus 需要 IPv4 地址。",
    });
  await client.connectUDP(address, { port });
  const socket: unknown = Reflect.get(Object(Reflect.get(client, "_port")), "_client");
  if (!(socket instanceof EventEmitter))
    throw new Error("modbus-serial has another form than expected");
  socket.on("error", () => undefined);
  if (!client.isOpen) await once(socket, "listening");
}

function close(client: ModbusRTU): void {
  try {
    // Whatever it was doing is no longer wanted; UDP has no other end.
    if (Reflect.get(Object(Reflect.get(client, "_port")), "destroy") === undefined)
      client.close(() => undefined);
    else client.destroy(() => undefined);
  } catch {
    // It was never open.
  }
}
