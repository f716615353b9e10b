import { describe, expect, test } from "vitest";
import type { App } from "../../../src/app.ts";
import { createLocalApp } from "../../../src/cli/create-local-app.ts";
import { findSteps } from "../../../src/cli/ws/request.ts";
import {
  localExchanges,
  openLocalSocket,
  openRemoteSocket,
  parseSocketUrl,
} from "../../../src/cli/ws/socket.ts";
import { parseConfig } from "../../../src/setup/config.ts";
import type { Channel } from "../../../src/base/wire/channel.ts";

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
  const socket = await openLocalSocket(local.app, {});
  if (socket instanceof Response) throw new Error(`refused with ${socket.status}`);
  socket.send(JSON.stringify({ cmd: "list_model", request_id: 7 }));
  const { value } = await socket.receive.next();
  expect(JSON.parse(String(value))).toEqual({ request_id: 7, models: ["offline"] });
  await socket.close();
  expect(await socket.receive.next()).toEqual({ done: true, value: undefined });
  await local.close();
});

test("an app that writes faster than it is read waits until it was read, and sees who leaves", async () => {
  const { promise: opened, resolve } = Promise.withResolvers<Channel>();
  const app: App = {
    async fetch(request, env) {
      return (
        (await localExchanges(request, env).upgrade?.(resolve)) ?? new Response("", { status: 426 })
      );
    },
    drain: () => Promise.resolve(),
  };
  const socket = await openLocalSocket(app, {});
  if (socket instanceof Response) throw new Error(`refused with ${socket.status}`);
  const channel = await opened;
  let sent = 1;
  while (channel.send(`${sent}`)) sent += 1;
  expect(sent).toBe(64);
  let isDrained = false;
  const drained = channel.drained().then(() => (isDrained = true));
  await Promise.resolve();
  expect(isDrained).toBe(false);
  expect((await socket.receive.next()).value).toBe("1");
  await drained;
  channel.close(1012, "Later.");
  expect((await socket.receive.next()).value).toBe("2");
  expect(socket.closed).toEqual({ code: 1012, reason: "Later." });
});

test("an app that has been drained says why it opens no socket", async () => {
  const local = await createLocalApp(parseConfig({}), [], {});
  await local.app.drain();
  const refused = await openLocalSocket(local.app, {});
  expect(refused).toMatchObject({ status: 503 });
  await local.close();
});

test("a signal that has aborted opens no socket", async () => {
  const url = parseSocketUrl("ws://127.0.0.1:9/ws");
  await expect(openRemoteSocket(url, {}, AbortSignal.abort("stopped"))).rejects.toBe("stopped");
});
