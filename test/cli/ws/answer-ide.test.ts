import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../call/temporary-folder.ts";
import { createIdeAnswers } from "../../../src/cli/ws/ide.ts";
import { cart, item, openProject, parser } from "./test-project.ts";

/** The place of a name in a text, from 0. */
function placeOf(text: string, name: string, line: number): { line: number; character: number } {
  const character = (text.split("\n")[line] ?? "").indexOf(name);
  expect(character).toBeGreaterThanOrEqual(0);
  return { line, character };
}

const allOf = (startLine: number, endLine: number, character: number): object => ({
  start: { line: startLine, character: 0 },
  end: { line: endLine, character },
});

describe("a file of the project", () => {
  test("is read by its absolute path, and by the one from the root", async () => {
    const { root, answer } = openProject();
    const expected = { result: item };
    expect(await answer("/read_file", { abspath: join(root, "shop/item.py") })).toEqual(expected);
    expect(await answer("/read_file", { abspath: "shop/item.py" })).toEqual(expected);
  });

  test("tells its symbols as a tree, with places from 0", async () => {
    const { answer } = openProject();
    expect(await answer("/get_document_symbols", { abspath: "shop/item.py" })).toEqual({
      result: [
        {
          name: "Item",
          kind: "Class",
          range: allOf(0, 2, 26),
          children: [
            {
              name: "__init__",
              kind: expect.stringMatching(/^(?:Method|Constructor)$/),
              range: { start: { line: 1, character: 4 }, end: { line: 2, character: 26 } },
              children: [],
            },
          ],
        },
        { name: "discounted", kind: "Function", range: allOf(5, 6, 41), children: [] },
      ],
    });
  });

  test("of a language without a grammar has the symbols of a plain reading, or none", async () => {
    const { answer } = openProject({ "notes.txt": "just words\n" });
    expect(await answer("/get_document_symbols", { abspath: "notes.txt" })).toEqual({ result: [] });
  });
});

describe("a list", () => {
  test("has the files below a folder, from it, without hidden ones", async () => {
    const { root, answer } = openProject({
      ".env": "KEY=1\n",
      "README.md": "",
      "shop/sub/a.py": "",
    });
    const list = async (abspath: string) => {
      const given = await answer("/list_files", { abspath });
      return "result" in given ? new Set(given.result as string[]) : given;
    };
    const inShop = ["cart.py", "item.py", "sub/a.py"];
    expect(await list(join(root, "shop"))).toEqual(new Set(inShop));
    expect(await list("shop/")).toEqual(new Set(inShop));
    const all = ["README.md", ...inShop.map((path) => `shop/${path}`)];
    expect(await list(root)).toEqual(new Set(all));
    expect(await list("nowhere")).toEqual(new Set());
  });

  test.each(["/", "/etc", "..", "../..", "shop/../.."])(
    "of %j is refused: it is outside",
    async (abspath) => {
      const { answer } = openProject();
      expect(await answer("/list_files", { abspath })).toEqual({
        error: expect.stringMatching(/outside/),
      });
    },
  );
});

test("nothing is written where nobody can be asked", async () => {
  const { answer } = openProject();
  const params = { abspath: "shop/new.py", before_hash: null, text: "x" };
  expect(await answer("/write_file", params)).toEqual({
    error: expect.stringMatching(/not offered/),
  });
});

describe("definitions", () => {
  const at = async (name: string, line: number, path = "/find_def_locations") => {
    const { root, answer } = openProject();
    const params = { abspath: "shop/cart.py", ...placeOf(cart, name, line) };
    return { root, given: await answer(path, params) };
  };

  test("of a name of the same file come from there", async () => {
    const { root, given } = await at("LIMIT", 10);
    const abspath = join(root, "shop/cart.py");
    expect(given).toEqual({ result: [{ abspath, range: allOf(2, 2, 11) }] });
  });

  test("of an imported name come from the file that exports it", async () => {
    const { root, given } = await at("discounted", 9);
    const abspath = join(root, "shop/item.py");
    expect(given).toEqual({ result: [{ abspath, range: allOf(5, 6, 41) }] });
  });

  test("of a local name are none, however many files define that name", async () => {
    const { answer } = openProject({ "shop/other.py": "result = 1\nitem = 2\n" });
    const params = { abspath: "shop/cart.py", ...placeOf(cart, "result", 9) };
    expect(await answer("/find_def_locations", params)).toEqual({ result: [] });
  });

  test("are found where the place is the beginning of a declaration", async () => {
    const { answer } = openProject();
    const params = { abspath: "shop/cart.py", line: 5, character: 0 };
    expect(await answer("/find_def_locations", params)).toMatchObject({ result: [{}] });
  });

  test.each([
    ["behind the end of the file", { line: 900, character: 0 }],
    ["behind the end of a line", { line: 0, character: 900 }],
    ["in a blank line", { line: 1, character: 0 }],
  ])("of a place %s are none", async (_, place) => {
    const { answer } = openProject();
    const given = await answer("/find_def_locations", { abspath: "shop/cart.py", ...place });
    expect(given).toEqual({ result: [] });
  });

  test("of the type of a parameter come from the file that defines the class", async () => {
    const { root, given } = await at("items", 5, "/find_type_def_locations");
    const abspath = join(root, "shop/item.py");
    expect(given).toEqual({ result: [{ abspath, range: allOf(0, 2, 26) }] });
  });

  test("of a function are no types", async () => {
    const { given } = await at("discounted", 9, "/find_type_def_locations");
    expect(given).toEqual({ result: [] });
  });

  test("count in UTF-16 code units", async () => {
    const text = 'LIMIT = 1\nlabel = "🛒🛒"; other = LIMIT\n';
    const { answer } = openProject({ "wide.py": text });
    const place = placeOf(text, "LIMIT", 1);
    expect(place.character).toBe(24);
    const given = await answer("/find_def_locations", { abspath: "wide.py", ...place });
    expect(given).toMatchObject({ result: [{ range: allOf(0, 0, 9) }] });
  });

  test("of a Go package need no import", async () => {
    const { root, answer } = openProject({
      "shop/price.go": "package shop\n\nfunc Discounted(price int) int { return price / 2 }\n",
      "shop/cart.go": "package shop\n\nfunc Total(a int) int { return Discounted(a) }\n",
    });
    const params = { abspath: "shop/cart.go", line: 2, character: 32 };
    expect(await answer("/find_def_locations", params)).toMatchObject({
      result: [{ abspath: join(root, "shop/price.go") }],
    });
  });

  test("are looked for in at most five places", async () => {
    const files = Array.from({ length: 9 }, (_, nth) => [
      `p${nth}/m.go`,
      "package p\n\nfunc Same() {}\n",
    ]);
    const { answer } = openProject({
      ...Object.fromEntries(files),
      "main.go": "package main\n\nfunc main() { Same() }\n",
    });
    const params = { abspath: "main.go", line: 2, character: 15 };
    const given = await answer("/find_def_locations", params);
    expect(given).toMatchObject({ result: { length: 5 } });
  });
});

describe("the project ends at its root:", () => {
  const outside = (): { root: string; answer: ReturnType<typeof openProject>["answer"] } => {
    const secrets = temporaryFolder({ "secret.py": "KEY = 1\n" });
    const { root, answer } = openProject();
    symlinkSync(join(secrets, "secret.py"), join(root, "link.py"));
    symlinkSync(secrets, join(root, "linked"));
    symlinkSync(join(secrets, "nothing.py"), join(root, "dangling.py"));
    symlinkSync(join(root, "shop/item.py"), join(root, "own-link.py"));
    return { root, answer };
  };

  test.each([
    ["an absolute path of elsewhere", "/etc/passwd", /outside/],
    ["a path that climbs out", "../../../../../../etc/passwd", /outside/],
    ["a path that climbs out and is missing", "../nowhere/at-all.py", /outside/],
    ["a link to a file of elsewhere", "link.py", /outside/],
    ["a file behind a link to a folder of elsewhere", "linked/secret.py", /outside/],
    ["a link to nothing", "dangling.py", /outside/],
    ["a file that is missing", "shop/nope.py", /does not exist/],
    ["a path with a NUL", "shop/item.py\0.txt", /outside/],
    ["a path of Windows", "C:\\Windows\\win.ini", /outside/],
    ["a path of Windows that climbs out", "..\\..\\secret.py", /outside/],
    ["a share of Windows", "\\\\server\\share\\secret.py", /outside/],
    ["a folder", "shop", /not of the kind/],
    ["the root itself", ".", /not of the kind/],
  ])("%s is refused by every service", async (_, abspath, why) => {
    const { answer } = outside();
    const params = { abspath, line: 0, character: 0 };
    const services = ["/read_file", "/get_document_symbols", "/find_def_locations"];
    for (const service of [...services, "/find_type_def_locations"])
      expect(await answer(service, params)).toEqual({ error: expect.stringMatching(why) });
  });

  test("a link to a file of the project is read", async () => {
    expect(await outside().answer("/read_file", { abspath: "own-link.py" })).toEqual({
      result: item,
    });
  });

  test("hidden files and keys are not shown, and neither is what lies in hidden folders", async () => {
    const files = { ".env": "KEY=1\n", ".git/config": "[core]\n", "tls/server.pem": "KEY\n" };
    const { root, answer } = openProject(files);
    symlinkSync(join(root, ".env"), join(root, "plain.txt"));
    for (const abspath of [".env", ".git/config", "plain.txt", "shop/../.env", "tls/server.pem"])
      expect(await answer("/read_file", { abspath })).toEqual({
        error: expect.stringMatching(/Hidden/),
      });
  });

  test("what a hidden link leads to is hidden under its own name, also while it is searched", async () => {
    const files = {
      "cfg/values.py": "def hidden_key():\n  pass\n",
      "app.py": "from cfg.values import hidden_key\nhidden_key()\n",
    };
    const { root, answer } = openProject(files);
    const params = { abspath: "app.py", line: 1, character: 2 };
    const found = await answer("/find_def_locations", params);
    symlinkSync("cfg/values.py", join(root, ".env"));
    symlinkSync("shop", join(root, ".vscode"));
    for (const abspath of ["cfg/values.py", join(root, "cfg/values.py"), "shop/item.py", ".env"])
      expect(await answer("/read_file", { abspath })).toEqual({
        error: expect.stringMatching(/Hidden/),
      });
    const other = createIdeAnswers(root, parser);
    expect(found).not.toEqual({ result: [] });
    expect(await other("/find_def_locations", params)).toEqual({ result: [] });
  });

  test("files that are too large or no text are refused", async () => {
    const { root, answer } = openProject({ "picture.py": new Uint8Array([0, 1, 2]) });
    writeFileSync(join(root, "large.py"), "x".repeat(512 * 1_024 + 1));
    expect(await answer("/read_file", { abspath: "large.py" })).toEqual({
      error: expect.stringMatching(/larger than 512 KiB/),
    });
    expect(await answer("/read_file", { abspath: "picture.py" })).toEqual({
      error: expect.stringMatching(/not text/),
    });
  });

  test("definitions are not looked for behind links that lead out of it", async () => {
    const { root, answer } = outside();
    mkdirSync(join(root, "app"));
    writeFileSync(join(root, "app/use.py"), "from linked.secret import KEY\nprint(KEY)\n");
    const params = { abspath: "app/use.py", line: 1, character: 6 };
    expect(await answer("/find_def_locations", params)).toEqual({ result: [] });
  });
});

test.each([
  ["an unknown service", "/run_command", { abspath: "shop/item.py" }, /not offered/],
  ["no path", "/read_file", {}, /abspath/],
  ["no parameters", "/read_file", undefined, /abspath/],
  ["an empty path", "/read_file", { abspath: "" }, /abspath/],
  ["a path that is too long", "/read_file", { abspath: "a".repeat(5_000) }, /abspath/],
  ["a negative line", "/find_def_locations", { abspath: "shop/item.py", line: -1 }, /line/],
  ["no place", "/find_type_def_locations", { abspath: "shop/item.py" }, /line and character/],
])("%s is an error", async (_, path, params, why) => {
  expect(await openProject().answer(path, params)).toEqual({ error: expect.stringMatching(why) });
});

test("numbers may be written as text", async () => {
  const { answer } = openProject();
  const params = { abspath: "shop/cart.py", line: "10", character: "23" };
  expect(await answer("/find_def_locations", params)).toMatchObject({ result: [{}] });
});
