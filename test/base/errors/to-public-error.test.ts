import { expect, test } from "vitest";
import { AppError, type ErrorCode, isErrorCode } from "../../../src/base/errors/app-error.ts";
import { toErrorResponse, toPublicError } from "../../../src/base/errors/to-public-error.ts";

test("a refusal is a status and a JSON body with type, code, message, place and id", async () => {
  const problems = [{ path: "command", message: "expected a string" }];
  const error = new AppError("invalid_request", "No.", { param: "command", problems });
  const response = toErrorResponse(error, "turn-1");
  expect(response.status).toBe(400);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("x-request-id")).toBe("turn-1");
  const text = await response.text();
  expect(text.endsWith("}\n")).toBe(true);
  expect(JSON.parse(text)).toEqual({
    error: {
      type: "invalid_request_error",
      code: "invalid_request",
      message: "No.",
      param: "command",
      problems,
      request_id: "turn-1",
    },
  });
});

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

test("Retry-After and Allow are sent where the error knows them, also for no seconds at all", () => {
  const busy = toErrorResponse(new AppError("overloaded", "Busy.", { retryAfter: 0 }), "turn-1");
  expect(busy.status).toBe(503);
  expect(busy.headers.get("retry-after")).toBe("0");
  expect(busy.headers.has("allow")).toBe(false);
  const error = new AppError("method_not_allowed", "No.", { allow: "POST" });
  const wrong = toErrorResponse(error, "turn-1");
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get("allow")).toBe("POST");
  expect(wrong.headers.has("retry-after")).toBe(false);
});

test("the connection is closed only after a body that was too large to read", () => {
  const connection = (code: "body_too_large" | "prompt_too_large"): string | null =>
    toErrorResponse(new AppError(code, "Too large."), "turn-1").headers.get("connection");
  expect(connection("body_too_large")).toBe("close");
  expect(connection("prompt_too_large")).toBeNull();
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
