import { type Attack, definitionOf, toBody } from "../attack.ts";

const longList = (count: number): object => ({
  name: "rows",
  value: Array.from({ length: count }, (_, nth) => ({ id: nth, name: `row ${nth % 1_000}` })),
});

const attack = (
  name: string,
  templates: readonly string[],
  variables: readonly object[] = [],
): Attack => ({
  group: "template",
  name: `template: ${name}`,
  body: () =>
    toBody(`template: ${name}`, {
      command: "run",
      agentDefinition: definitionOf(...templates),
      contextVariables: [{ name: "userInputPrompt", value: "Go." }, ...variables],
    }),
});

const orChain = Array.from({ length: 100 }, () => "i == 0").join(" or ");

/** Templates that come with a request. */
export const templateAttacks: readonly Attack[] = [
  attack("where_exp over a range", [`{{ (1..170000) | where_exp: "i", "${orChain}" | size }}`]),
  attack("where over a long list", ['{{ rows | where: "name", "row 1" | size }}'], [longList(6e4)]),
  attack("group_by over a long list", ['{{ rows | group_by: "name" | size }}'], [longList(6e4)]),
  attack(
    "sort of a long list, ten times",
    [
      '{{ rows | sort: "name" | sort: "id" | sort: "name" | sort: "id" | sort: "name" | sort: "id" | sort: "name" | sort: "id" | sort: "name" | sort: "id" | size }}',
    ],
    [longList(6e4)],
  ),
  attack("uniq of a range", ["{{ (1..1000000) | uniq | size }}"]),
  attack("four nested loops", [
    "{% for a in (1..1000) %}{% for b in (1..1000) %}{% for c in (1..1000) %}{% for d in (1..1000) %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}",
  ]),
  attack("a text that doubles", [
    `{% assign a = "0123456789" %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}{{ a | size }}`,
  ]),
  attack("split, join and replace in a loop", [
    `{% assign a = userInputPrompt %}{% for i in (1..5000) %}{% assign a = a | append: "abc " | split: " " | join: "-" | replace: "-", " " %}{% endfor %}{{ a | size }}`,
  ]),
  attack("a liquid tag of 20 kB", [`{% liquid\n${"assign a = 1\n".repeat(1_600)}%}`]),
  attack("a liquid tag of 190 kB", [`{% liquid\n${"assign a = 1\n".repeat(14_600)}%}`]),
  attack("a condition of 10,000 parts", [
    `{% if ${Array.from({ length: 10_000 }, () => "a").join(" and ")} %}x{% endif %}`,
  ]),
  attack(
    "two thousand templates",
    Array.from(
      { length: 2_000 },
      (_, nth) => `{{ a | append: "${nth}" | size }}{% if a %}b{% endif %}`,
    ),
  ),
  attack(
    "ten templates of 140 kB",
    Array.from({ length: 10 }, (_, nth) => `{{ a${nth} | upcase }}`.repeat(7_000)),
  ),
  attack("blocks in blocks", [`${"{% if true %}".repeat(1_900)}x${"{% endif %}".repeat(1_900)}`]),
  attack("a filter chain of 10,000", [`{{ userInputPrompt ${"| upcase ".repeat(10_000)}}}`]),
  attack(
    "JSON of a long list",
    ["{{ rows | json: 10 }}{{ rows | json: 10 }}{{ rows | json: 10 }}"],
    [longList(6e4)],
  ),
  attack(
    "strip_html of open tags",
    [`{{ text | strip_html | size }}`],
    [{ name: "text", value: "<script".repeat(200_000) }],
  ),
  attack(
    "the editor with line numbers, many times",
    ["{% for i in (1..1000) %}{{ activeEditor.content | line_numbers }}{% endfor %}"],
    [{ name: "activeEditor", value: { filePath: "a.ts", content: "x\n".repeat(300_000) } }],
  ),
  attack(
    "tokens of a long text, many times",
    ["{% for i in (1..1000) %}{{ text | tokens: 10 }}{% endfor %}"],
    [{ name: "text", value: "word ".repeat(400_000) }],
  ),
];
