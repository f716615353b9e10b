import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Vcs, variables, withoutCredentials } from "../../../src/turn/context/variables.ts";

const cleanVcs = (vcs: Vcs): Vcs | undefined => variables.vcs.prepare?.(vcs);
const renderVcs = (vcs: Vcs): string => variables.vcs.print(vcs, {});

test.each([
  ["https://ada:secret@git.example/a.git", "https://git.example/a.git"],
  ["https://token@git.example:8443/a.git?x=1", "https://git.example:8443/a.git?x=1"],
  ["https://ada:p@ss@git.example/a", "https://git.example/a"],
  ["https://ada:@git.example/a", "https://git.example/a"],
  ["HTTPS://x-oauth-basic:tok@git.example", "HTTPS://git.example"],
  ["http://ada:p%40ss@[::1]:3000/a.git", "http://[::1]:3000/a.git"],
  ["ssh://git@git.example/a.git", "ssh://git.example/a.git"],
  ["git+ssh://ada:secret@git.example/a.git", "git+ssh://git.example/a.git"],
  [" https://ada:secret@git.example/a", " https://git.example/a"],
  ["origin\thttps://ada:secret@git.example/a (fetch)", "origin\thttps://git.example/a (fetch)"],
  ["https://a:b@c.example/x https://d:e@f.example/y", "https://c.example/x https://f.example/y"],
])("%s is told as %s", (remote, told) => {
  expect(withoutCredentials(remote)).toBe(told);
});

test.each([
  "git@git.example:team/a.git",
  "https://git.example/a.git",
  "https://git.example/@scope/a",
  "https://git.example/a?by=ada@example.com#x@y",
  "file:///home/ada/a.git",
  "/home/ada@work/a.git",
  "../a.git",
  "",
])("%j holds no credentials and stays", (remote) => {
  expect(withoutCredentials(remote)).toBe(remote);
});

test("no user name and no password of any address is left", () => {
  const part = fc.stringMatching(/^[a-z0-9:@%!$&'()*+,;=._~-]{1,12}$/);
  fc.assert(
    fc.property(fc.constantFrom("http", "https", "ssh", "git"), part, (scheme, credentials) => {
      expect(withoutCredentials(`${scheme}://${credentials}@git.example/a@b.git`)).toBe(
        `${scheme}://git.example/a@b.git`,
      );
    }),
  );
});

test("nulls and unknown fields stay as they are", () => {
  expect(cleanVcs({ remoteUrl: null, remotes: null, later: 1 })).toEqual({
    remoteUrl: null,
    remotes: null,
    later: 1,
  });
  expect(cleanVcs({})).toEqual({});
});

test("the state is told with branch, upstream and each remote once", () => {
  const remote = "https://git.example/a.git";
  const remotes = [remote, "git@git.example:a.git", ""];
  expect(
    renderVcs({
      type: "git",
      branchName: "fix",
      upstreamBranchName: "origin/fix",
      remoteUrl: remote,
      remotes,
    }),
  ).toBe(`git branch fix, tracking origin/fix\nremote ${remote}\nremote git@git.example:a.git`);
  expect(renderVcs({})).toBe("vcs branch (unknown)");
});

test("an address without an end is looked through once", () => {
  const endless = "a".repeat(1_000_000);
  expect(withoutCredentials(endless)).toBe(endless);
  expect(withoutCredentials(`https://${endless}@git.example`)).toBe("https://git.example");
});
