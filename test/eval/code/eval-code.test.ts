import { describe, expect, test } from "vitest";
import { evalCode } from "../../../eval/code/eval-code.ts";
import { isAboutCode, parseCodeOptions } from "../../../eval/options.ts";

const { signal } = new AbortController();

describe("the evaluation of the coding agent", () => {
  test("is a flow of its own, which alone has tasks", () => {
    expect(isAboutCode({ flow: "code" })).toBe(true);
    expect(isAboutCode({ flow: "fix" })).toBe(false);
    expect(isAboutCode({})).toBe(false);
    expect(() => isAboutCode({ flow: "fix,code" })).toThrow("evaluated alone");
    expect(() => isAboutCode({ recorded: true })).toThrow("--recorded is for --flow code only.");
    expect(() => isAboutCode({ flow: "fix", tasks: "." })).toThrow("--tasks is for --flow code");
    expect(() => parseCodeOptions({ recorded: true, model: "deepseek" })).toThrow("--model");
  });

  test("begins with no model that would fail in every task, and with no task that is not there", async () => {
    const offline = parseCodeOptions({ model: "offline" });
    await expect(evalCode(offline, signal, () => undefined)).rejects.toThrow(
      "The model offline cannot call tools",
    );
    const unknown = parseCodeOptions({ recorded: true, file: "c-off-by-one,c-of-by-one" });
    await expect(evalCode(unknown, signal, () => undefined)).rejects.toThrow(
      '--file "c-of-by-one" is not known. There are: c-change-signature, ',
    );
  });
});
