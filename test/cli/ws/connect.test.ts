import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { createLocalApp } from "../../../src/cli/create-local-app.ts";
import { findSteps } from "../../../src/cli/ws/request.ts";
import { openLocalSocket, openSocket, parseSocketUrl } from "../../../src/cli/ws/socket.ts";
import { parseConfig } from "../../../src/setup/config.ts";

describe("an address", () => {
  test.each([
    ["http://127.0.0.1:18080", "ws://127.0.0.1:18080/ws"],
    ["https://copilot.example.com/", "wss://copilot.example.com/ws"],
    ["ws://127.0.0.1:18080", "ws://127.0.0.1:18080/ws"],
    ["wss://example.com/plugins/socket?x=1", "wss://example.com/plugins/socket?x=1"],
  ])("%s is %s", (written, expected) => {
    expect(parseSocketUrl(written).href).toBe(expected);
  });

  test.each(["127.0.0.1:18080", "localhost:18080", "ftp://example.com", "ws://", "ws://a/#b", ""])(
    "%j is refused with one that may be written",
    (written) => {
      expect(() => parseSocketUrl(written)).toThrow("Write --url ws://127.0.0.1:18080/ws");
    },
  );
});

describe("a command", () => {
  test.each([
    ["models", ["list_model"]],
    ["list_model", ["list_model"]],
    ["explain", ["exec_explain"]],
    ["exec_fix", ["exec_fix"]],
    ["unittest", ["exec_unittest_recommend", "exec_unittest_code"]],
    ["exec_unittest_recommend", ["exec_unittest_recommend"]],
    ["unittest-write", ["exec_unittest_code"]],
    ["chat", ["exec_chat"]],
  ])("%s sends %j", (written, cmds) => {
    expect(findSteps(written).map(({ cmd }) => cmd)).toEqual(cmds);
  });

  test("that does not exist is refused with the one that was probably meant", () => {
    expect(() => findSteps("explian")).toThrow(
      'Unknown command "explian". Did you mean explain? There are: models, explain,',
    );
  });
});

test("the app of this process is reached without a network, and closing ends both sides", async () => {
  const config = parseConfig({ RIGHTSEAT_PLUGIN_KEYS: "a-key", RIGHTSEAT_API_KEYS: "another" });
  const local = await createLocalApp(config, [], {});
  const socket = await openLocalSocket(local, {}, new AbortController().signal);
  if (socket instanceof Response) throw new Error(`refused with ${socket.status}`);
  socket.send({ cmd: "list_model", request_id: 7 });
  const { value } = await socket.receive.next();
  expect(JSON.parse(String(value))).toEqual({ request_id: 7, models: ["offline"] });
  await socket.close();
  expect(await socket.receive.next()).toEqual({ done: true, value: undefined });
  expect(socket.closed?.code).toBe(1000);
  await local.close();
});

test("an app that has been drained says why it opens no socket", async () => {
  const local = await createLocalApp(parseConfig({}), [], {});
  await local.app.drain();
  const refused = await openLocalSocket(local, {}, new AbortController().signal);
  expect(refused).toMatchObject({ status: 503 });
  await local.close();
});

test("a socket that nobody reads is closed all the same, however much has come", async () => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (one) => {
    for (let nth = 0; nth < 1_000; nth += 1) one.send("x".repeat(10_000));
  });
  await once(server, "listening");
  const url = new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const socket = await openSocket(url, {}, new AbortController().signal);
  if (socket instanceof Response) throw new Error(`refused with ${socket.status}`);
  expect((await socket.receive.next()).value).toHaveLength(10_000);
  await socket.close();
  expect(socket.closed?.code).toBe(1000);
  server.close();
});

test("a signal that has aborted opens no socket", async () => {
  const url = parseSocketUrl("ws://127.0.0.1:9/ws");
  await expect(openSocket(url, {}, AbortSignal.abort("stopped"))).rejects.toBe("stopped");
});
