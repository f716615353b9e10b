import { beforeEach, expect, test, vi } from "vitest";
import { createSpinner, createTerminal } from "../../../../src/cli/call/terminal.ts";
import { Screen } from "../screen.ts";

beforeEach(() => void vi.useFakeTimers());

test("what lasts is named, moves, and leaves an empty line", () => {
  const screen = new Screen();
  const spinner = createSpinner(screen);
  spinner.start("fix");
  vi.advanceTimersByTime(300);
  expect(screen.text).toBe("\r\u001b[K⠋ fix…");
  vi.advanceTimersByTime(80);
  expect(screen.text).toBe("\r\u001b[K⠙ fix…");
  spinner.stop();
  spinner.stop();
  expect(screen.text).toBe("\r\u001b[K");
  vi.advanceTimersByTime(1_000);
  expect(screen.text).toBe("");
});

test("the first text takes the spinner away, on whichever stream it comes", () => {
  for (const stream of ["out", "err"] as const) {
    const [out, err] = [new Screen(), new Screen()];
    const terminal = createTerminal(out, err, { spinner: createSpinner(err) });
    terminal.wait("explain");
    vi.advanceTimersByTime(400);
    expect(err.text).toContain("explain…");
    terminal[stream]("text");
    expect(out.text + err.text).toBe(stream === "out" ? "text\r\u001b[K" : "\r\u001b[Ktext");
    vi.advanceTimersByTime(1_000);
    expect(out.text + err.text).toBe("");
  }
});

test("a long name is cut to one line, also where its characters are wide", () => {
  const screen = new Screen();
  const spinner = createSpinner(screen);
  spinner.start("中".repeat(200));
  vi.advanceTimersByTime(300);
  // Two columns a character, and one is left at the end.
  expect(screen.text.replace("\r\u001b[K", "")).toBe(`⠋ ${"中".repeat(48)}`);
  spinner.stop();
});

test("a process that ends takes the spinner away", () => {
  const screen = new Screen();
  const spinner = createSpinner(screen);
  const before = process.listenerCount("exit");
  spinner.start("fix");
  expect(process.listenerCount("exit")).toBe(before + 1);
  spinner.stop();
  expect(process.listenerCount("exit")).toBe(before);
});
