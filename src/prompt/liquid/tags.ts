// Liquid's tags, of which some take more fuel than their nodes do.
import {
  CaptureTag,
  CaseTag,
  type Context,
  CycleTag,
  type Emitter,
  evalToken,
  ForTag,
  type Hash,
  type Liquid,
  LiquidTag,
  TablerowTag,
  Tag,
  type TagToken,
  type Token,
  type TopLevelToken,
  tags as liquidTags,
  toValue,
} from "liquidjs";
import { toItems } from "./list-filters.ts";
import { fueled, textOf, textOfParts } from "./fueled-context.ts";
import { isEqual } from "./operators.ts";

type TagClass = Liquid["tags"][string];
type Run = Generator<unknown, unknown, unknown>;

/** What each further copy of a loop's items costs: reversed, from an offset, up to a limit. */
const copied = 6;

class FueledFor extends ForTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const items = yield* itemsOf(this.collection, context);
    const tag = variant(this, { ...items, hash: numbersOnly(this.hash) });
    yield super.render.call(tag, context, emitter);
  }
}

class FueledTablerow extends TablerowTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const items = yield* itemsOf(this.collection, context);
    const tag = variant(this, { ...items, args: numbersOnly(this.args) });
    yield super.render.call(tag, context, emitter);
  }
}

class FueledCase extends CaseTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const target: unknown = toValue(yield this.value.value(context));
    let isHit = false;
    for (const { values, templates } of this.branches) {
      for (const token of values) {
        const value = yield evalToken(token, context);
        if (!isEqual(target, value, fueled(context))) continue;
        isHit = true;
        yield this.liquid.renderer.renderTemplates(templates, context, emitter);
        break;
      }
    }
    if (!isHit) yield this.liquid.renderer.renderTemplates(this.elseTemplates, context, emitter);
  }
}

class FueledCycle extends CycleTag {
  override *render(context: Context, emitter: Emitter): Run {
    // The group becomes a part of a name; it may be any value.
    const token: unknown = Reflect.get(this, "group");
    const group = yield evalToken(token as Token | undefined, context);
    const { fuel } = fueled(context);
    const name = group === undefined ? undefined : textOfParts(toValue(group), fuel);
    fuel.use((name?.length ?? 0) * 0.5);
    return yield super.render.call(variant(this, { group: literal(name) }), context, emitter);
  }
}

/** Liquid's own check of comments is quadratic in line ends. */
class LinearComment extends Tag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid);
    const [, ...lines] = token.args.split("\n").map((line) => line.trimStart());
    if (lines.some((line) => line !== "" && !line.startsWith("#")))
      throw new Error("every line of an inline comment must start with a '#' character");
  }

  override render(): void {}
}

class RefusedTag extends Tag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid);
    throw new Error("templates may not load other templates");
  }

  override render(): void {}
}

/** The tags that templates may use; each is a node with its own price, and its expressions have theirs. */
export const allowedTags: Readonly<Record<string, TagClass | undefined>> = {
  "#": LinearComment,
  assign: liquidTags["assign"],
  break: liquidTags["break"],
  capture: CaptureTag,
  case: FueledCase,
  comment: liquidTags["comment"],
  continue: liquidTags["continue"],
  cycle: FueledCycle,
  decrement: liquidTags["decrement"],
  echo: liquidTags["echo"],
  for: FueledFor,
  if: liquidTags["if"],
  increment: liquidTags["increment"],
  liquid: LiquidTag,
  raw: liquidTags["raw"],
  tablerow: FueledTablerow,
  unless: liquidTags["unless"],
};

/** Liquid's tags that are refused wherever they stand. */
export const refusedTags: readonly string[] = ["block", "include", "layout", "render"];

/** Registers what templates may use; whatever else Liquid has, now or in a later version, is gone. */
export function registerTags(liquid: Liquid): void {
  for (const name of Object.keys(liquid.tags)) delete liquid.tags[name];
  for (const [name, tag] of Object.entries(allowedTags))
    if (tag !== undefined) liquid.registerTag(name, tag);
  for (const name of refusedTags) liquid.registerTag(name, RefusedTag);
}

/** A loop's collection that is read already, and paid with its copies. */
function* itemsOf(
  collection: Token,
  given: Context,
): Generator<unknown, { collection: unknown }, unknown> {
  const context = fueled(given);
  const items = toItems(context, yield evalToken(collection, context));
  context.fuel.use(items.length * copied);
  const name = collection.getText();
  return { collection: { ...literal(items), getText: () => name } };
}

/** A loop's arguments as numbers, whatever they were: they are used for each item, or each copy. */
function numbersOnly(hash: Hash): { render(context: Context): Run } {
  return {
    *render(context) {
      // Hash.render answers an object of values.
      const found = (yield hash.render(context)) as Record<string, unknown>;
      const { fuel } = fueled(context);
      const values = Object.entries(found).map(([name, given]) => {
        const value: unknown = toValue(given);
        const isFlat = value === true || value === undefined || typeof value === "number";
        return [name, isFlat ? value : Number(textOf(value, fuel))];
      });
      return Object.fromEntries(values);
    },
  };
}

/** A value in the place of an expression. */
function literal(content: unknown): { content: unknown } {
  return { content };
}

/** The tag with other fields; tags are shared by all renderings, so none is written on. */
function variant<Shape extends object>(
  tag: Shape,
  fields: Readonly<Record<string, unknown>>,
): Shape {
  const changed: unknown = Object.create(
    tag,
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { value }])),
  );
  // An object of the tag's own class, by its prototype.
  return changed as Shape;
}
