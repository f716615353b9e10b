/**
 * Every content chunk of the fake model carries `@SSSSSS:TTTTTTTTTTTT@`: its number in the stream,
 * from 1, and the microseconds of the clock below when it was written (0 where nothing is timed).
 * So a reader can check order and measure delay without parsing any JSON.
 */
export const emptyMarker = "@000000:000000000000@";

/** The byte that stands at both ends; nothing else in a stream's frames holds it before the last marker. */
export const at = 0x40;
export const colon = 0x3a;

export const numberOffset = 1;
export const numberDigits = 6;
export const colonOffset = numberOffset + numberDigits;
export const timeOffset = colonOffset + 1;
export const timeDigits = 12;
export const lastOffset = timeOffset + timeDigits;

const zero = 0x30;
const clockRange = 10 ** timeDigits;

/**
 * The monotonic clock that all processes of one machine share, in whole microseconds, of which the
 * digits that a marker can hold. (`performance.now()` begins anew in every process.)
 */
export function nowMicros(): number {
  const time = process.hrtime();
  return (time[0] * 1e6 + Math.floor(time[1] / 1e3)) % clockRange;
}

/** Microseconds from `earlier` to `later`, also over the clock's wrap. */
export function elapsed(earlier: number, later: number): number {
  return later >= earlier ? later - earlier : later - earlier + clockRange;
}

export function writeDigits(
  bytes: Uint8Array,
  offset: number,
  digits: number,
  value: number,
): void {
  let rest = value;
  for (let index = offset + digits - 1; index >= offset; index--) {
    const next = Math.floor(rest / 10);
    bytes[index] = zero + (rest - next * 10);
    rest = next;
  }
}

export function readDigits(bytes: Uint8Array, offset: number, digits: number): number {
  let value = 0;
  for (let index = offset; index < offset + digits; index++)
    value = value * 10 + (bytes[index] ?? 0) - zero;
  return value;
}
