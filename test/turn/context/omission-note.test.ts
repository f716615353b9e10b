import { expect, test } from "vitest";
import { printOmission } from "../../../src/turn/context/active-editor.ts";
import { isSurePlaceholder, placeholderOf } from "../../../src/edit/placeholder.ts";

const languages =
  "typescript python ruby sql lua html vue xml markdown css latex clojure go php rust csharp unknown constructor".split(
    " ",
  );

test.each([...languages, ""])("an echo of the note in %s is known as a placeholder", (language) => {
  for (const count of [1, 3, 12_345]) {
    const note = printOmission(count, language);
    expect(isSurePlaceholder(placeholderOf(note))).toBe(true);
    expect(isSurePlaceholder(placeholderOf(`    ${note}`))).toBe(true);
  }
});
