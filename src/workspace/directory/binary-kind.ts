import { refuse, quotePath } from "../problems.ts";

/** How files of a kind begin, a character for each byte; a dot may be any. */
const kinds: readonly (readonly [name: string, start: string])[] = [
  ["PNG", "\x89PNG"],
  ["JPEG", "\xff\xd8\xff"],
  ["GIF", "GIF8"],
  ["WebP", "RIFF....WE"],
  ["PDF", "%PDF"],
  ["ZIP", "PK\x03\x04"],
  ["GZIP", "\x1f\x8b"],
  ["Zstandard", "(\xb5/\xfd"],
  ["XZ", "\xfd7zXZ"],
  ["BZIP2", "BZh"],
  ["7z", "7z\xbc\xaf"],
  ["ELF", "\x7fELF"],
  ["EXE", "MZ"],
  ["Mach-O", "\xcf\xfa\xed\xfe"],
  ["Java class", "\xca\xfe\xba\xbe"],
  ["WebAssembly", "\0asm"],
  ["SQLite", "SQLite"],
  ["WOFF2", "wOF2"],
  ["Ogg", "OggS"],
  ["MP3", "ID3"],
];

/** Refuses to read a file as text, and says what it is, as far as its first bytes tell. */
export function refuseBinary(
  path: string,
  head: Uint8Array,
  size: number,
): ReturnType<typeof refuse> {
  const [kind] = kinds.find(([, start]) => beginsWith(head, start)) ?? [];
  const name = quotePath(path);
  return refuse(
    "binary",
    `${name} is not text in UTF-8 or UTF-16, nor clearly in GB18030, Big5, Shift_JIS, EUC-KR or Windows-1252, so it cannot be read: ${kind ?? "binary data"}, ${size} bytes.`,
    `${name} 不是 UTF-8 或 UTF-16 文本，也无法确认为 GB18030、Big5、Shift_JIS、EUC-KR 或 Windows-1252 文本，无法读取：${kind ?? "二进制数据"}，${size} 字节。`,
  );
}

function beginsWith(head: Uint8Array, start: string): boolean {
  for (let nth = 0; nth < start.length; nth += 1)
    if (start[nth] !== "." && head[nth] !== start.charCodeAt(nth)) return false;
  return true;
}
