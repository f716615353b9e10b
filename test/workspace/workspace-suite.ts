// What every workspace keeps to, whatever its files lie in.
import { describe, expect, test } from "vitest";
import type { Approvals } from "../../src/workspace/approvals.ts";
import type {
  FileChange,
  Workspace,
  WorkspaceProblemCode,
  WorkspaceResult,
} from "../../src/workspace/workspace.ts";
import { escapingPaths, plainLookingPaths } from "./escaping-paths.ts";

export interface SuiteWorkspace {
  workspace: Workspace;
  approvals: Approvals;
  /** A folder outside of the root, with `secret.txt` in it, whose text is {@link canary}. */
  outside: string;
  /** Everything outside of the root, as one text: it stays the same. */
  readOutside(): Promise<string>;
  /** The bytes of a file, wherever they lie; undefined if there is none. */
  readBytes(path: string): Promise<Uint8Array | undefined>;
  /** Lists tell how large files are; they do where this is absent. */
  tellsSizes?: boolean;
  close(): Promise<void>;
}

export type SuiteFiles = Readonly<Record<string, string>>;

/** The text that nobody may ever get to see. */
export const canary = "canary-7b1f-nobody-reads-this";

const signal = AbortSignal.timeout(3_600_000);
const options = { signal };

/** The problem's code; undefined if there was none. */
export function codeOf(result: WorkspaceResult<unknown>): WorkspaceProblemCode | undefined {
  return result.ok ? undefined : result.problem.code;
}

export function valueOf<Value>(result: WorkspaceResult<Value>): Value {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message.en}`);
  return result.value;
}

/** Makes a change as a person would who has seen and allowed it, under the path that the workspace gives it. */
export async function applyApproved(
  { workspace, approvals }: Pick<SuiteWorkspace, "workspace" | "approvals">,
  change: FileChange,
): Promise<WorkspaceResult<FileChange>> {
  const checked = await workspace.check(change, options);
  const shown = checked.ok ? checked.value : change;
  const approval = await approvals.approve([shown]);
  return workspace.apply(shown, approval, options);
}

export async function changeOf(
  workspace: Workspace,
  path: string,
  after: string | undefined,
): Promise<FileChange> {
  const { text, hash } = valueOf(await workspace.read(path, options));
  return { path, before: { text, hash }, after };
}

/** Tests that run for each kind of workspace. */
export function workspaceSuite(
  name: string,
  create: (files: SuiteFiles) => Promise<SuiteWorkspace>,
): void {
  const use = async (
    files: SuiteFiles,
    work: (given: SuiteWorkspace) => Promise<void>,
  ): Promise<void> => {
    const given = await create(files);
    try {
      await work(given);
    } finally {
      await given.close();
    }
  };

  describe(`a ${name} workspace keeps inside of its root`, () => {
    const files = { "src/a.ts": "export const a = 1;\n" };

    test("there are at least 60 ways out that it is tried with", () => {
      expect(new Set(escapingPaths).size).toBeGreaterThanOrEqual(60);
    });

    test.each(escapingPaths)(
      "%j is refused for everything, and nothing is read or written",
      (form) =>
        use(files, async (given) => {
          const { workspace, outside } = given;
          const path = form.replace("OUT", outside);
          const before = await given.readOutside();
          const change: FileChange = { path, before: undefined, after: "written by an agent\n" };
          const removed: FileChange = {
            path,
            before: { text: canary, hash: "0" },
            after: undefined,
          };
          const results = [
            await workspace.locate(path),
            await workspace.read(path, { ...options, mayBeSecret: true }),
            await workspace.list(path, { ...options, maxEntries: 100, depth: 3 }),
            await workspace.check(change, options),
            await workspace.check(removed, options),
            await applyApproved(given, change),
            await applyApproved(given, removed),
          ];
          expect(results.map(codeOf)).toEqual(results.map(() => "outside"));
          expect(JSON.stringify(results)).not.toContain(canary);
          expect(await given.readOutside()).toBe(before);
        }),
    );

    test.each(plainLookingPaths)("%j is not decoded: there is no such file", (path) =>
      use(files, async (given) => {
        const before = await given.readOutside();
        const result = await given.workspace.read(path, options);
        expect(["not-found", "outside"]).toContain(codeOf(result));
        expect(JSON.stringify(result)).not.toContain(canary);
        expect(await given.readOutside()).toBe(before);
      }),
    );

    test.each(["../**", "../outside/*.txt", "/**", "**/../../**", "{..,src}/**"])(
      "a search with the pattern %j finds nothing outside",
      (pattern) =>
        use(files, async ({ workspace }) => {
          for (const query of [canary, "canary-.*-nobody"]) {
            const result = await workspace.search(
              { query, isCaseSensitive: false, include: [pattern], exclude: [], maxHits: 50 },
              options,
            );
            expect(valueOf(result).hits).toEqual([]);
          }
        }),
    );
  });

  describe(`a ${name} workspace reads`, () => {
    test.each([
      "src/a.ts",
      "./src/a.ts",
      "src//a.ts",
      "src\\a.ts",
      "src/x/../a.ts",
      "ROOT/src/a.ts",
    ])("%j is one and the same file", (form) =>
      use({ "src/a.ts": "1\n2\n", "src/x/b.ts": "" }, async ({ workspace }) => {
        const path = form.replace("ROOT", workspace.root === "/" ? "" : workspace.root);
        expect(valueOf(await workspace.locate(path))).toBe("src/a.ts");
        const { hash, ...file } = valueOf(await workspace.read(path, options));
        expect(file).toEqual({
          path: "src/a.ts",
          text: "1\n2\n",
          startLine: 1,
          totalLines: 2,
          encoding: "utf-8",
          bom: false,
          size: 4,
          isPart: false,
        });
        expect(hash).toMatch(/^[0-9a-f]{64}$/);
      }),
    );

    const dresses = [
      "PATH",
      "./PATH",
      "/PATH",
      "a/PATH",
      "b/PATH",
      "ROOT/PATH",
      "/ROOT/PATH",
      "a/ROOT/PATH",
    ];
    const ends = ["", ":12", ":12-20", ":12:5", "#L12", "#L12-L20"];
    const forms = dresses.flatMap((dress) =>
      ends.flatMap((end) => [dress + end, `\`${dress}${end}\``]),
    );
    test.each([...forms, ...forms.map((form) => form.replaceAll("/", "\\"))])(
      "%j is the one file that is there",
      (form) =>
        use({ "src/x.ts": "1\n", "lib/x.ts": "2\n", "b.ts": "" }, async ({ workspace }) => {
          const rootName = workspace.root.split("/").at(-1) || "src/..";
          const path = form.replace("ROOT", rootName).replace("PATH", "src/x.ts");
          if (workspace.root === "/" && form.includes("ROOT")) return;
          expect(valueOf(await workspace.locate(path))).toBe("src/x.ts");
          expect(valueOf(await workspace.read(path, options)).path).toBe("src/x.ts");
        }),
    );

    test("a path that is there wins over all that it may be read as", () =>
      use(
        { "a/x.ts": "1\n", "x.ts": "2\n", "a/b/y.ts": "", "b/y.ts": "" },
        async ({ workspace }) => {
          for (const path of ["a/x.ts", "x.ts", "a/b/y.ts", "b/y.ts"])
            expect(valueOf(await workspace.locate(path))).toBe(path);
          expect(valueOf(await workspace.locate("b/x.ts"))).toBe("b/x.ts");
        },
      ));

    test("a new file is not made in a folder that only a diff, or the root's name, has", () =>
      use({ "src/x.ts": "1\n" }, async ({ workspace }) => {
        const rootName = workspace.root.split("/").at(-1) ?? "";
        expect(valueOf(await workspace.locate("a/src/new.ts"))).toBe("src/new.ts");
        expect(valueOf(await workspace.locate("src/new.ts#L3"))).toBe("src/new.ts");
        expect(codeOf(await workspace.locate("src/new.ts:3"))).toBe("outside");
        if (rootName !== "")
          expect(valueOf(await workspace.locate(`${rootName}/new.ts`))).toBe("new.ts");
        // A folder of that name may be meant.
        expect(valueOf(await workspace.locate("a/new.ts"))).toBe("a/new.ts");
        expect(valueOf(await workspace.locate("lib/new.ts"))).toBe("lib/new.ts");
      }));

    test.each([
      "src/x.ts\n",
      "\n src/x.ts",
      "\t./src/x.ts\r\n",
      "\ufeffsrc/x.ts",
      "src/x.ts\u200b",
      "`a/src/x.ts`\n",
      "**src/x.ts**",
      "[x.ts](src/x.ts#L3)",
      "src/x.ts (lines 3-5)",
      "src/x.ts, line 3",
    ])(
      "%j, with what a model puts around it, is the file, and a new one has no other name",
      (path) =>
        use({ "src/x.ts": "1\n" }, async ({ workspace }) => {
          expect(valueOf(await workspace.locate(path))).toBe("src/x.ts");
          expect(valueOf(await workspace.locate(path.replaceAll("x.ts", "new.ts")))).toBe(
            "src/new.ts",
          );
        }),
    );

    test("a path is read in both forms of its accents, and a space that a shell escapes makes no folder", () =>
      use(
        { "caf\u00e9/a.ts": "1\n", "u\u0308ber.ts": "2\n", "a b.ts": "" },
        async ({ workspace }) => {
          expect(valueOf(await workspace.locate("cafe\u0301/a.ts"))).toBe("caf\u00e9/a.ts");
          expect(valueOf(await workspace.locate("\u00fcber.ts"))).toBe("u\u0308ber.ts");
          expect(codeOf(await workspace.locate("a\\ b/c.ts"))).toBe("outside");
        },
      ));

    test("lines that are asked for come alone, with the hash of the whole file", () =>
      use({ "a.txt": "1\r\n2\r\n3\r\n4" }, async ({ workspace }) => {
        const whole = valueOf(await workspace.read("a.txt", options));
        const read = async (startLine: number, endLine: number) =>
          valueOf(await workspace.read("a.txt", { ...options, lines: { startLine, endLine } }));
        expect(await read(2, 3)).toMatchObject({ text: "2\r\n3\r\n", startLine: 2, totalLines: 4 });
        expect(await read(2, 3)).toMatchObject({
          hash: whole.hash,
          isPart: true,
          size: whole.size,
        });
        expect(await read(4, 99)).toMatchObject({ text: "4", startLine: 4, isPart: true });
        expect(await read(1, 99)).toMatchObject({ text: whole.text, isPart: false });
        expect(await read(9, 10)).toMatchObject({ text: "", startLine: 9, totalLines: 4 });
        expect(await read(3, 2)).toMatchObject({ text: "", isPart: true });
      }));

    test("a byte order mark is told and not part of the text", () =>
      use({ "a.txt": "\ufeffa\r\n" }, async ({ workspace }) => {
        const file = valueOf(await workspace.read("a.txt", options));
        expect(file).toMatchObject({ text: "a\r\n", bom: true, encoding: "utf-8", size: 6 });
      }));

    test("a file that is not there, and a folder, are told apart", () =>
      use({ "src/a.ts": "" }, async ({ workspace }) => {
        expect(codeOf(await workspace.read("src/b.ts", options))).toBe("not-found");
        expect(codeOf(await workspace.read("src", options))).toBe("wrong-kind");
        expect(codeOf(await workspace.read(".", options))).toBe("wrong-kind");
        const list = { ...options, maxEntries: 9, depth: 0 };
        expect(codeOf(await workspace.list("src/a.ts", list))).toBe("wrong-kind");
        expect(codeOf(await workspace.list("lib", list))).toBe("not-found");
      }));

    test("names with line breaks, escapes and signs are names like others", () =>
      use(
        { "a\nb.txt": "x", "a\u001b[31m.txt": "x", "100%.txt": "x", "$&.txt": "x" },
        async (given) => {
          for (const path of ["a\nb.txt", "a\u001b[31m.txt", "100%.txt", "$&.txt"]) {
            expect(valueOf(await given.workspace.read(path, options)).text).toBe("x");
            const change = await changeOf(given.workspace, path, "$& $1 $' `y`\n");
            expect(codeOf(await applyApproved(given, change))).toBeUndefined();
            expect(valueOf(await given.workspace.read(path, options)).text).toBe("$& $1 $' `y`\n");
          }
          const missing = await given.workspace.read("b\u001b[31m\n.txt", options);
          expect(JSON.stringify(missing)).toContain("not-found");
          if (!missing.ok) expect(missing.problem.message.en).not.toMatch(/\p{Cc}/u);
        },
      ));
  });

  describe(`a ${name} workspace keeps secrets`, () => {
    const secrets = {
      ".env": canary,
      ".env.local": canary,
      "keys/Server.PEM": canary,
      ".npmrc": canary,
    };
    const files = { ...secrets, "src/a.ts": "a\n" };

    test("they are not listed, found or read, until the person allows it", () =>
      use(files, async ({ workspace }) => {
        const listing = await workspace.list(".", { ...options, maxEntries: 100, depth: 3 });
        expect(JSON.stringify(listing)).not.toMatch(/env|PEM|npmrc/);
        const query = {
          isCaseSensitive: true,
          include: [],
          exclude: [],
          maxHits: 50,
          query: canary,
        };
        expect(valueOf(await workspace.search(query, options)).hits).toEqual([]);
        for (const path of Object.keys(secrets)) {
          expect(codeOf(await workspace.read(path, options))).toBe("secret");
          const read = await workspace.read(path, { ...options, mayBeSecret: true });
          expect(valueOf(read).text).toBe(canary);
        }
      }));

    test.each([
      ".git/config",
      ".git/hooks/pre-commit",
      ".GIT/config",
      "sub/.git/config",
      ".g\u200cit/config",
      "git~1/config",
      ".env",
      ".ENV.local",
      ".env.example",
      ".ssh/authorized_keys",
      ".ſsh/authorized_keys",
      ".vscode/tasks.json",
      ".VSCode/tasks.json",
      ".idea/workspace.xml",
      ".husky/pre-commit",
      ".codebuddy/settings.json",
      ".github/workflows/ci.yml",
      ".GitHub/Workflows/ci.yml",
      "sub/.github/workflows/ci.yml",
      "rightseat.json",
      "RightSeat.JSON",
    ])("%j is never written, though somebody has allowed it", (path) =>
      use({ "src/a.ts": "a\n" }, async (given) => {
        const change: FileChange = { path, before: undefined, after: "x" };
        expect(codeOf(await given.workspace.check(change, options))).toBe("protected");
        expect(codeOf(await applyApproved(given, change))).toBe("protected");
        expect(await given.readBytes(path)).toBeUndefined();
      }),
    );

    test("what only looks like a protected name is written", () =>
      use({ "src/a.ts": "a\n" }, async (given) => {
        for (const path of [
          ".gitignore",
          ".github/CODEOWNERS",
          "workflows/ci.yml",
          "src/rightseat.json",
        ]) {
          const result = await applyApproved(given, { path, before: undefined, after: "x\n" });
          expect(codeOf(result)).toBeUndefined();
        }
      }));
  });

  describe(`a ${name} workspace lists and searches`, () => {
    const files = {
      "b.ts": "const one = 1;\nconst two = 2;\nconst One = 3;\n",
      "a/x.ts": "const one = 1;\r\nlet other;\r\n",
      "a.md": "one\n",
      "a/deep/y.js": "one (one)\n",
    };
    const all = { isCaseSensitive: true, include: [], exclude: [], maxHits: 50 };

    test("a folder by name, as deep as is asked for, and says what was left", () =>
      use(files, async ({ workspace, tellsSizes = true }) => {
        const list = async (path: string, maxEntries: number, depth: number) =>
          valueOf(await workspace.list(path, { ...options, maxEntries, depth }));
        const a = { name: "a", kind: "folder" };
        const [md, b] = [
          { name: "a.md", kind: "file", ...(tellsSizes ? { size: 4 } : {}) },
          { name: "b.ts", kind: "file", ...(tellsSizes ? { size: 45 } : {}) },
        ];
        expect(await list(".", 10, 0)).toEqual({ path: "", entries: [a, md, b], more: 0 });
        expect(await list(".", 2, 0)).toEqual({ path: "", entries: [a, md], more: 1 });
        const deep = { name: "deep", kind: "folder" };
        const inside = { entries: [deep], more: 1 };
        expect(await list(".", 1, 1)).toEqual({ path: "", entries: [{ ...a, inside }], more: 2 });
      }));

    test("hits by file, then line", () =>
      use(files, async ({ workspace }) => {
        const result = valueOf(await workspace.search({ ...all, query: "one" }, options));
        expect(result).toEqual({
          hits: [
            { file: "a.md", line: 1, content: "one" },
            { file: "a/deep/y.js", line: 1, content: "one (one)" },
            { file: "a/x.ts", line: 1, content: "const one = 1;" },
            { file: "b.ts", line: 1, content: "const one = 1;" },
          ],
          hasMore: false,
          isCut: false,
          isPlain: false,
        });
      }));

    test("letter case, glob patterns and the number of hits count", () =>
      use(files, async ({ workspace }) => {
        const places = async (query: object): Promise<unknown> => {
          const { hits, hasMore } = valueOf(
            await workspace.search({ ...all, query: "one", ...query }, options),
          );
          return [...hits.map(({ file, line }) => `${file}:${line}`), ...(hasMore ? ["more"] : [])];
        };
        expect(await places({ isCaseSensitive: false, include: ["b.ts"] })).toEqual([
          "b.ts:1",
          "b.ts:3",
        ]);
        expect(await places({ include: ["*.ts"] })).toEqual(["a/x.ts:1", "b.ts:1"]);
        expect(await places({ include: ["*.{md,js}"] })).toEqual(["a.md:1", "a/deep/y.js:1"]);
        expect(await places({ include: ["a/**"], exclude: ["deep"] })).toEqual(["a/x.ts:1"]);
        expect(await places({ exclude: ["*.ts", "*.md"] })).toEqual(["a/deep/y.js:1"]);
        expect(await places({ maxHits: 2 })).toEqual(["a.md:1", "a/deep/y.js:1", "more"]);
        expect(await places({ query: "ONE" })).toEqual([]);
      }));

    test("a text that is no expression is looked for as it is, and this is told", () =>
      use(files, async ({ workspace }) => {
        const result = valueOf(await workspace.search({ ...all, query: "one (" }, options));
        expect(result).toMatchObject({ isPlain: true, hits: [{ file: "a/deep/y.js" }] });
      }));

    test.each(["", "a\nb", "x".repeat(1_001), "a\0"])("the pattern %j is refused", (query) =>
      use(files, async ({ workspace }) => {
        expect(codeOf(await workspace.search({ ...all, query }, options))).toBe("bad-pattern");
      }),
    );

    test("patterns for files that are too long in all are refused", () =>
      use(files, async ({ workspace }) => {
        const numbers = Array.from({ length: 60 }, (_, nth) => nth).join(",");
        const braces = `{${numbers}}${"c".repeat(80)}`;
        for (const include of [["a".repeat(4_001)], [braces]]) {
          const result = await workspace.search({ ...all, query: "one", include }, options);
          expect(codeOf(result)).toBe("bad-pattern");
        }
      }));

    test("a long line is cut, and not in the middle of a character", () =>
      use({ "a.txt": `x${"😀".repeat(600)}\n` }, async ({ workspace }) => {
        const { hits } = valueOf(await workspace.search({ ...all, query: "x" }, options));
        expect(hits[0]?.content.length).toBeLessThan(500);
        expect(hits[0]?.content.isWellFormed()).toBe(true);
      }));
  });

  describe(`a ${name} workspace writes`, () => {
    test("a change that was approved, and reads it back", () =>
      use({ "a.txt": "\ufeffa\r\nb\r\n" }, async (given) => {
        const change = await changeOf(given.workspace, "./a.txt", "a\r\nc\r\n");
        const made = valueOf(await applyApproved(given, change));
        expect(made).toEqual({ ...change, path: "a.txt" });
        const file = valueOf(await given.workspace.read("a.txt", options));
        expect(file).toMatchObject({ text: "a\r\nc\r\n", bom: true });
        const next = await changeOf(given.workspace, "a.txt", "d\n");
        expect(next.before?.hash).toBe(file.hash);
        expect(codeOf(await applyApproved(given, next))).toBeUndefined();
      }));

    test("new files with their folders, and files that go", () =>
      use({ "a.txt": "a\n" }, async (given) => {
        const { workspace } = given;
        const path = "new/folder/b.txt";
        const created: FileChange = { path, before: undefined, after: "b\n" };
        expect(codeOf(await applyApproved(given, created))).toBeUndefined();
        expect(valueOf(await workspace.read(path, options)).text).toBe("b\n");
        expect(codeOf(await applyApproved(given, created))).toBe("exists");
        expect(
          codeOf(await applyApproved(given, await changeOf(workspace, path, undefined))),
        ).toBeUndefined();
        expect(codeOf(await workspace.read(path, options))).toBe("not-found");
        const gone: FileChange = { path, before: { text: "b\n", hash: "0" }, after: "c\n" };
        expect(codeOf(await applyApproved(given, gone))).toBe("not-found");
      }));

    test("nothing that was made for another text", () =>
      use({ "a.txt": "a\n" }, async (given) => {
        const [one, other] = [
          await changeOf(given.workspace, "a.txt", "b\n"),
          await changeOf(given.workspace, "a.txt", "c\n"),
        ];
        expect(codeOf(await applyApproved(given, one))).toBeUndefined();
        expect(codeOf(await given.workspace.check(other, options))).toBe("stale");
        expect(codeOf(await applyApproved(given, other))).toBe("stale");
        expect(valueOf(await given.workspace.read("a.txt", options)).text).toBe("b\n");
      }));

    test("nothing that cannot be written as it is", () =>
      use({ "a.txt": "a\n" }, async (given) => {
        const change = await changeOf(given.workspace, "a.txt", "lone \ud800\n");
        expect(codeOf(await applyApproved(given, change))).toBe("failed");
        expect(valueOf(await given.workspace.read("a.txt", options)).text).toBe("a\n");
      }));

    test("twenty edits at once are all kept, or refused as made for an older text", () =>
      use({ "a.txt": "0\n" }, async (given) => {
        const add = async (line: string): Promise<boolean> => {
          for (;;) {
            const { text } = valueOf(await given.workspace.read("a.txt", options));
            const change = await changeOf(given.workspace, "a.txt", `${text}${line}\n`);
            if (change.before?.text !== text) continue;
            const result = await applyApproved(given, change);
            if (result.ok) return true;
            expect(result.problem.code).toBe("stale");
          }
        };
        const lines = Array.from({ length: 20 }, (_, nth) => String(nth + 1));
        await Promise.all(lines.map(add));
        const { text } = valueOf(await given.workspace.read("a.txt", options));
        expect(text.trim().split("\n").sort()).toEqual(["0", ...lines].sort());
      }));

    test("only what was approved: every way to tamper with it is refused", () =>
      use({ "a.txt": "a\n", "b.txt": "b\n" }, async (given) => {
        const { workspace, approvals } = given;
        const [change, other] = [
          await changeOf(workspace, "a.txt", "new\n"),
          await changeOf(workspace, "b.txt", "new\n"),
        ];
        const approval = await approvals.approve([change]);
        const foreign = await approvals.approve([other]);
        const tampered: [FileChange, typeof approval][] = [
          [other, approval],
          [{ ...change, path: "b.txt" }, approval],
          [{ ...change, path: "c.txt", before: undefined }, approval],
          [{ ...change, after: "evil\n" }, approval],
          [{ ...change, after: undefined }, approval],
          [{ ...change, before: { text: "a\n", hash: "0".repeat(64) } }, approval],
          [{ ...change, before: { text: "b\n", hash: change.before?.hash ?? "" } }, approval],
          [change, { ...approval }],
          [change, { ...approval, expires: approval.expires + 1 }],
          [change, foreign],
        ];
        for (const [made, by] of tampered)
          expect((await workspace.apply(made, by, options)).ok).toBe(false);
        expect(valueOf(await workspace.read("a.txt", options)).text).toBe("a\n");
        expect(valueOf(await workspace.read("b.txt", options)).text).toBe("b\n");
        // What was approved goes through, once.
        expect((await workspace.apply(change, approval, options)).ok).toBe(true);
        const back = await changeOf(workspace, "a.txt", "a\n");
        expect((await applyApproved(given, back)).ok).toBe(true);
        expect(codeOf(await workspace.apply(change, approval, options))).toBe("not-approved");
      }));

    test("nothing once the signal has aborted", () =>
      use({ "a.txt": "a\n" }, async ({ workspace, approvals }) => {
        const change = await changeOf(workspace, "a.txt", "b\n");
        const approval = await approvals.approve([change]);
        const aborted = { signal: AbortSignal.abort(new Error("left")) };
        await expect(workspace.apply(change, approval, aborted)).rejects.toThrow("left");
        await expect(workspace.read("a.txt", aborted)).rejects.toThrow("left");
        const list = { ...aborted, maxEntries: 9, depth: 1 };
        await expect(workspace.list(".", list)).rejects.toThrow("left");
        const query = { query: "a", isCaseSensitive: true, include: [], exclude: [], maxHits: 5 };
        await expect(workspace.search(query, aborted)).rejects.toThrow("left");
        expect(valueOf(await workspace.read("a.txt", options)).text).toBe("a\n");
      }));
  });
}
