const quote = 34;
const backslash = 92;

/** The fields of a chunk whose text changes from frame to frame. `reasoning` gets another name on its way. */
const varying = /"(?:content|reasoning_content|obfuscation)":"/g;

/**
 * What the plain frames of one answer look like: the same bytes again and again around one or two
 * JSON strings. `parts` are those bytes; between two of them stands the inside of a string.
 */
export interface FrameShape {
  parts: readonly string[];
  /** The characters of all parts together. */
  length: number;
}

/**
 * Learns the shape of a frame that is known to be a plain delta.
 *
 * @param frame `data: {...}` and its blank line, LF only
 */
export function learnShape(frame: string): FrameShape | undefined {
  const parts: string[] = [];
  let from = 0;
  // Inside a JSON string these names would carry escaped quotes, so every match is a field.
  for (const match of frame.matchAll(varying)) {
    const start = match.index + match[0].length;
    const end = endOfText(frame, start);
    if (end === -1) return undefined;
    parts.push(frame.slice(from, start));
    from = end;
  }
  if (parts.length === 0) return undefined;
  parts.push(frame.slice(from));
  return { parts, length: parts.join("").length };
}

/**
 * Tells where a frame of this shape that begins at `at` ends, or -1 if none does. What it accepts
 * is whole, valid JSON, since the fixed bytes were parsed once and the strings are checked here.
 */
export function matchShape(shape: FrameShape, text: string, at: number): number {
  let position = at;
  for (let index = 0; index < shape.parts.length; index++) {
    if (index > 0) position = endOfText(text, position);
    const part = shape.parts[index];
    if (position === -1 || part === undefined) return -1;
    // Four times as fast as startsWith, which compares character by character.
    const end = position + part.length;
    if (text.slice(position, end) !== part) return -1;
    position = end;
  }
  return position;
}

/** The index of the quote that closes a JSON string whose inside begins at `at`; -1 if it is none. */
function endOfText(text: string, at: number): number {
  for (let position = at; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code === quote) return position;
    if (code < 32) return -1;
    if (code === backslash) {
      const length = escapeLength(text, position);
      if (length === 0) return -1;
      position += length - 1;
    }
  }
  return -1;
}

/** How many characters the escape at `at` takes: 2, 6 for a code unit, 0 if it is none. */
function escapeLength(text: string, at: number): number {
  const next = text[at + 1];
  if (next === undefined) return 0;
  if (next === "u") return /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 0;
  return '"\\/bfnrt'.includes(next) ? 2 : 0;
}
