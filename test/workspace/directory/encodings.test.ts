// Files in encodings other than UTF-8 are read and written back in their own.
import { readFileSync } from "node:fs";
import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { readTargetFile, writeTarget } from "../../../src/cli/edit/write-target.ts";
import { findRipgrep } from "../../../src/workspace/directory/search/ripgrep.node.ts";
import { decodeText, encodeLike } from "../../../src/workspace/directory/text-encoding.node.ts";
import { applyApproved, changeOf, codeOf, valueOf } from "../workspace-suite.ts";
import { makeFolders, openFolder } from "./open-folder.ts";
import { cases } from "../../helpers/cases.ts";

const options = { signal: AbortSignal.timeout(3_600_000) };
const comments: readonly (readonly [string, string, string])[] = [
  ["gb18030", "计算订单总价，包含折扣和税费", "\ue5e5"],
  ["big5", "計算訂單總價，包含折扣和稅費", "한"],
  ["shift_jis", "注文の合計金額を計算する関数です", "한"],
  ["euc-kr", "주문 총액을 계산하는 함수입니다", "é"],
  ["windows-1252", "Größe prüfen – café à la carte, señor", "中"],
  ["utf-16le", "计算订单总价 à", "\ud800"],
  ["utf-16be", "计算订单总价 à", "\ud800"],
];
const ripgrep = await findRipgrep();

test.each(comments)(
  "a file in %s is read, searched, changed and stays in it",
  async (encoding, comment, lacked) => {
    const text = `// ${comment}\r\nexport const total = 1;\r\n`;
    const bytes = iconv.encode(text, encoding);
    const folders = makeFolders({ "a.ts": bytes, "b.ts": "const b = 1;\n" });
    const given = await openFolder(folders);
    const file = valueOf(await given.workspace.read("a.ts", options));
    expect(file).toMatchObject({ text, encoding, bom: false });
    const after = text.replace("total = 1", `total = 2; // ${comment.slice(0, 3)}`);
    const change = await changeOf(given.workspace, "a.ts", after);
    expect(codeOf(await applyApproved(given, change))).toBeUndefined();
    expect(readFileSync(folders.at("a.ts"))).toEqual(iconv.encode(after, encoding));
    // A character that the encoding lacks is named, and nothing is written.
    const wrong = await changeOf(given.workspace, "a.ts", `${after}// ${lacked}\n`);
    const refused = await applyApproved(given, wrong);
    expect(codeOf(refused)).toBe("failed");
    if (!refused.ok && lacked.isWellFormed())
      expect(refused.problem.message.en).toContain(
        `${encoding}, which has no character "${lacked}"`,
      );
    expect(readFileSync(folders.at("a.ts"))).toEqual(iconv.encode(after, encoding));
  },
);

test.each(comments.slice(0, 5))(
  "a search finds words in %s with ripgrep and without",
  async (encoding, comment) => {
    const folders = makeFolders({
      "a.ts": iconv.encode(`// ${comment}\nexport const total = 1;\n`, encoding),
    });
    const word = comment.slice(1, 5);
    for (const program of [ripgrep, undefined]) {
      const { workspace } = await openFolder(folders, { ripgrep: program });
      for (const query of [word, `${word}.*`, "// ..", "TOTAL = "]) {
        const asked = { query, isCaseSensitive: false, include: [], exclude: [], maxHits: 9 };
        const { hits } = valueOf(await workspace.search(asked, options));
        expect([query, hits.map(({ file }) => file)]).toEqual([query, ["a.ts"]]);
      }
    }
  },
);

test.each(comments)("an edit of the terminal keeps %s", async (encoding, comment, lacked) => {
  const folders = makeFolders({ "a.txt": iconv.encode(`${comment}\n1\n`, encoding) });
  const target = readTargetFile(folders.at("a.txt"));
  await writeTarget(target, `${comment}\n2\n`);
  expect(readFileSync(folders.at("a.txt"))).toEqual(iconv.encode(`${comment}\n2\n`, encoding));
  if (lacked.isWellFormed())
    await expect(
      writeTarget(readTargetFile(folders.at("a.txt")), `${comment}${lacked}\n`),
    ).rejects.toThrow(`which has no character "${lacked}"`);
});

test.each([
  ["gb18030", "// ①②③\n"],
  ["gb18030", "/* \ufe4f */ a(); /* \ufe4f */\n".repeat(50)],
  ["iso-8859-2", "// żółć\n".repeat(50)],
])(
  "a few signs of %s are not taken for words of another language, however often they come",
  (encoding, text) => {
    expect(decodeText(Uint8Array.from(iconv.encode(text, encoding)))).toBeUndefined();
  },
);

test("bytes are read only as text that would be written as the same bytes", () => {
  // A seed, so that a failure comes again.
  let state = 20;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  for (let nth = 0; nth < cases(200); nth += 1) {
    const [encoding, comment] = comments[random(comments.length)] ?? ["utf-8", ""];
    const bytes = Uint8Array.from(iconv.encode(`// ${comment}\n`, encoding));
    for (let count = random(3); count > 0; count -= 1) bytes[random(bytes.length)] = random(256);
    const decoded = decodeText(bytes);
    if (decoded !== undefined)
      expect(encodeLike(decoded.text, decoded)).toEqual({ ok: true, bytes });
  }
});
