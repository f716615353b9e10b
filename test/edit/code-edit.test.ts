import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../helpers/cases.ts";
import { applyCodeEdit } from "../../src/edit/apply-code-edit.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
const rest = "// ... existing code ...";

test("no line goes but between two lines that one segment shows, or where new ones begin or end the file", () => {
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
        const [first, end] = [shown[0], shown.at(-1)];
        let last = first === "new" ? -1 : undefined;
        for (const part of [...shown, ...(end === "new" ? [size] : [])]) {
          if (part === "mark") last = undefined;
          if (typeof part !== "number") continue;
          const between = Array.from(before.keys()).slice((last ?? part) + 1, part);
          for (const line of between) mayGo.add(line);
          last = part;
        }
        const after = result.text.split("\n");
        const lost = before.flatMap((line, nth) => (after.includes(line) ? [] : [nth]));
        expect(lost.filter((line) => !mayGo.has(line))).toEqual([]);
      },
    ),
    { numRuns: cases(750) },
  );
});
