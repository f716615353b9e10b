// Random templates that try to make a server work: loops in loops, texts that double, long chains of filters,
// big values compared. They read the variables `text`, `list`, `objects` and `big`.

/** A number from 0 up to 1, as `Math.random` answers. */
type Random = () => number;

const variables = ["text", "list", "objects", "big", "a", "b", "i", "forloop"];
const fields = ["name", "tags", "size", "first", "last", "none", "list"];
const numbers = ["0", "-1", "3", "1000", "99999999", "9007199254740992", "1.5"];
const texts = ["''", "'a'", "'aaaaaaaab'", "'%0999d %A %c'", "' '", "'name'", "'list.size'"];
const operators = ["==", "!=", "<", ">=", "contains", "and", "or"];
const plainFilters =
  "downcase first fence json last line_numbers reverse size sort split strip uniq upcase join".split(
    " ",
  );
const filtersWithValue = (
  "append default fence join json line_numbers map minus plus prepend replace slice sort split strip " +
  "tokens truncate where"
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
    () =>
      `{% for i in ${value(random)}${modifiers(random)} %}${inside()}{% else %}none{% endfor %}`,
    () => `{% for i in (1..${pick(random, numbers)}) %}${inside()}{% endfor %}`,
    () => `{% capture ${name} %}${inside()}{{ ${name} }}{{ ${name} }}{% endcapture %}`,
    () => `{% if ${condition(random)} %}${inside()}{% elsif ${condition(random)} %}y{% endif %}`,
    () => `{% unless ${condition(random)} %}${inside()}{% endunless %}`,
    () => `{% case ${value(random)} %}{% when ${value(random)}, ${value(random)} %}z{% endcase %}`,
    () => `{% raw %}{{ a }}{% if %}{% endraw %}{% comment %}{{ a }}{% endcomment %}`,
    () => `{{ ${pick(random, variables)}${"[i]".repeat(depth)}${".list".repeat(depth * 3)} }}`,
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
