import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyCodeEdit } from "../../src/edit.ts";
import {
  inlinePlaceholders,
  isPythonBody,
  isSurePlaceholder,
  placeholderOf,
} from "../../src/edit/placeholder.ts";

const sure = `
// ... existing code ...
//...existing code...
// …
# ...
-- ... remaining columns ...
; ... existing code ...
% ... existing code ...
/* ... */
 * ... existing code ...
<!-- ... rest of the page ... -->
{/* ... existing code ... */}
(* ... existing code ... *)
{# ... existing code ... #}
<%-- ... existing code ... --%>
{{!-- ... existing code ... --}}
--[[ ... existing code ... ]]
@* ... existing code ... *@
' ... existing code ...
""" ... existing code ... """
/// ... existing code ...
// ... snip ...
// -- snip --
// --- existing code ---
// (unchanged)
// [existing code]
// <existing code>
// ... (rest unchanged)
// ... (validation logic unchanged) ...
// ... other methods of UserService ...
// ... 20 more lines ...
// ... no changes ...
// no changes below this line
// existing code here
// rest of file
// Rest of the code...
// rest of the code remains the same
// The rest of the function stays the same.
// other methods remain unchanged
# (rest of the code unchanged)
# ... same as before
# ... tags unchanged
// ... 标签不变
<!-- rest of the template unchanged -->
// existing properties
// Existing fields and constructor...
// Other existing methods: place, cancel...
// everything below is unchanged
/* ... rest of styles ... */
[... existing code ...]
... unchanged ...
...existing code...
(rest of code unchanged)
rest of the code...
rest of the code remains the same
# 其余代码保持不变
// ...（其余代码不变）
// 其余代码不变
// 其余同上
// 此处省略
// ...省略其他代码...
// 现有代码
// 原有逻辑保持不变
// 其他方法保持不变
// 以下代码不变
// 剩余代码...
// （略）
/* 省略 */
# ……其余部分保持不变……
... 其余代码 ...
其余代码保持不变
`;

const code = `
...rest
...other
...args
...previous
...existing,
...other }: Props
...rest: string[]
...previous)
...same];
...unchanged,
... rest
...(existing ?? [])
...(rest)
...(other as any)
...[rest]
...await rest
...other.same,
...$args
...$rest,
args...
sizeof...(args)
foo(...)
{ ...rest }
return { ...rest }
Ellipsis
Ellipsis,
"x ..."
"existing code ...",
'... existing code ...'
\`Loading rest ...\`
print('rest of code')
throw new Error("rest ...")
*rest
**other
*args, **rest
*ptr = same
rest, other
other
[other]
(rest)
{existing}
<Other same>
keep = same
skip()
continue
else
}
// Other things that matter are done here
// Loading...
// Loading the rest...
// calls the existing API
// remaining time in ms
// keep the connection open
// original: foo
// the same as x
# TODO: ...
# rest framework settings
# Existing users are kept here as long as they are logged in
# 其他用户保持登录
// 保持连接打开
`;

const lines = (text: string) => text.split("\n").filter((line) => line !== "");

test("a comment that says of names that they stay stands for what they name, and none that says more of them", () => {
  const part = fc.stringMatching(/^[a-z]{4,7}$/);
  const name = fc
    .tuple(part, part)
    .map(([one, two]) => `${one}_${two}`)
    .chain((long) =>
      fc.constantFrom(`\`${long.slice(0, 4)}\``, `${long}()`, long, `${long.slice(0, 4)}(_:)`),
    );
  const state = fc.constantFrom(
    "unchanged",
    "is unchanged",
    "remains unchanged",
    "stays the same",
    "保持不变",
  );
  const sign = fc.constantFrom("//", "#", "--", ";");
  fc.assert(
    fc.property(
      fc.array(name, { minLength: 1, maxLength: 3 }),
      part,
      state,
      sign,
      (names, plain, said, comment) => {
        fc.pre(placeholderOf(`// ${plain}`) === undefined);
        expect(placeholderOf(`${comment} ${names.join(" and ")} ${said}`)).toBe("words");
        expect(placeholderOf(`${comment} ${plain} ${said}`)).toBe("words");
        expect(placeholderOf(`${comment} ${names[0]} gives ${plain} ${said}`)).toBeUndefined();
        expect(placeholderOf(`${comment} Gives the ${plain} ${said}`)).toBeUndefined();
      },
    ),
  );
});

describe("a line that stands for code left out", () => {
  test.each(lines(sure))("%j surely does", (line) => {
    expect(isSurePlaceholder(placeholderOf(line))).toBe(true);
    expect(isSurePlaceholder(placeholderOf(`    ${line}  `))).toBe(true);
  });

  test.each(lines(code))("%j does not", (line) => {
    expect(placeholderOf(line)).toBeUndefined();
    expect(placeholderOf(`\t${line}`)).toBeUndefined();
  });

  test.each(["// unchanged", "// other methods", "// same as above", "# Existing code", "// 略"])(
    "%j may, or be a usual comment",
    (line) => {
      expect(placeholderOf(line)).toBe("phrase");
    },
  );

  test.each(["...", "  …", "......"])("%j may, or be code", (line) => {
    expect(placeholderOf(line)).toBe("dots");
  });

  test("is not longer than 200 characters", () => {
    expect(placeholderOf(`// ... existing code ${".".repeat(200)}`)).toBeUndefined();
  });
});

describe("dots that are the body of a Python block", () => {
  test.each([
    ["def f():\n    ..."],
    ["def f():  # stub\n    ...\n\ndef g():"],
    ['class A(Protocol):\n    """Says what it is."""\n\n    ...\nx = 1'],
    ['class A:\n    """Says\n    what it is.\n    """\n    ...'],
  ])("%j: they are", (text) => {
    const all = text.split("\n");
    expect(
      isPythonBody(
        all,
        all.findIndex((line) => line.trim() === "..."),
      ),
    ).toBe(true);
  });

  test.each([
    ["def f():\n    x = 1\n    ..."],
    ["def f():\n    ...\n    return 1"],
    ["f() {\n    ...\n}"],
    ["..."],
  ])("%j: they are not", (text) => {
    const all = text.split("\n");
    expect(
      isPythonBody(
        all,
        all.findIndex((line) => line.trim() === "..."),
      ),
    ).toBe(false);
  });
});

test("a part of a line stands for code left out if its dots are alone or say so", () => {
  expect(inlinePlaceholders("function f() { ... }")).toEqual(["{ ... }"]);
  expect(inlinePlaceholders("f(/* ... existing arguments ... */);")).toHaveLength(1);
  expect(inlinePlaceholders("return a; // ... existing code ...")).toHaveLength(1);
  expect(inlinePlaceholders("x = { ...rest }; // done")).toEqual([]);
  expect(inlinePlaceholders("f(...); // see ...")).toEqual([]);
});

test("a usual comment that is all of a body stands for that, and one beside statements may or may not", () => {
  const unit = (name: string, body: string): string => `func ${name}() {\n${body}}\n`;
  const file = (second: string): string =>
    [unit("one", "\tbegin()\n\tend()\n"), unit("two", second)].join("\n");
  for (const remark of ["unchanged", "same as above", "略"]) {
    const shown = [unit("one", `\t// ${remark}\n`), unit("two", "\tlater()\n\tlast()\n")];
    const result = applyCodeEdit(file("\tsooner()\n\tlast()\n"), shown.join("\n"));
    expect(result.ok && result.text).toBe(file("\tlater()\n\tlast()\n"));
    const beside = shown.join("\n").replace(remark, `${remark}\n\tbegin()`);
    expect(applyCodeEdit(file("\tsooner()\n\tlast()\n"), beside).ok).toBe(false);
  }
  expect(placeholderOf("<!-- 模板保持不变 -->")).toBe("words");
});
