import { filters as liquidFilters, type Liquid } from "liquidjs";
import { own, type OwnFilter, type Price, priced } from "./filter.ts";
import { textOf } from "./fueled-context.ts";
import { listFilters } from "./list-filters.ts";
import { ownFilters } from "./own-filters.ts";
import { textFilters } from "./text-filters.ts";

const blind: Price = { isBlind: true };
const number: Price = { item: 14, character: 1 };
/** A date's names of days, months and zones come from a formatter that is made each time. */
const namePart = 8_000;
const date: Price = { call: 20_000 + 4 * namePart, character: 10 };

/** Liquid's filters that are left as they are, with what they cost at most. */
export const prices: Readonly<Record<string, Price>> = {
  abs: number,
  at_least: number,
  at_most: number,
  ceil: number,
  divided_by: number,
  floor: number,
  minus: number,
  modulo: number,
  plus: number,
  round: number,
  times: number,
  to_integer: number,

  default: blind,
  first: blind,
  last: blind,
  raw: blind,
  size: blind,

  append: {},
  prepend: {},
  base64_decode: { character: 3 },
  base64_encode: { character: 3 },
  capitalize: { character: 4 },
  downcase: { character: 4 },
  upcase: { character: 4 },
  cgi_escape: { character: 12 },
  hmac_sha256: { call: 2_000, character: 10 },
  sha256: { call: 2_000, character: 10 },
  number_of_words: { character: 20 },
  slugify: { character: 25 },
  strip_html: { character: 4 },
  truncate: {},
  uri_escape: { character: 10 },
  url_decode: { character: 6 },
  url_encode: { character: 10 },

  date: {
    ...date,
    extra: ({ fuel }, format) => {
      // How wide a part is may be said with it: %0100d.
      const parts = [...textOf(format ?? "", fuel).matchAll(/%[-_0^#:]*(\d*)/g)];
      return parts.reduce((sum, [, width]) => sum + namePart + Number(width) * 0.3, 0);
    },
  },
  date_to_long_string: date,
  date_to_rfc822: date,
  date_to_string: date,
  date_to_xmlschema: date,
};

/** Liquid's filters that templates may not use, and why. */
export const removedFilters: Readonly<Record<string, string>> = {
  find_exp: "use find",
  find_index_exp: "use find_index",
  group_by_exp: "use group_by",
  has_exp: "use has",
  reject_exp: "use reject",
  where_exp: "use where",
  sample: "a prompt is rendered several times, and has to be the same each time",
};

/** The filters of ours, some of which stand in the place of Liquid's. */
export const ourFilters: Readonly<Record<string, OwnFilter>> = {
  ...listFilters,
  ...textFilters,
  ...ownFilters,
};

/** Registers what templates may use; whatever else Liquid has, now or in a later version, is gone. */
export function registerFilters(liquid: Liquid): void {
  for (const name of Object.keys(liquid.filters)) liquid.unregisterFilter(name);
  for (const [name, price] of Object.entries(prices)) {
    const filter = liquidFilters[name];
    if (filter !== undefined) liquid.registerFilter(name, priced(filter, price));
  }
  for (const [name, filter] of Object.entries(ourFilters)) liquid.registerFilter(name, own(filter));
}
