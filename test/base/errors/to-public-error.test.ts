import { expect, test } from "vitest";
import { AppError, type ErrorCode, isErrorCode } from "../../../src/base/errors/app-error.ts";
import { toErrorResponse, toPublicError } from "../../../src/base/errors/to-public-error.ts";

test("nothing of a cause and no stack leaves the house", async () => {
  const cause = new Error("password=hunter2", { cause: new Error("deeper: sk-123") });
  const error = new AppError("internal", "Something broke.", { cause });
  const response = toErrorResponse(error, "turn-1");
  const seen = `${await response.text()} ${JSON.stringify([...response.headers])}`;
  expect(seen).not.toMatch(/hunter2|sk-123|at .*\.ts/);
  expect(Object.keys(toPublicError(error, "turn-1")).sort()).toEqual([
    "code",
    "message",
    "request_id",
    "type",
  ]);
});

test("a refusal that another try does not mend says so, every other one says nothing of it", () => {
  const codes = `
    invalid_json invalid_request template_error unauthorized host_forbidden state_expired
    unknown_agent model_not_found unknown_command body_too_large prompt_too_large
    unsupported_media_type upstream_refused upstream_unknown_model
  `
    .split(/\s+/)
    .filter(isErrorCode);
  const passing = `
    rate_limited overloaded queue_full draining keys_unavailable internal upstream_unreachable
    upstream_error upstream_truncated upstream_timeout upstream_invalid ide_timeout aborted
  `
    .split(/\s+/)
    .filter(isErrorCode);
  const header = (code: ErrorCode): string | null =>
    toErrorResponse(new AppError(code, "No."), "turn-1").headers.get("x-should-retry");
  expect(codes.map(header)).toEqual(codes.map(() => "false"));
  expect(passing.map(header)).toEqual(passing.map(() => null));
  expect([codes.length, passing.length]).toEqual([14, 13]);
});
