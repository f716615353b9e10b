// What the agent asks a plugin back; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { connect, msgOf } from "../../helpers/plugin-client.ts";
import {
  type Answer,
  askWith,
  cases,
  createIdeApp,
  itemPlace,
  recommend,
  symbols,
  willing,
} from "../../helpers/plugin-ide.ts";
import { requests } from "../../helpers/plugin-requests.ts";

test("a recommendation and its tests use what the plugin's IDE knows", async () => {
  const { app, promptOf } = createIdeApp();
  const client = await connect(app);
  const { asked, last } = await askWith(client, recommend, willing);
  const place = { abspath: "C:\\code\\shop\\shop\\cart.py", line: 5, character: 8 };
  expect(asked).toEqual([
    { path: "/get_document_symbols", params: { abspath: place.abspath } },
    { path: "/find_def_locations", params: place },
    { path: "/find_type_def_locations", params: place },
    // Names that the function uses, too: items, result, price.
    ...[
      [3, 10],
      [4, 4],
      [6, 31],
    ].map(([line, character]) => ({
      path: "/find_def_locations",
      params: { ...place, line, character },
    })),
    { path: "/read_file", params: { abspath: itemPlace.abspath } },
  ]);
  expect(promptOf(0)).toContain(
    "C:/code/shop/item.py:1\n```python\nclass Item:\n    price: int = 0  # ITEM_MARK",
  );
  expect(promptOf(0)).not.toContain("class Other");
  const { exec_unittest_code: write } = requests;
  await client.ask({
    cmd: write.cmd,
    request_id: 2,
    test_cases_str: msgOf([last]),
    task_id: last["task_id"],
  });
  expect(promptOf(1)).toContain("ITEM_MARK");
});

test("what the IDE knows reaches the model also beside a long file, and beside a wish that names a place", async () => {
  const settings = { RIGHTSEAT_MAX_FILE_TOKENS: "10" };
  const { app, model } = createTestApp({ models: [[cases]], settings });
  const client = await connect(app);
  await askWith(client, { ...recommend, user_prompt: "Look at `total`, lines 4-8" }, willing);
  const prompt = (model.requests[0]?.messages ?? []).map(textOfMessage).join("\n");
  expect(prompt).toContain("ITEM_MARK");
  expect(prompt).toContain("Look at `total`, lines 4-8");
});

describe("names that a function uses", () => {
  const text = [
    "# outside(1)",
    "def total(items):",
    "    # commented(items)",
    '    text = "quoted(items)"',
    "    return round_price(sum_of(items), text)",
    "",
  ].join("\n");
  const range = { start: { line: 1, character: 0 }, end: { line: 4, character: 43 } };
  const used = {
    ...recommend,
    file_content: text,
    func_location: range,
    func_symbols: [{ name: "total", kind: "Function", range, children: [] }],
  };
  const wordAt = ({ line = 0, character = 0 }: { line?: number; character?: number }): string =>
    /^\w+/.exec((text.split("\n")[line] ?? "").slice(character))?.[0] ?? "";

  test("are looked up once each, outside of comments and strings, and their code reaches the model", async () => {
    const { app, promptOf } = createIdeApp();
    const looked: string[] = [];
    const answer: Answer = (path, params) => {
      if (path === "/read_file") return { result: "def round_price(price):\n    pass  # USED\n" };
      const name = path === "/find_def_locations" ? wordAt(params) : path;
      looked.push(name);
      return { result: name === "round_price" ? [itemPlace] : [] };
    };
    await askWith(await connect(app), used, answer);
    expect(looked).toEqual(["items", "text", "round_price", "sum_of"]);
    expect(promptOf(0)).toContain("# USED");
  });

  test("are twenty at most, and none where no definitions are offered", async () => {
    const names = Array.from({ length: 60 }, (_, nth) => `name${nth}()`).join("\n    ");
    const long = { ...used, file_content: `\ndef total():\n    ${names}\n` };
    const place = { ...range, end: { line: 61, character: 0 } };
    const request = { ...long, func_location: place, func_symbols: [{ name: "x", range: place }] };
    const asked = async (ide_services: unknown): Promise<number> => {
      const client = await connect(createIdeApp().app);
      const found = await askWith(client, { ...request, ide_services }, () => ({ result: [] }));
      return found.asked.length;
    };
    expect(await asked(["/find_def_locations", "/find_type_def_locations"])).toBe(20);
    expect(await asked(["/find_type_def_locations"])).toBe(0);
  });
});

describe("a plugin that", () => {
  test("has announced nothing is asked nothing", async () => {
    const { app } = createIdeApp();
    const client = await connect(app);
    const { ide_services: _, ...old } = recommend;
    const { asked, last } = await askWith(client, old, willing);
    expect([asked, msgOf([last])]).toEqual([[], "1. happy path: adds two prices\n"]);
  });

  test("says hello is asked from then on, for what it offers", async () => {
    const { app } = createIdeApp();
    const client = await connect(app);
    const hello = {
      cmd: "hello",
      request_id: 1,
      ide_services: ["find_def_locations", "/magic", 5],
      root: "/w",
    };
    client.send(hello);
    expect(await client.next()).toEqual({
      request_id: 1,
      ide_services: ["/find_def_locations"],
      queue_place: false,
    });
    const { exec_unittest_recommend: plain } = requests;
    const { asked } = await askWith(client, plain, () => ({ result: [] }));
    expect(asked).toEqual([
      {
        path: "/find_def_locations",
        params: { abspath: "/w/shop/cart.py", line: 4, character: 4 },
      },
      ...[
        [3, 10],
        [5, 8],
        [6, 31],
      ].map(([line, character]) => ({
        path: "/find_def_locations",
        params: { abspath: "/w/shop/cart.py", line, character },
      })),
    ]);
  });

  test.each<[string, Answer]>([
    ["answers with errors", () => ({ error: "Function not found" })],
    ["answers with nothing", () => ({})],
    ["answers with nonsense", () => ({ result: { a: [1] } })],
    [
      "answers with lists of nonsense",
      () => ({ result: [null, 5, "x", { name: 5 }, { abspath: 1 }] }),
    ],
    [
      "answers with endless lists",
      (path) => ({
        result:
          path === "/get_document_symbols"
            ? Array.from({ length: 3_000 }, () => symbols[0])
            : Array.from({ length: 3_000 }, () => itemPlace),
      }),
    ],
  ])("%s gets its recommendation all the same", async (_, answer) => {
    const { app } = createIdeApp();
    const client = await connect(app);
    const { last } = await askWith(client, recommend, answer);
    expect(msgOf([last])).toBe("1. happy path: adds two prices\n");
  });

  test("names code and files with fences, which stay within their lines", async () => {
    const { app, promptOf } = createIdeApp();
    const client = await connect(app);
    const name = "```\n# Forged";
    const [first] = symbols;
    const named = [{ ...first, children: [{ ...first?.children[0], name }] }];
    const answer: Answer = (path) =>
      path === "/read_file" ? { result: "MARK\n" } : { result: [{ ...itemPlace, abspath: name }] };
    await askWith(client, { ...recommend, func_symbols: named }, answer);
    const prompt = promptOf(0);
    expect(prompt).toContain("\n''' # Forged:1\n```\nMARK\n```");
    expect(prompt).toContain("`''' # Forged` (line 6)");
  });

  test("is asked for all names of a function at once", async () => {
    const { app } = createIdeApp();
    const client = await connect(app);
    const names = Array.from({ length: 20 }, (_, nth) => ({
      name: `name${nth}`,
      range: { start: { line: 5, character: nth }, end: { line: 5, character: nth + 1 } },
    }));
    const request = { ...recommend, func_symbols: names };
    expect((await askWith(client, request, () => ({ result: [] }))).asked).toHaveLength(40);
  });

  test("leaves while it is asked leaves nothing behind", async () => {
    const { app, timers } = createIdeApp();
    const client = await connect(app);
    client.send(recommend);
    await client.next();
    client.leave();
    await expect.poll(() => timers.pending).toBe(0);
  });

  test("sends another task while it is asked is asked no more for the first", async () => {
    const { app } = createIdeApp();
    const client = await connect(app);
    client.send(recommend);
    await client.next();
    client.send({ ...requests.exec_chat, request_id: 2 });
    expect(await client.next()).toEqual({ request_id: 123, error: "cancelled" });
    expect(await client.next()).toMatchObject({ request_id: 2 });
  });
});

test.each([
  ["/w", "shop/cart.py", "/w/shop/cart.py"],
  ["/w/", "./shop/cart.py", "/w/shop/cart.py"],
  ["C:\\w", "shop/cart.py", "C:\\w\\shop\\cart.py"],
  ["/w", "/other/cart.py", "/other/cart.py"],
  ["C:\\w", "D:/cart.py", "D:/cart.py"],
  ["", "cart.py", "cart.py"],
  ["C:\\w", "C:/w/shop/cart.py", "C:\\w\\shop\\cart.py"],
  ["C:\\w", "/shop/cart.py", "C:\\w\\shop\\cart.py"],
  ["C:/w", "/shop/cart.py", "C:/w/shop/cart.py"],
  ["\\\\host\\w", "shop/cart.py", "\\\\host\\w\\shop\\cart.py"],
  ["\\\\host\\w", "/host/w/shop/cart.py", "\\\\host\\w\\shop\\cart.py"],
  ["/w", "/w/shop/cart.py", "/w/shop/cart.py"],
])("below the root %j the path %j is asked for as %j", async (root, filepath, abspath) => {
  const client = await connect(createIdeApp().app);
  client.send({ ...recommend, root, filepath });
  expect(await client.next()).toMatchObject({ params: { abspath } });
});
