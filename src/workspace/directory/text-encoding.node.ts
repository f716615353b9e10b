// Bytes of a text file and back, without loss.
import { isUtf8 } from "node:buffer";
import iconv from "iconv-lite";
import { type Refusal, quotePath, refuse } from "../problems.ts";

type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | LegacyEncoding;

export interface EncodingOfText {
  encoding: TextEncoding;
  /** The text begins with a byte order mark. */
  bom: boolean;
}

export interface DecodedText extends EncodingOfText {
  /** Without the byte order mark. */
  text: string;
}

export type EncodedText =
  | { ok: true; bytes: Uint8Array<ArrayBuffer> }
  /** The first character that the encoding lacks; undefined where the text would be read as another one. */
  | { ok: false; character: string | undefined };

const marks: readonly (readonly [TextEncoding, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * By the byte order mark; else UTF-8 where the bytes are that, UTF-16 where NULs say so, and at last the one old
 * encoding in which they are text of its language.
 *
 * @param bytes of a text, or its beginning
 * @returns UTF-8 where nothing else is sure
 */
export function detectEncoding(bytes: Uint8Array): EncodingOfText {
  const marked = marks.find(([, mark]) => mark.every((byte, nth) => bytes[nth] === byte));
  if (marked !== undefined) return { encoding: marked[0], bom: true };
  const encoding = isUtf8(bytes) && !bytes.includes(0) ? undefined : guessEncoding(bytes);
  return { encoding: encoding ?? "utf-8", bom: false };
}

/** @returns undefined if the bytes are not text, or we do not know the encoding for sure */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const found = detectEncoding(bytes);
  if (found.encoding === "utf-8" && bytes.includes(0)) return undefined;
  const text = decodeWhole(bytes, found.encoding);
  if (text === undefined || text.includes("\0")) return undefined;
  const isLegacy = found.encoding !== "utf-8" && !found.bom;
  const isLossy = isLegacy && Buffer.compare(encodeBytes(text, found), bytes) !== 0;
  return isLossy ? undefined : { ...found, text };
}

/** @param text well-formed */
export function encodeLike(text: string, found: EncodingOfText): EncodedText {
  const bytes = encodeBytes(text, found);
  if (found.encoding === "utf-8" || found.bom) return { ok: true, bytes };
  if (decodeText(bytes)?.text === text) return { ok: true, bytes };
  const decoder = new TextDecoder(found.encoding);
  for (const character of text)
    if (decoder.decode(encodeBytes(character, found)) !== character)
      return { ok: false, character };
  return { ok: false, character: undefined };
}

function encodeBytes(text: string, { encoding, bom }: EncodingOfText): Uint8Array<ArrayBuffer> {
  const marked = bom && !text.startsWith("\ufeff") ? `\ufeff${text}` : text;
  if (encoding === "utf-8") return new TextEncoder().encode(marked);
  return new Uint8Array(iconv.encode(marked, encoding, { addBOM: false }));
}

/** Refuses to read a file as text. */
export function refuseBinary(path: string, size: number): Refusal {
  const name = quotePath(path);
  return refuse("binary", {
    en: `${name} is not text in UTF-8 or UTF-16, nor clearly in GB18030, Big5, Shift_JIS, EUC-KR or Windows-1252, so it cannot be read: binary data, ${size} bytes.`,
    zh: `${name} 不是 UTF-8 或 UTF-16 文本，也无法确认为 GB18030、Big5、Shift_JIS、EUC-KR 或 Windows-1252 文本，无法读取：二进制数据，${size} 字节。`,
  });
}

// Which encoding of old the bytes of a text are in: the one in which they are words of its language.

const languages = {
  gb18030: {
    // The 3,755 characters of daily use, in the order of the standard.
    common: [[0xb0, 0xd7, 0xa1, 0xfe]],
    frequent:
      "的一是不了在有人我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市表示数据文件函数返回参数值类型设置获取删除添加修改配置错误注释变量列字符串输出默认认请求用户检查更计算总价格测试名称路径日志初始化程序对象方法结果内容状态信息时间处理",
  },
  big5: {
    common: [
      [0xa4, 0xc6, 0x40, 0x7e],
      [0xa4, 0xc6, 0xa1, 0xfe],
    ],
    frequent:
      "的一是不了在有人我他這中大來上個國到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可里後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話兒者向情部正名定女問力機給等幾很業最間新什打便位因重被走電四第門相次東政海口使教西再平真聽世氣信北少關並內加化由卻代軍產入先山五太水萬市表示數據檔案函數傳回參數值類型設定取得刪除新增修改錯誤註解變數字串輸出預設請求使用者檢查更計算總價格資料程式測試名稱路徑物件方法結果內容狀態訊息時間處理購車單",
  },
  shift_jis: {
    common: [
      [0x82, 0x83, 0x4f, 0xf1],
      [0x88, 0x97, 0x40, 0xfc],
    ],
    frequent:
      "のにはをたがでてとしれさあいるすもなかりこうまよらそだきくっせえけおんめわどみスントルアイリラクタメデータファ関数返値設定取得削除追加変更文字列処理用日本語中人大一",
  },
  "euc-kr": {
    common: [[0xb0, 0xc8, 0xa1, 0xfe]],
    frequent:
      "이다는을의에가고하지은로기리사를한자도인어서스아라시대나수제정해그것보있게들전만부니일않없면안여과와으며려할된되했습합값함반환파데터문열설오류변추삭주석용계산총",
  },
  "windows-1252": {
    common: [],
    frequent: "éèêëàâäáãåçñöôóòõøüûúùíîïìßæœÉÈÀÁÂÄÖÜÅØÇÑÓÚÍÊ«»°§©®µ±·²³–—‘’“”…€£¿¡º´ª×•",
  },
} as const;

type LegacyEncoding = keyof typeof languages;

/** Of the bytes, so many are looked at. */
const maxLooked = 64 * 1024;
/**
 * Of the best: the mean of its characters, and what it leads the next by, in the mean and in all. A frequent
 * character counts 3, a common one 1, an odd one -2.
 */
const [leastMean, leastLead, leastWholeLead] = [0.7, 0.4, 3];
const leastSum = 2;
const nothing = { mean: -Infinity, count: 0 };
const wide = /[\u3000-\u303f\uff01-\uff5e\u2010-\u2026\u00b7\u00d7]/;
/** Letters and digits as wide as ideographs say little: a few bytes of another encoding look the same. */
const wideWord = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/;
const odd = /[\p{Cn}\p{Co}\p{Cs}]|[^\P{Cc}\t\n\f\r\b\v]/u;

/** @returns undefined where no encoding, or more than one, makes words of the bytes */
function guessEncoding(bytes: Uint8Array): LegacyEncoding | "utf-16le" | "utf-16be" | undefined {
  if (bytes.includes(0)) return guessUtf16(bytes);
  const sample = sampleOf(bytes);
  const scores = (Object.keys(languages) as LegacyEncoding[])
    .map((encoding) => ({ encoding, ...scoreOf(sample, encoding) }))
    .sort((one, other) => other.mean - one.mean);
  const [best, next] = scores;
  if (best === undefined || best.mean < leastMean || best.mean * best.count < leastSum)
    return undefined;
  const lead = best.mean - (next?.mean ?? -Infinity);
  return lead >= leastLead && lead * best.count >= leastWholeLead ? best.encoding : undefined;
}

/** Without a mark: the byte order in which it is a text with letters of ASCII, and no character that is none. */
function guessUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const sample = bytes.subarray(0, maxLooked);
  const isText = (encoding: string): boolean => {
    const text = decodeWhole(sample, encoding);
    return text !== undefined && !odd.test(text) && /[\n -~]/.test(text);
  };
  const [little, big] = [isText("utf-16le"), isText("utf-16be")];
  if (little === big) return undefined;
  return little ? "utf-16le" : "utf-16be";
}

/** Whole lines from the first one on that is not ASCII. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const start = first === -1 ? 0 : bytes.lastIndexOf(0x0a, first) + 1;
  if (bytes.length - start <= maxLooked) return bytes.subarray(start);
  const end = bytes.lastIndexOf(0x0a, start + maxLooked);
  return bytes.subarray(start, end <= start ? start + maxLooked : end);
}

/** Of all characters that are not ASCII: how likely they are in a text of the language. */
function scoreOf(sample: Uint8Array, encoding: LegacyEncoding): { mean: number; count: number } {
  const text = decodeWhole(sample, encoding);
  if (text === undefined || odd.test(text)) return nothing;
  const { frequent } = languages[encoding];
  const common = encoding === "windows-1252" ? undefined : commonOf(encoding);
  let [sum, count] = [0, 0];
  const seen = new Set<string>();
  for (const { 0: run, index } of text.matchAll(/[^\p{ASCII}]+/gu)) {
    // Letters with accents are between others, and signs are not before them: that may be half of a character.
    const isSign = !/[\p{L}“‘]$/u.test(run) && /[@-~]/.test(text.charAt(index + run.length));
    const isForeign = common === undefined && (run.length > 2 || isSign);
    // What is only repeated says no more.
    if (common !== undefined && seen.has(run)) continue;
    seen.add(run);
    for (const character of run) {
      count += 1;
      if (isForeign) sum -= 2;
      else if (frequent.includes(character))
        sum += common === undefined ? weightIn(text, index, run) : 3;
      else if (!wideWord.test(character))
        sum += wide.test(character) || common?.has(character) === true ? 1 : -2;
    }
  }
  return count === 0 ? nothing : { mean: sum / count, count };
}

/** A letter with an accent says more in a longer word. */
function weightIn(text: string, index: number, run: string): number {
  const isInWord =
    /\w{2}$/.test(text.slice(Math.max(0, index - 2), index)) ||
    /^\w{2}/.test(text.slice(index + run.length, index + run.length + 2));
  return isInWord ||
    !/\p{L}/u.test(run) ||
    (/\w/.test(text.charAt(index - 1)) && /\w/.test(text.charAt(index + run.length)))
    ? 2
    : 1;
}

/** The characters that a standard has in its first rows. */
function commonOf(encoding: LegacyEncoding): ReadonlySet<string> {
  const bytes: number[] = [];
  for (const [first, last, from, to] of languages[encoding].common)
    for (let lead: number = first; lead <= last; lead += 1)
      for (let trail: number = from; trail <= to; trail += 1) bytes.push(lead, trail, 0x0a);
  return new Set(new TextDecoder(encoding).decode(Uint8Array.from(bytes)).split("\n"));
}

/** Without the mark of its own encoding; undefined for bytes that are no text in it. */
function decodeWhole(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
