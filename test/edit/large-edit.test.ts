import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  applyCodeAside,
  applyCodeEdit,
  type CodeEditJob,
  type RunCodeEdit,
} from "../../src/edit/apply-code-edit.ts";
import { cases } from "../helpers/cases.ts";

const { signal } = new AbortController();
const lines = (count: number, toLine: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => `${toLine(nth)}\n`);
const mark = "// ... existing code ...\n";

/** As a thread would, and what it was given. */
function createThread() {
  const jobs: CodeEditJob[] = [];
  const run: RunCodeEdit = async (job) => {
    jobs.push(job);
    return applyCodeEdit(job.before, job.code, job.options);
  };
  return { jobs, run };
}

const hostile = fc.constantFrom<readonly [string, readonly string[]]>(
  ["30,000 lines", lines(30_000, (nth) => `line(${nth});`)],
  ["199,000 lines", lines(199_000, (nth) => `  x${nth};`)],
  ["30,000 lines that are the same", lines(30_000, () => "same();")],
  ["30,000 empty lines", lines(30_000, () => "")],
  ["5 MB of one character", ["x".repeat(5_000_000)]],
  ["5 MB in long lines", lines(50, (nth) => `${nth}: ${"word ".repeat(20_000)}`)],
);
const codes = fc.constantFrom<(all: readonly string[]) => string>(
  (all) => all.slice(0, 40).join(""),
  (all) => mark + all.slice(-20).join("") + "added();\n" + mark,
  (all) => `${all.join("")}added();\n`,
  () => `${mark}nothing(of, it);\n${mark}`,
);

test("what is large goes to a thread as it is, and comes to what it does there; without one it is refused so", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, codes, fc.boolean(), async ([, all], toCode, isUnnamed) => {
      const [before, code, options] = [all.join(""), toCode(all), { isUnnamed }];
      const { jobs, run } = createThread();
      const result = await applyCodeAside(before, code, options, run, signal);
      expect(jobs).toEqual([{ before, code, options }]);
      expect(result).toEqual(applyCodeEdit(before, code, options));
      const refused = await applyCodeAside(before, code, options, undefined, signal);
      const late = await applyCodeAside(before, code, options, async () => undefined, signal);
      const because = (why: string) => ({
        ok: false,
        error: { code: "too-large", message: expect.stringContaining(why) },
      });
      expect(refused).toMatchObject(because("there is no thread"));
      expect(late).toMatchObject(because("not done in time"));
    }),
    { numRuns: cases(3) },
  );
});

test("what is small is applied here, as in a thread", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 20 }), { maxLength: 60 }),
      fc.array(fc.oneof(fc.nat({ max: 20 }), fc.constant("mark")), { maxLength: 20 }),
      async (file, shown) => {
        const before = file.map((nth) => `line(${nth});\n`).join("");
        const code = shown.map((one) => (one === "mark" ? mark : `line(${one});\n`)).join("");
        const { jobs, run } = createThread();
        const result = await applyCodeAside(before, code, {}, run, signal);
        expect(result).toEqual(applyCodeEdit(before, code));
        expect(jobs).toEqual([]);
      },
    ),
  );
});

test("what turns out to be too much to compare goes to a thread, too", async () => {
  // Every line may be in many places: nothing tells which part of the file is meant.
  const before = lines(7_000, (nth) => `call_${nth % 97}(a, b);`).join("");
  const part = lines(90, (nth) => `call_${(nth * 7) % 97}(a, b);`).join("");
  const code = [mark, part, mark, part, mark, part, mark].join("");
  const { jobs, run } = createThread();
  expect(await applyCodeAside(before, code, {}, run, signal)).toEqual(applyCodeEdit(before, code));
  expect(jobs).toHaveLength(1);
  expect(await applyCodeAside(before, code, {}, undefined, signal)).toMatchObject({
    ok: false,
    error: { code: "too-large" },
  });
});
