// A twin of a device, in memory: a write is made there first, and what has to hold afterwards is looked at.
import type { Message } from "../../base/errors/app-error.ts";

/** Some coils or registers of one device. */
export interface ModbusPlace {
  unit: number;
  storage: "coils" | "discreteInput" | "inputRegisters" | "holdingRegisters";
  address: number;
}

/** Some coils or registers one after the other. */
export interface Span {
  at: ModbusPlace;
  count: number;
}

/** What a function of the description reads or writes. */
export interface NamedSpan extends Span {
  decode(values: readonly number[]): unknown;
}

/** What has to hold in a device: `register 3 <= register 4`, `coil 7 == 0`, `low < high` for two functions of the description. */
export interface Invariant {
  text: string;
  left: Operand;
  sign: string;
  right: Operand;
}

type Operand = number | Pick<ModbusPlace, "storage" | "address"> | string;

/** @returns undefined where the text is none */
export function parseInvariant(text: string): Invariant | undefined {
  const found = /<=|>=|==|!=|<|>/.exec(text);
  if (found === null) return undefined;
  const [sign] = found;
  const left = parseOperand(text.slice(0, found.index));
  const right = parseOperand(text.slice(found.index + sign.length));
  return left === undefined || right === undefined ? undefined : { text, left, sign, right };
}

function parseOperand(text: string): Operand | undefined {
  const words = text.trim().replaceAll(/\s+/g, " ");
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(words)) return Number(words);
  const [, name = words, digits] = /^([a-z ]+) (\d{1,5})$/i.exec(words) ?? [];
  const storage = storages.get(name.toLowerCase());
  const address = Number(digits);
  if (storage !== undefined) return address < 65_536 ? { storage, address } : undefined;
  return /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(words) ? words : undefined;
}

const storages = new Map<string, ModbusPlace["storage"]>([
  ["register", "holdingRegisters"],
  ["input register", "inputRegisters"],
  ["coil", "coils"],
  ["discrete input", "discreteInput"],
]);

/**
 * Makes a write in memory, and looks at the invariants that it touches. Registers beside it that those name are read from
 * the device.
 *
 * @param named of the functions of the description
 * @returns what would not hold afterwards, or cannot be known
 * @throws what `read` throws
 */
export async function rehearseWrite(
  written: Span & { values: readonly number[] },
  invariants: readonly Invariant[],
  named: ReadonlyMap<string, NamedSpan>,
  read: (span: Span) => Promise<readonly number[]>,
): Promise<Message | undefined> {
  const sideOf = (operand: Operand): NamedSpan | number | undefined => {
    if (typeof operand === "number") return operand;
    if (typeof operand === "string") return named.get(operand);
    const at = { ...operand, unit: written.at.unit };
    return { at, count: 1, decode: ([value]) => value };
  };
  const valueOf = async (side: NamedSpan | number): Promise<unknown> => {
    if (typeof side === "number") return side;
    const own = areOfOne(side, written) ? written.values : [];
    const first = side.at.address - written.at.address;
    const kept = await read(side);
    const value = side.decode(kept.map((each, nth) => own[first + nth] ?? each));
    return typeof value === "boolean" ? Number(value) : value;
  };
  for (const { text, left, sign, right } of invariants) {
    const [one, other] = [sideOf(left), sideOf(right)];
    if (one === undefined || other === undefined) return unknownName(text);
    const isTouched = [one, other].some(
      (side) => typeof side !== "number" && overlap(side, written),
    );
    if (isTouched && !holds(await valueOf(one), sign, await valueOf(other))) return broken(text);
  }
  return undefined;
}

function areOfOne({ at }: Span, other: Span): boolean {
  return at.unit === other.at.unit && at.storage === other.at.storage;
}

function overlap(one: Span, other: Span): boolean {
  const [from, to] = [one.at.address, one.at.address + one.count];
  return areOfOne(one, other) && from < other.at.address + other.count && other.at.address < to;
}

/** What is no number, or two texts, is in no order. */
function holds(left: unknown, sign: string, right: unknown): boolean {
  if (sign === "==") return left === right;
  if (sign === "!=") return left !== right;
  if (typeof left !== "number" || typeof right !== "number") return false;
  if (sign === "<") return left < right;
  if (sign === ">") return left > right;
  return sign === "<=" ? left <= right : left >= right;
}

const broken = (text: string): Message => ({
  en: `In a rehearsal of this write "${text}" did not hold. Nothing was written.`,
  zh: `预演此次写入时，“${text}”不成立。没有写入任何内容。`,
});

const unknownName = (text: string): Message => ({
  en: `The operator wants "${text}" to hold, and the description has no such function. Nothing was written.`,
  zh: `管理员要求“${text}”成立，但描述中没有该函数。没有写入任何内容。`,
});
