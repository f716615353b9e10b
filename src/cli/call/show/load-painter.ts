import { showsColours } from "../terminal.ts";
import type { CreatePainter } from "./print-answer.ts";

/** An answer is painted for a person at a screen, so what paints it is not loaded for a pipe or a file. */
export async function loadPainter(): Promise<CreatePainter | undefined> {
  if (!showsColours(process.stdout)) return undefined;
  const { createMarkdownPainter } = await import("./markdown/markdown-painter.ts");
  return createMarkdownPainter;
}
