/** A text that a pattern matches, or nearly: what stands around it, and what must not follow, is passed over. */
export function samplePattern({ source }: RegExp, random: () => number): string {
  return new Sampler(source, random).alternatives();
}

const classes: Readonly<Record<string, string>> = {
  d: "7",
  w: "a",
  s: " ",
  n: "\n",
  r: "\r",
  t: "\t",
  D: "x",
  W: "-",
  S: "x",
};

class Sampler {
  readonly #source: string;
  readonly #random: () => number;
  #at = 0;

  constructor(source: string, random: () => number) {
    this.#source = source;
    this.#random = random;
  }

  alternatives(): string {
    const texts: string[] = [""];
    while (this.#at < this.#source.length) {
      const sign = this.#source.charAt(this.#at);
      if (sign === ")") break;
      if (sign === "|") {
        this.#at += 1;
        texts.push("");
      } else texts.push((texts.pop() ?? "") + this.#repeated());
    }
    return this.#pick(texts);
  }

  #repeated(): string {
    const start = this.#at;
    let text = this.#atom();
    const [whole = "", sign, least = "", comma, most = ""] =
      /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    if (whole === "") return text;
    const end = this.#at + whole.length;
    const [from, to] =
      sign === undefined
        ? [Number(least), comma === "" ? Number(least) : Number(most || Number(least) + 2)]
        : [sign === "+" ? 1 : 0, sign === "?" ? 1 : 3];
    const count = from + Math.floor(this.#random() * (Math.min(to, from + 8) - from + 1));
    text = "";
    for (let nth = 0; nth < count; nth += 1) {
      this.#at = start;
      text += this.#atom();
    }
    this.#at = end;
    return text;
  }

  #atom(): string {
    const sign = this.#source.charAt(this.#at);
    this.#at += 1;
    switch (sign) {
      case "(":
        return this.#group();
      case "[":
        return this.#set();
      case "\\":
        return this.#escape();
      case "^":
      case "$":
        return "";
      case ".":
        return "x";
      default:
        return sign;
    }
  }

  #group(): string {
    const [lead = ""] = /^\?(?::|<?[=!]|<\w+>)/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += lead.length;
    const text = this.alternatives();
    this.#at += 1;
    return /^\?<?!|^\?<=/.test(lead) ? "" : text;
  }

  #set(): string {
    const isOther = this.#source[this.#at] === "^";
    if (isOther) this.#at += 1;
    const signs: string[] = [];
    while (this.#at < this.#source.length && this.#source[this.#at] !== "]")
      signs.push(this.#atomOfSet());
    this.#at += 1;
    const others = ["x", " ", "<", "\n"].filter((sign) => !signs.includes(sign));
    return this.#pick(isOther ? others : signs);
  }

  #atomOfSet(): string {
    const sign = this.#source.charAt(this.#at);
    this.#at += 1;
    return sign === "\\" ? this.#escape() : sign;
  }

  #escape(): string {
    const [whole = "", four, , name] =
      /^(?:u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}|[pP]\{[^}]*\}|k<(\w+)>|[^])/.exec(
        this.#source.slice(this.#at),
      ) ?? [];
    this.#at += whole.length;
    if (four !== undefined) return String.fromCharCode(Number.parseInt(four, 16));
    if (name !== undefined) return "-";
    if (whole.length > 1) return whole.startsWith("p") ? "e" : "-";
    return /[bB]/.test(whole) ? "" : (classes[whole] ?? whole);
  }

  #pick(texts: readonly string[]): string {
    return texts[Math.floor(this.#random() * texts.length)] ?? "";
  }
}
