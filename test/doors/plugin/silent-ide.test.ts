// Questions of the agent to which an IDE gives no answer, or too many; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { createIdeServices } from "../../../src/doors/plugin/ide-services.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { createManualTimers } from "../../helpers/manual-timers.ts";
import { createMemoryChannel } from "../../helpers/memory-channel.ts";
import { connect, msgOf } from "../../helpers/plugin-client.ts";
import { askWith, createIdeApp, recommend, symbols, willing } from "../../helpers/plugin-ide.ts";
import { requests } from "../../helpers/plugin-requests.ts";

describe("a service that stays silent", () => {
  const sentence = {
    en: /^The IDE offers \/get_document_symbols, but did not answer it within 10 seconds\./,
    zh: /^IDE 提供 \/get_document_symbols 服务，但在 10 秒内没有应答。/,
  };

  test.each(["en", "zh"] as const)(
    "ends the task with an error that names it (%s)",
    async (language) => {
      const { app, timers } = createIdeApp();
      const client = await connect(app);
      client.send({ ...recommend, language });
      await client.next();
      timers.pass(9_999);
      expect(client.received).toEqual([]);
      timers.pass(1_000);
      const error = expect.stringMatching(sentence[language]);
      expect(await client.next()).toEqual({ request_id: 123, error });
    },
  );

  test("fails once: for a minute the next tasks do without all services, then they are asked again", async () => {
    const { app, timers } = createIdeApp();
    const client = await connect(app);
    client.send(recommend);
    await client.next();
    timers.pass(11_000);
    expect(await client.next()).toHaveProperty("error");
    // However it is announced meanwhile, and also by whoever offers others.
    const others = ["/find_def_locations", "/find_type_def_locations", "/read_file"];
    for (const ide_services of [others, true, undefined]) {
      const next = { ...recommend, func_symbols: symbols, ide_services };
      const { asked, last } = await askWith(client, next, willing);
      expect(asked).toEqual([]);
      expect(msgOf([last])).toBe("1. happy path: adds two prices\n");
    }
    client.send({ cmd: "hello", request_id: 9, ide_services: others });
    expect(await client.next()).toMatchObject({ ide_services: others });
    timers.pass(58_000);
    expect((await askWith(client, recommend, willing)).asked).toEqual([]);
    timers.pass(2_000);
    const again = await askWith(client, recommend, willing);
    expect(again.asked[0]).toMatchObject({ path: "/get_document_symbols" });
  });

  test("is one of a connection: another one's services are asked", async () => {
    const { app, timers } = createIdeApp();
    const client = await connect(app);
    client.send(recommend);
    await client.next();
    timers.pass(11_000);
    expect(await client.next()).toHaveProperty("error");
    const { asked } = await askWith(await connect(app), recommend, willing);
    expect(asked[0]).toMatchObject({ path: "/get_document_symbols" });
  });

  test("while others answer is the one that the error names", async () => {
    const { app, timers } = createIdeApp();
    const client = await connect(app);
    client.send({ ...recommend, func_symbols: symbols });
    const asked = [await client.next(), await client.next()];
    expect(asked[1]).toMatchObject({ path: "/find_type_def_locations" });
    client.send({ ide_request_id: asked[1]?.["ide_request_id"], result: [] });
    await client.ask(requests.list_model);
    timers.pass(11_000);
    expect(await client.next()).toMatchObject({ error: expect.stringContaining("/find_def_loc") });
  });

  test("leaves the other services to the task that it happens in", async () => {
    const { channel } = createMemoryChannel();
    const timers = createManualTimers();
    const ide = createIdeServices(channel, timers);
    ide.announce(["/read_file", "/write_file"], undefined);
    ide.begin();
    const { signal } = new AbortController();
    const change = { abspath: "/a", before_hash: null, text: "" };
    const called = ide.call("/write_file", change, signal).catch(() => "silent");
    timers.pass(601_000);
    expect(await called).toBe("silent");
    expect([ide.has("/write_file"), ide.has("/read_file")]).toEqual([false, true]);
    ide.begin();
    expect([ide.has("/write_file"), ide.has("/read_file")]).toEqual([false, false]);
    timers.pass(60_000);
    ide.begin();
    expect([ide.has("/write_file"), ide.has("/read_file")]).toEqual([true, true]);
  });

  test("may answer later, twice, and for what nobody asked", async () => {
    const { app, timers } = createIdeApp();
    const client = await connect(app);
    client.send(recommend);
    const asked = await client.next();
    timers.pass(11_000);
    expect(await client.next()).toHaveProperty("error");
    const late = { ide_request_id: asked["ide_request_id"], result: symbols };
    const other = { ide_request_id: "ide-99", result: [] };
    for (const reply of [late, late, other, { ide_request_id: 1 }]) client.send(reply);
    expect(await client.ask(requests.list_model)).toHaveLength(1);
    expect(client.received).toEqual([]);
  });

  test("frees the place of its task, and leaves no timer", async () => {
    const timers = createManualTimers();
    const settings = { RIGHTSEAT_MAX_TASKS: "1" };
    const { app } = createTestApp({ models: [["Hello."]], settings, timers });
    const client = await connect(app);
    client.send(recommend);
    await client.next();
    timers.pass(11_000);
    expect(await client.next()).toHaveProperty("error");
    expect(await client.ask(requests.exec_chat)).toEqual([{ request_id: 123, msg: "Hello." }]);
    client.leave();
    await expect.poll(() => timers.pending).toBe(0);
  });

  test("is remembered over a sleep of the connection", async () => {
    const { channel, peer } = createMemoryChannel();
    const timers = createManualTimers();
    let silences = 0;
    const ide = createIdeServices(channel, timers, () => (silences += 1));
    ide.announce(["/read_file", "/find_def_locations"], undefined);
    const { signal } = new AbortController();
    const called = ide.call("/read_file", { abspath: "/a" }, signal);
    const refused = called.catch((thrown: unknown) => thrown);
    timers.pass(11_000);
    expect(await refused).toMatchObject({ code: "ide_timeout" });
    expect([silences, peer.received.length, ide.offered.length]).toEqual([1, 1, 2]);
    const awake = createIdeServices(channel, createManualTimers());
    awake.announce(ide.offered, undefined);
    awake.rest = ide.rest;
    awake.begin();
    expect(awake.has("/read_file")).toBe(false);
  });
});

test("an answer counts once, and for its own question alone", async () => {
  const { channel } = createMemoryChannel();
  const ide = createIdeServices(channel, createManualTimers());
  ide.announce(true, undefined);
  const { signal } = new AbortController();
  const calls = ["/a", "/b"].map((abspath) =>
    ide.call("/get_document_symbols", { abspath }, signal),
  );
  ide.take({ ide_request_id: "ide-2", result: ["second"] });
  ide.take({ ide_request_id: "ide-2", result: ["twice"] });
  ide.take({ ide_request_id: "ide-3", result: ["nobody's"] });
  ide.take({ ide_request_id: "ide-1", result: ["first"] });
  expect(await Promise.all(calls)).toEqual([["first"], ["second"]]);
});

test("a plugin that reads nothing while it is asked may be given up", async () => {
  const { channel, peer } = createMemoryChannel();
  peer.stall();
  const ide = createIdeServices(channel, createManualTimers());
  ide.announce(true, undefined);
  const controller = new AbortController();
  const call = ide.call("/get_document_symbols", { abspath: "/a" }, controller.signal);
  await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(new Error("given up"));
  await expect(call).rejects.toThrow("given up");
});
