import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AppError, type ErrorCode, toAppError } from "../../../src/base/errors/app-error.ts";

/** The closed list, read from the source: it is a type and nothing that could be asked at run time. */
const source = readFileSync(
  new URL("../../../src/base/errors/app-error.ts", import.meta.url),
  "utf8",
);
const list = /const codes = \{\n(.*?)\n\} satisfies/s.exec(source)?.[1] ?? "";
const codes = [...list.matchAll(/^ {2}([a-z_]+): /gm)].map((match) => match[1] as ErrorCode);

test("the list of codes is read whole", () => {
  expect(codes.length).toBeGreaterThan(20);
  expect(codes).toContain("invalid_json");
  expect(codes).toContain("aborted");
});

test.each(codes)("%s has a status, a type, and a sentence in both languages", (code) => {
  const error = new AppError(code, "What happened.");
  expect(error.status).toBeGreaterThanOrEqual(400);
  expect(error.status).toBeLessThan(600);
  expect(error.type).toMatch(/^[a-z]+(?:_error)?$|^[a-z]+(?:_[a-z]+)*_error$/);
  expect(error.sentence("en")).toMatch(/^[A-Z][ -~]+\.$/);
  expect(error.sentence("zh")).toMatch(/^\p{Script=Han}.*。$/u);
});

test("a code says whether a request is sent again: only where the cause may pass by itself", () => {
  const retried = codes.filter((code) => new AppError(code, "What happened.").isRetried);
  expect(retried).toEqual(["rate_limited", "upstream_unreachable", "upstream_error"]);
});

test("an abort is told as aborted, and anything else as internal without its text", () => {
  const abort = new DOMException("secret", "AbortError");
  expect(toAppError(abort)).toMatchObject({ code: "aborted", cause: abort });
  for (const thrown of [
    new TypeError("secret"),
    "secret",
    undefined,
    null,
    { message: "secret" },
  ]) {
    const error = toAppError(thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error.code).toBe("internal");
    expect(error.message).not.toContain("secret");
    expect(error.details.cause).toBe(thrown);
  }
});
