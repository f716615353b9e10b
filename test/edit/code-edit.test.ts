import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyCodeEdit } from "../../src/edit/apply-code-edit.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
const rest = "// ... existing code ...";

test("no line goes but between two lines that one segment shows with new ones between them", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.array(fc.oneof(fc.nat({ max: 9 }), fc.constantFrom("mark", "new")), { maxLength: 8 }),
      (size, parts) => {
        const before = Array.from({ length: size }, (_, nth) => `line(${nth});`);
        const shown = parts.filter((part) => typeof part === "string" || part < size);
        const numbers = shown.filter((part) => typeof part === "number");
        fc.pre(numbers.every((number, nth) => nth === 0 || number > (numbers[nth - 1] ?? 0)));
        const edit = shown.map((part, nth) => {
          if (part === "mark") return rest;
          return part === "new" ? `added.${nth} = [];` : `line(${part});`;
        });
        const result = applyCodeEdit(lines(...before), lines(...edit));
        if (!result.ok) return;
        const mayGo = new Set<number>();
        let [last, isNew] = [-1, false];
        for (const part of shown) {
          if (part === "mark") [last, isNew] = [-1, false];
          else if (part === "new") isNew = true;
          else {
            const between = Array.from(before.keys()).slice(last + 1, part);
            if (last !== -1 && isNew) for (const line of between) mayGo.add(line);
            [last, isNew] = [part, false];
          }
        }
        const after = result.text.split("\n");
        const lost = before.flatMap((line, nth) => (after.includes(line) ? [] : [nth]));
        expect(lost.filter((line) => !mayGo.has(line))).toEqual([]);
      },
    ),
    { numRuns: 3000 },
  );
});
