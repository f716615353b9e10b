import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runCall } from "../../../src/tools/run-call.ts";
import { createWorkspaceTools } from "../../../src/tools/workspace/workspace-tools.ts";
import { createUse } from "../../helpers/tool-workspace.ts";

const toolbox = createWorkspaceTools();

async function search(paths: readonly string[], args: Readonly<Record<string, unknown>>) {
  const use = createUse(Object.fromEntries(paths.map((path) => [path, "x\n"])));
  const call = { id: "1", name: "file_search", arguments: JSON.stringify(args) };
  const { outcome } = await runCall(call, toolbox, use);
  return outcome;
}

const project = [
  "README.md",
  "app/[id]/page.tsx",
  "src/user/controller.ts",
  "src/user/controller.test.ts",
  "src/user.ts",
  "src/UserCard.tsx",
  "src/order/user-list.ts",
  "src/order/controller.ts",
  "lib/超市/价格.py",
  "node_modules/user/index.js",
];

test.each<[string, string[]]>([
  ["user.ts", ["src/user.ts"]],
  ["usr ctl", ["src/user/controller.ts", "src/user/controller.test.ts"]],
  ["USER/CONTROLLER", ["src/user/controller.ts"]],
  ["order controller", ["src/order/controller.ts"]],
  ["uc.tsx", ["src/UserCard.tsx"]],
  ["[id]/page", ["app/[id]/page.tsx"]],
  ["价格", ["lib/超市/价格.py"]],
  ["SRC/**/CONTROLLER.ts", ["src/user/controller.ts", "src/order/controller.ts"]],
  ["*.md,*.py", ["README.md", "lib/超市/价格.py"]],
])("%s finds the file that is meant first", async (query, first) => {
  const { files } = await search(project, { query });
  expect((files as string[]).slice(0, first.length)).toEqual(first);
});

test("what list_dir does not show of itself is left out, unless its folder is named", async () => {
  expect((await search(project, { query: "index" }))["files"]).toEqual([]);
  const inside = { query: "index", relative_workspace_path: "node_modules/user" };
  expect((await search(project, inside))["files"]).toEqual(["node_modules/user/index.js"]);
});

test("a folder that does not exist is said so", async () => {
  const outcome = await search(project, { query: "a", relative_workspace_path: "nowhere" });
  expect(outcome).toMatchObject({ success: false, code: "not-found" });
});

test("letters of a path in their order find it, in any case, and nothing else is found", async () => {
  const path = fc
    .array(fc.stringMatching(/^[A-Za-z][\w-]{0,11}$/), { minLength: 1, maxLength: 4 })
    .map((names) => names.join("/"));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { minLength: 1, maxLength: 12, selector: (one) => one.toLowerCase() }),
      fc.array(fc.boolean(), { maxLength: 60 }),
      fc.boolean(),
      async (paths, kept, isUpper) => {
        // A file cannot be a folder, too.
        const files = paths.filter((one) => !paths.some((other) => other.startsWith(`${one}/`)));
        const [wanted = ""] = files;
        const letters = Array.from(wanted).filter((one, nth) => kept[nth] === true && one !== "/");
        const query = isUpper ? letters.join("").toUpperCase() : letters.join("");
        const found = (await search(files, { query }))["files"] as string[];
        expect(found).toContain(wanted);
        for (const one of found) expect(isInOrder(query, one)).toBe(true);
        const exact = (await search(files, { query: wanted }))["files"] as string[];
        expect(exact[0]).toBe(wanted);
      },
    ),
  );
});

function isInOrder(letters: string, path: string): boolean {
  let at = -1;
  return Array.from(letters.toLowerCase()).every((letter) => {
    at = path.toLowerCase().indexOf(letter, at + 1);
    return at !== -1;
  });
}

test("of very many paths the best 10 come, whatever is asked", async () => {
  const long = Array.from({ length: 3_000 }, (_, nth) => `${"a".repeat(200)}/${nth}.ts`);
  for (const query of ["a".repeat(1_000), "a ".repeat(100), "*a".repeat(300), "3"]) {
    const { files, success } = await search(long, { query });
    expect(success).toBe(true);
    expect((files as string[]).length).toBeLessThanOrEqual(10);
  }
  expect(await search(long, { query: "1 .ts" })).toMatchObject({ has_more: true });
});
