// Rules for oxlint. `new RegExp(text)` is a pattern that no linter reads, and perhaps one from outside. In readers of texts
// from outside a loop shows that it goes on, or src/base/text/progress.ts repeats its step.

interface Call {
  callee: { type: string; name?: string };
  arguments: readonly { type: string; value?: unknown }[];
}

interface Context<Node> {
  report(problem: { node: Node; message: string }): void;
}

const message =
  "A pattern is built from a text. Write a literal and compare what it captures, or use indexOf; " +
  "if the text is our own, say so where the rule is disabled.";

const noBuiltPattern = {
  create(context: Context<Call>) {
    const check = (node: Call): void => {
      const [pattern] = node.arguments;
      if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return;
      if (pattern?.type !== "Literal") context.report({ node, message });
    };
    return { NewExpression: check, CallExpression: check };
  },
};

interface Step {
  type: string;
  operator?: string;
  expression?: Step;
  right?: { type: string; arguments?: readonly { type: string }[] };
}

interface Loop {
  update?: Step | null;
  body: Step & { body?: readonly Step[] };
}

const loose =
  "This loop does not show that it goes on. Count with += or ++, or have advance or PieceLoop of " +
  "src/base/text/progress.ts repeat the step.";

const noLooseLoop = {
  create(context: Context<Loop>) {
    const check = (node: Loop): void => {
      const { update, body } = node;
      const steps = [update, body.expression, ...(body.body ?? []).map((each) => each.expression)];
      if (!steps.some(goesOn)) context.report({ node, message: loose });
    };
    return { ForStatement: check, WhileStatement: check, DoWhileStatement: check };
  },
};

/** `at += 1`, `at++`, `from = at + 1`, or `at = text.indexOf(sign, at + 1)`. */
function goesOn(step: Step | null | undefined): boolean {
  if (step?.type === "UpdateExpression") return true;
  if (step?.type !== "AssignmentExpression") return false;
  const isSum = (part: Step["right"]): boolean => part?.type === "BinaryExpression";
  return step.operator !== "=" || isSum(step.right) || isSum(step.right?.arguments?.at(-1));
}

export default {
  meta: { name: "patterns" },
  rules: { "no-built-pattern": noBuiltPattern, "no-loose-loop": noLooseLoop },
};
