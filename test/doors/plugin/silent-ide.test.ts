// Questions of the agent to which an IDE gives no answer, or too many; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { IdeServices } from "../../../src/doors/plugin/ide/ide-services.ts";
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

  test("is not asked again before it is announced anew", async () => {
    const { app, timers } = createIdeApp();
    const client = await connect(app);
    client.send(recommend);
    await client.next();
    timers.pass(11_000);
    expect(await client.next()).toHaveProperty("error");
    const { ide_services: _, ...next } = recommend;
    const { asked, last } = await askWith(client, next, willing);
    expect(asked).toEqual([]);
    expect(msgOf([last])).toBe("1. happy path: adds two prices\n");
    const again = await askWith(client, recommend, willing);
    expect(again.asked[0]).toMatchObject({ path: "/get_document_symbols" });
  });

  test("while others answer is the only one that is asked no more", async () => {
    const { app, timers } = createIdeApp();
    const client = await connect(app);
    client.send({ ...recommend, func_symbols: symbols });
    const asked = [await client.next(), await client.next()];
    expect(asked[1]).toMatchObject({ path: "/find_type_def_locations" });
    client.send({ ide_request_id: asked[1]?.["ide_request_id"], result: [] });
    await client.ask(requests.list_model);
    timers.pass(11_000);
    expect(await client.next()).toMatchObject({ error: expect.stringContaining("/find_def_loc") });
    const { ide_services: _, ...next } = { ...recommend, func_symbols: symbols };
    expect((await askWith(client, next, willing)).asked.map(({ path }) => path)).toEqual([
      "/find_type_def_locations",
      "/read_file",
    ]);
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

  test("is withdrawn from what a connection remembers over a sleep", async () => {
    const { channel, peer } = createMemoryChannel();
    const timers = createManualTimers();
    const told: string[][] = [];
    const ide = new IdeServices(channel, timers, () => told.push([...ide.offered]));
    ide.announce(["/read_file", "/find_def_locations"], undefined);
    const { signal } = new AbortController();
    const called = ide.call("/read_file", { abspath: "/a" }, signal);
    const refused = called.catch((thrown: unknown) => thrown);
    timers.pass(11_000);
    expect(await refused).toMatchObject({ code: "ide_timeout" });
    expect([told, peer.received.length]).toEqual([[["/find_def_locations"]], 1]);
  });
});

test("an answer counts once, and for its own question alone", async () => {
  const { channel } = createMemoryChannel();
  const ide = new IdeServices(channel, createManualTimers());
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
  const ide = new IdeServices(channel, createManualTimers());
  ide.announce(true, undefined);
  const controller = new AbortController();
  const call = ide.call("/get_document_symbols", { abspath: "/a" }, controller.signal);
  await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(new Error("given up"));
  await expect(call).rejects.toThrow("given up");
});
