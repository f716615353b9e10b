import { describe, expect, test } from "vitest";
import { createApprovals } from "../../../src/workspace/approvals.ts";
import {
  type IdeFiles,
  type IdeWorkspace,
  createIdeWorkspace,
} from "../../../src/workspace/ide/ide-workspace.ts";
import { compilePattern } from "../../../src/workspace/search/compile-pattern.node.ts";
import {
  applyApproved,
  canary,
  changeOf,
  codeOf,
  type SuiteFiles,
  valueOf,
  workspaceSuite,
} from "../workspace-suite.ts";
import { createTestIde, type TestIde } from "./test-ide.ts";

const options = { signal: AbortSignal.timeout(3_600_000) };
const list = { ...options, maxEntries: 100, depth: 3 };
const search = { isCaseSensitive: true, include: [], exclude: [], maxHits: 50 };
const secret = { "/outside/secret.txt": canary, "/secret.txt": canary };

function open(
  { files }: { files: IdeFiles },
  root = "/project",
  known: readonly string[] = [],
  now = () => 0,
) {
  const approvals = createApprovals({ now: () => 0 });
  const parts = { files, root, known, approvals, compile: compilePattern, now };
  const workspace = createIdeWorkspace(parts);
  if (workspace === undefined) throw new Error(`${root} is no root`);
  return { workspace, approvals };
}

function suiteOf(ide: TestIde, given: { workspace: IdeWorkspace }, root: string) {
  const isOutside = (path: string): boolean => !path.startsWith(root);
  return {
    ...given,
    outside: "/outside",
    readOutside: async () =>
      JSON.stringify([
        [...ide.texts].filter(([path]) => isOutside(path)),
        ide.asked.filter((question) => isOutside(question.slice(question.indexOf(" ") + 1))),
      ]),
    async readBytes(path: string) {
      const read = await given.workspace.read(path, { ...options, mayBeSecret: true });
      return read.ok ? new TextEncoder().encode(read.value.text) : undefined;
    },
    tellsSizes: false,
    close: async () => undefined,
  };
}

workspaceSuite("ide (that writes)", async (files) => {
  const ide = createTestIde("/project", files, secret);
  const given = open(ide);
  return { ...suiteOf(ide, given, "/project"), approvals: given.approvals };
});

workspaceSuite("ide (of proposals)", async (files) => {
  const ide = createTestIde("/project", files, secret);
  const given = open({ files: { ...ide.files, write: undefined } });
  return { ...suiteOf(ide, given, "/project"), approvals: given.approvals };
});

workspaceSuite("ide (on Windows)", async (files) => {
  const ide = createTestIde("C:\\code\\shop", files, secret);
  const given = open(ide, "C:\\code\\shop\\");
  return { ...suiteOf(ide, given, "C:\\code\\shop"), approvals: given.approvals };
});

describe("an IDE is asked", () => {
  test.each([
    ["/project", "/project/src/a.ts"],
    ["/project/", "/project/src/a.ts"],
    ["/", "/src/a.ts"],
    ["C:\\code\\shop\\", "C:\\code\\shop\\src\\a.ts"],
    ["c:/code/shop", "c:/code/shop/src/a.ts"],
    ["\\\\server\\share\\shop", "\\\\server\\share\\shop\\src\\a.ts"],
  ])("in the way of its system: below %j for %j", async (root, abspath) => {
    const asked: string[] = [];
    const read = async (path: string) => void asked.push(path);
    await open({ files: { read } }, root).workspace.read("src/a.ts", options);
    expect(asked).toEqual([abspath]);
  });

  test.each(["", "project", "./project", "~/project", "file:///project", "C:project"])(
    "for nothing where its root is %j",
    (root) => {
      const parts = { files: { read: async () => "" }, root, now: () => 0 };
      const approvals = createApprovals({ now: () => 0 });
      expect(createIdeWorkspace({ ...parts, approvals })).toBeUndefined();
    },
  );

  test("on Windows for its root in any letter case, and never for a device", async () => {
    const ide = createTestIde("C:\\code\\shop", { "src/a.ts": "a\n" });
    const { workspace } = open(ide, "C:\\code\\shop");
    expect(valueOf(await workspace.read("c:/CODE/shop/src/a.ts", options)).text).toBe("a\n");
    for (const path of ["NUL", "src/con.txt", "D:\\x", "\\\\?\\C:\\code\\shop\\src\\a.ts"])
      expect(codeOf(await workspace.read(path, options))).toBe("outside");
    expect(ide.asked).toEqual(["read C:\\code\\shop\\src\\a.ts"]);
  });
});

test("a file is asked for once a moment, also by many at once, and again after a write", async () => {
  let time = 0;
  const ide = createTestIde("/project", { "a.txt": "a\n" });
  const given = open(ide, "/project", [], () => time);
  const { workspace } = given;
  await Promise.all(Array.from({ length: 20 }, () => workspace.read("a.txt", options)));
  const change = await changeOf(workspace, "a.txt", "b\n");
  expect(codeOf(await applyApproved(given, change))).toBeUndefined();
  const read = "read /project/a.txt";
  expect(ide.asked).toEqual([read, "write /project/a.txt", read]);
  ide.texts.set("/project/a.txt", "mine\n");
  time = 1_000;
  expect(valueOf(await workspace.read("a.txt", options)).text).toBe("mine\n");
});

test("an IDE that fails once is asked again", async () => {
  let count = 0;
  const read = async () => {
    count += 1;
    if (count === 1) throw new Error("silent");
    return "text\n";
  };
  const { workspace } = open({ files: { read } });
  await expect(workspace.read("a.txt", options)).rejects.toThrow("silent");
  expect(valueOf(await workspace.read("a.txt", options)).text).toBe("text\n");
});

describe("what an IDE answers", () => {
  test.each<[string, unknown, string]>([
    ["null", null, "not-found"],
    ["nothing", undefined, "not-found"],
    ["an object", { text: "a" }, "not-found"],
    ["a text with NUL in it", "a\0b", "binary"],
    ["half a character", "a\ud800", "binary"],
    ["more than 2 Mi characters", "a".repeat(2 * 1024 * 1024 + 1), "too-large"],
  ])("to a read with %s is %3$s", async (_, answer, code) => {
    const { workspace } = open({ files: { read: async () => answer } });
    expect(codeOf(await workspace.read("a.ts", options))).toBe(code);
  });

  test("to a list is taken as far as it holds paths of the folder", async () => {
    const rows = [
      "a.ts",
      "./x/../b.ts",
      "..\\..\\etc\\passwd",
      "/etc/passwd",
      "/project/src/c.ts",
      "/project/d.ts",
      "sub\\e.ts",
      ".env",
      ".git/config",
      "f.ts:stream",
      "",
      7,
      null,
      { path: "g.ts" },
      "a.ts",
    ];
    const files = { read: async () => canary, list: async () => rows };
    const { workspace } = open({ files });
    const { entries } = valueOf(await workspace.list("src", list));
    const inside = { entries: [{ name: "e.ts", kind: "file" }], more: 0 };
    expect(entries).toEqual([
      { name: "a.ts", kind: "file" },
      { name: "b.ts", kind: "file" },
      { name: "c.ts", kind: "file" },
      { name: "sub", kind: "folder", inside },
    ]);
    const { hits } = valueOf(await workspace.search({ ...search, query: "canary" }, options));
    expect(hits.map(({ file }) => file)).not.toContain(".env");
  });

  test.each([
    ["no list", 5],
    ["an error", undefined],
    ["a text", "a.ts"],
  ])("to a list with %s is an empty folder", async (_, answer) => {
    const files = { read: async () => null, list: async () => answer };
    const { workspace } = open({ files });
    expect(valueOf(await workspace.list(".", list)).entries).toEqual([]);
  });

  test("to a list is bounded, and a search says that it did not see all", async () => {
    const rows = Array.from({ length: 20_001 }, (_, nth) => `${nth}.txt`);
    const asked: string[] = [];
    const read = async (path: string) => {
      asked.push(path);
      return "text\n";
    };
    const { workspace } = open({ files: { read, list: async () => rows } });
    const listing = valueOf(await workspace.list(".", list));
    expect([listing.entries.length, listing.more]).toEqual([100, 19_900]);
    const result = valueOf(await workspace.search({ ...search, query: "nowhere" }, options));
    expect(result).toMatchObject({ hits: [], isCut: true });
    expect(asked).toHaveLength(2_000);
  });
});

describe("a search", () => {
  const many = Object.fromEntries(
    Array.from({ length: 100 }, (_, nth) => [`${nth}.txt`, "text\n"]),
  );

  test("ends when its time is over, and says so", async () => {
    let time = 0;
    const ide = createTestIde("/project", many);
    const { workspace } = open(ide, "/project", [], () => (time += 3_000));
    const result = valueOf(await workspace.search({ ...search, query: "none" }, options));
    expect(result).toMatchObject({ hits: [], isCut: true });
    expect(ide.asked.length).toBeLessThan(100);
  });

  test("names the files that it left out since they are too large", async () => {
    const { workspace } = open(createTestIde("/project", { "big.txt": "x".repeat(3_000_000) }));
    const result = valueOf(await workspace.search({ ...search, query: "a.b" }, options));
    expect(result).toMatchObject({ hits: [], tooLarge: ["big.txt"] });
  });

  test("asks for no more files than it needs", async () => {
    const ide = createTestIde("/project", many);
    const result = await open(ide).workspace.search({ ...search, query: "t", maxHits: 3 }, options);
    expect(valueOf(result)).toMatchObject({ hasMore: true, isCut: false });
    expect(ide.asked.filter((question) => question.startsWith("read"))).toHaveLength(16);
  });

  test("without lists knows the files that came along or were read", async () => {
    const { files } = createTestIde("/project", {
      "a.ts": "one\n",
      "b.ts": "one\n",
      "c.ts": "one\n",
    });
    const given = open({ files: { read: files.read } }, "/project", ["/project/a.ts", "/etc/x"]);
    const find = async () => {
      const result = await given.workspace.search({ ...search, query: "one" }, options);
      return valueOf(result).hits.map(({ file }) => file);
    };
    expect(await find()).toEqual(["a.ts"]);
    await given.workspace.read("c.ts", options);
    expect(await find()).toEqual(["a.ts", "c.ts"]);
    await applyApproved(given, { path: "d.ts", before: undefined, after: "one\n" });
    expect(await find()).toEqual(["a.ts", "c.ts", "d.ts"]);
    const { entries } = valueOf(await given.workspace.list(".", list));
    expect(entries.map(({ name }) => name)).toEqual(["a.ts", "c.ts", "d.ts"]);
  });
});

describe("a write", () => {
  const own: SuiteFiles = { "a.txt": "a\n", "b.txt": "\ufeffb\r\n" };

  test("tells the IDE the hash of what was read, and the whole text with its byte order mark", async () => {
    const ide = createTestIde("/project", own);
    const changes: unknown[] = [];
    const write: IdeFiles["write"] = (change, signal) => {
      changes.push(change);
      return ide.files.write(change, signal);
    };
    const given = open({ files: { ...ide.files, write } });
    const { hash } = valueOf(await given.workspace.read("b.txt", options));
    await applyApproved(given, await changeOf(given.workspace, "b.txt", "c\r\n"));
    await applyApproved(given, await changeOf(given.workspace, "a.txt", undefined));
    await applyApproved(given, { path: "new.txt", before: undefined, after: "x\n" });
    expect(changes).toEqual([
      { abspath: "/project/b.txt", hashBefore: hash, text: "\ufeffc\r\n" },
      { abspath: "/project/a.txt", hashBefore: expect.any(String), text: null },
      { abspath: "/project/new.txt", hashBefore: null, text: "x\n" },
    ]);
    expect([...ide.texts]).toEqual([
      ["/project/b.txt", "\ufeffc\r\n"],
      ["/project/new.txt", "x\n"],
    ]);
    const changed = given.workspace.listChanged().map(({ path, now }) => [path, now?.text]);
    expect(changed).toEqual([
      ["a.txt", undefined],
      ["b.txt", "c\r\n"],
      ["new.txt", "x\n"],
    ]);
  });

  const writeWith = async (write: (ide: TestIde) => NonNullable<IdeFiles["write"]>) => {
    const ide = createTestIde("/project", own);
    const given = open({ files: { ...ide.files, write: write(ide) } });
    const change = await changeOf(given.workspace, "a.txt", "new\n");
    const result = await applyApproved(given, change);
    return { result, changed: given.workspace.listChanged(), code: codeOf(result) };
  };

  test("that the person refuses says why, on one bounded line", async () => {
    const reason = `Not this file.\n# Heading ${"x".repeat(5_000)}`;
    const { result, changed, code } = await writeWith(() => async () => ({ ok: false, reason }));
    expect([code, changed]).toEqual(["not-approved", []]);
    const message = result.ok ? { en: "", zh: "" } : result.problem.message;
    expect(message.en).toContain('it says: "Not this file. # Heading xxx');
    expect(message.zh).toContain("Not this file.");
    expect(message.en.length).toBeLessThan(700);
    expect(message.en).not.toContain("\n");
  });

  test("that the IDE claims and did not do is not believed", async () => {
    const { changed, code } = await writeWith(() => async () => ({ ok: true }));
    expect([code, changed]).toEqual(["failed", []]);
  });

  test("that the IDE did and does not tell is found out", async () => {
    const { changed, code } = await writeWith((ide) => async (change, signal) => {
      await ide.files.write(change, signal);
      return { ok: false, reason: "No answer." };
    });
    expect([code, changed.map(({ path }) => path)]).toEqual([undefined, ["a.txt"]]);
  });

  test("of a file that its person has changed meanwhile is refused as made for an older text", async () => {
    const { changed, code } = await writeWith((ide) => async (change, signal) => {
      ide.texts.set("/project/a.txt", "mine\n");
      return ide.files.write(change, signal);
    });
    expect([code, changed]).toEqual(["stale", []]);
  });

  test("never reaches the IDE for a protected name, whatever the spelling", async () => {
    const ide = createTestIde("C:\\w", own);
    const given = open(ide, "C:\\w");
    for (const path of [".git\\hooks\\x", "C:\\w\\.GIT\\config", ".Env", "c:/W/.vscode/tasks.json"])
      expect(codeOf(await applyApproved(given, { path, before: undefined, after: "x" }))).toBe(
        "protected",
      );
    expect(ide.asked).toEqual([]);
  });
});

test("proposals show the files as they would be, and write none", async () => {
  const ide = createTestIde("/project", { "a.txt": "a\n", "b.txt": "b\n" });
  const given = open({ files: { ...ide.files, write: undefined } });
  const { workspace } = given;
  await applyApproved(given, await changeOf(workspace, "a.txt", "new\n"));
  await applyApproved(given, await changeOf(workspace, "b.txt", undefined));
  await applyApproved(given, { path: "c.txt", before: undefined, after: "new\n" });
  expect(workspace.effect).toBe("proposals");
  expect(valueOf(await workspace.read("a.txt", options)).text).toBe("new\n");
  expect(codeOf(await workspace.read("b.txt", options))).toBe("not-found");
  const { hits } = valueOf(await workspace.search({ ...search, query: "new" }, options));
  expect(hits.map(({ file }) => file)).toEqual(["a.txt", "c.txt"]);
  expect([...ide.texts.values()]).toEqual(["a\n", "b\n"]);
  const changed = workspace.listChanged().map(({ path, before }) => [path, before?.text]);
  expect(changed).toEqual([
    ["a.txt", "a\n"],
    ["b.txt", "b\n"],
    ["c.txt", undefined],
  ]);
});
