// Random templates that try to make a server work: loops in loops, texts that double, long chains of filters,
// big values compared. They read the variables `text`, `list`, `objects` and `big`.

/** A number from 0 up to 1, as `Math.random` answers. */
type Random = () => number;

const variables = ["text", "list", "objects", "big", "a", "b", "i", "forloop"];
const fields = ["name", "tags", "size", "first", "last", "none", "list"];
const numbers = ["0", "-1", "3", "1000", "99999999", "9007199254740992", "1.5"];
const texts = ["''", "'a'", "'aaaaaaaab'", "'%0999d %A %c'", "' '", "'name'", "'list.size'"];
const operators = ["==", "!=", "<", ">=", "contains", "and", "or"];
const plainFilters = (
  "abs ceil floor round escape escape_once xml_escape newline_to_br strip_html url_encode url_decode " +
  "cgi_escape uri_escape slugify last first reverse sort sort_natural size sum compact pop shift uniq " +
  "date_to_xmlschema date_to_rfc822 date_to_string date_to_long_string lstrip rstrip strip downcase " +
  "upcase strip_newlines squish capitalize normalize_whitespace number_of_words base64_encode " +
  "base64_decode sha256 jsonify inspect to_integer raw json fence line_numbers join where_exp"
).split(" ");
const filtersWithValue = (
  "at_least at_most divided_by minus plus modulo times map sum sort sort_natural concat push unshift " +
  "slice where reject has find find_index group_by date append prepend remove remove_first remove_last " +
  "split replace replace_first replace_last truncate truncatewords join array_to_sentence_string " +
  "hmac_sha256 default json fence line_numbers tokens uniq strip"
).split(" ");

/** One template, by a random that is given, so that a seed gives the same again. */
export function hostileTemplate(random: Random): string {
  return nodes(random, 3);
}

function nodes(random: Random, depth: number): string {
  return repeat(random, 1, 4, () => node(random, depth)).join(pick(random, ["", " ", "\n", "x"]));
}

function node(random: Random, depth: number): string {
  if (depth === 0) return `{{ ${filtered(random)} }}`;
  const inside = (): string => nodes(random, depth - 1);
  const name = pick(random, ["a", "b"]);
  return pick(random, [
    () => `{{ ${filtered(random)} }}`,
    () => `{% assign ${name} = ${filtered(random)} %}`,
    () => `{% assign a = a | append: a | append: text %}${inside()}`,
    () => `{% assign b = b | concat: b | push: b %}${inside()}`,
    () =>
      `{% for i in ${value(random)}${modifiers(random)} %}${inside()}{% else %}none{% endfor %}`,
    () => `{% for i in (1..${pick(random, numbers)}) %}${inside()}{% endfor %}`,
    () => `{% tablerow i in ${value(random)} cols:${value(random)} %}${inside()}{% endtablerow %}`,
    () => `{% capture ${name} %}${inside()}{{ ${name} }}{{ ${name} }}{% endcapture %}`,
    () => `{% if ${condition(random)} %}${inside()}{% elsif ${condition(random)} %}y{% endif %}`,
    () => `{% unless ${condition(random)} %}${inside()}{% endunless %}`,
    () => `{% case ${value(random)} %}{% when ${value(random)}, ${value(random)} %}z{% endcase %}`,
    () => `{% cycle ${value(random)}: ${value(random)}, ${value(random)} %}`,
    () => `{% increment ${name} %}{% decrement i %}{% echo ${filtered(random)} %}`,
    () => `{% raw %}{{ a }}{% if %}{% endraw %}{% comment %}{{ a }}{% endcomment %}`,
    () => `{% liquid\n${repeat(random, 1, 5, () => line(random)).join("\n")}\n%}`,
    () => `{{ ${pick(random, variables)}${"[i]".repeat(depth)}${".list".repeat(depth * 3)} }}`,
  ])();
}

function line(random: Random): string {
  return pick(random, [
    () => `assign a = ${filtered(random)}`,
    () => `echo ${filtered(random)}`,
    () => `for i in ${value(random)}\n  assign a = a | append: text\nendfor`,
    () => `if ${condition(random)}\n  echo a\nendif`,
  ])();
}

function filtered(random: Random): string {
  const filters = repeat(random, 0, 5, () =>
    random() < 0.5
      ? ` | ${pick(random, plainFilters)}`
      : ` | ${pick(random, filtersWithValue)}: ${repeat(random, 1, 3, () => value(random)).join(", ")}`,
  );
  return value(random) + filters.join("");
}

function condition(random: Random): string {
  const more = repeat(
    random,
    0,
    4,
    () => `${pick(random, operators)} ${pick(random, [value, word])(random)}`,
  );
  return [value(random), ...more].join(" ");
}

function value(random: Random): string {
  return pick(random, [
    () => pick(random, variables),
    () => pick(random, variables),
    () => `${pick(random, variables)}.${pick(random, fields)}`,
    () => `${pick(random, variables)}[${pick(random, [...variables, ...numbers])}]`,
    () => pick(random, numbers),
    () => pick(random, texts),
    () => `(${pick(random, numbers)}..${pick(random, [...numbers, "list.size"])})`,
  ])();
}

function word(random: Random): string {
  return pick(random, ["blank", "empty", "nil", "true"]);
}

function modifiers(random: Random): string {
  const all = [" limit: 5", " offset: continue", " reversed", ` limit: ${value(random)}`];
  return repeat(random, 0, 2, () => pick(random, all)).join("");
}

function repeat<Made>(random: Random, least: number, most: number, make: () => Made): Made[] {
  const count = least + Math.floor(random() * (most - least + 1));
  return Array.from({ length: count }, make);
}

function pick<Item>(random: Random, items: readonly [Item, ...Item[]] | readonly Item[]): Item {
  // There is at least one, and random is below 1.
  return items[Math.floor(random() * items.length)] as Item;
}
