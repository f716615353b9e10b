import { expect, test } from "vitest";
import { findTestable } from "../../../src/flows/test/test-subject.ts";
import { loadGrammars } from "../../../src/setup/load-grammars.node.ts";
import { createCodeParser } from "../../../src/setup/create-code-parser.ts";

const code = createCodeParser(loadGrammars());

test.each([
  ["a.ts", "function a() { function b() {} }\nclass C { d() {} }\n", ["a", "C.d"]],
  ["a.rs", "impl C { fn d() {} }\n#[cfg(test)]\nmod tests { fn e() {} }\n", ["C.d"]],
  ["a.go", "func (c *C) D() {}\nfunc e() {}\n", ["C.D", "e"]],
  ["a.cs", "namespace N { class C { void D() {} } }\n", ["C.D"]],
  ["a.cpp", "class C { C() {} ~C() {} void d(); };\nvoid C::d() {}\n", ["C.C", "C.d"]],
  ["a.py", "class C:\n    class D:\n        def e(self):\n            pass\n", ["C.D.e"]],
])("of %s tests can call %s", async (path, text, names) => {
  const analysis = await code.analyze(text, undefined, path);
  expect(findTestable(analysis).map(({ name }) => name)).toEqual(names);
});
