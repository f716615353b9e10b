import { expect, test } from "vitest";
import { resolveWritten } from "../../../src/workspace/paths/resolve-written.ts";
import { refusePath, succeed } from "../../../src/workspace/problems.ts";

/** What is meant in a root named `shop` that holds these. */
async function find(written: string, files: readonly string[]): Promise<string | undefined> {
  const paths = new Set(["", ...files.flatMap((file) => foldersOf(file))]);
  const found = await resolveWritten(written, ["shop"], async (path) => {
    const clean = path.replace(/^\.\//, "").replace(/\/$/, "");
    if (path.startsWith("/")) return refusePath("outside", path);
    return succeed({ path: clean, isThere: paths.has(clean) });
  });
  return found.ok ? found.value.path : undefined;
}

function foldersOf(file: string): string[] {
  const names = file.split("/");
  return names.map((_, nth) => names.slice(0, nth + 1).join("/"));
}

test("a package that has the name of its root is not made again in itself", async () => {
  const files = ["shop/models.py", "tests/test_models.py", "setup.py"];
  const meant = {
    "shop/models.py": "shop/models.py",
    "shop/shop/models.py": "shop/models.py",
    "./shop/shop/models.py": "shop/models.py",
    "shop/tests/test_models.py": "tests/test_models.py",
    "shop/new.py": "shop/new.py",
    "shop/shop/new.py": "shop/new.py",
    "shop/api/new.py": "shop/api/new.py",
    "shop/tests/test_new.py": "shop/tests/test_new.py",
  };
  for (const [written, path] of Object.entries(meant))
    expect([written, await find(written, files)]).toEqual([written, path]);
});

test("dots in a name are not a step up", async () => {
  const files = ["app/[...slug]/page.ts"];
  for (const written of ["/app/[...slug]/page.ts", "a/app/[...slug]/page.ts#L3"])
    expect(await find(written, files)).toBe("app/[...slug]/page.ts");
});
