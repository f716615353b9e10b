import { PassThrough } from "node:stream";

/** A stream that says that it is a terminal with colours. */
export class Screen extends PassThrough {
  readonly isTTY = true;
  readonly columns = 100;
  readonly rows = 40;
  getColorDepth(): number {
    return 8;
  }
  hasColors(): boolean {
    return true;
  }
  /** What was written since the last look. */
  get text(): string {
    return String(this.read() ?? "");
  }
}
