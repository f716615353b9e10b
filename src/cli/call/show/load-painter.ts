import { showsColours } from "../terminal.ts";
import type { CreatePainter } from "./print-answer.ts";

/** Answers are rendered for a person at a screen; the renderer is loaded for them only. */
export async function loadPainter(): Promise<CreatePainter | undefined> {
  if (!showsColours(process.stdout)) return undefined;
  const { createMarkdownPainter } = await import("./markdown/markdown-painter.ts");
  return createMarkdownPainter;
}
