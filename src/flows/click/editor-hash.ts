import { hashText } from "../../turn/state/sealed-state.ts";
import type { Turn } from "../../turn/turn.ts";

/** SHA-256 of the file in the editor; undefined where none came, or only a part. */
export async function hashOfEditor({ context }: Turn): Promise<string | undefined> {
  const content = context.activeEditor?.content;
  return content ? hashText(content) : undefined;
}
