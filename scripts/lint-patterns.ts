// A rule for oxlint: `new RegExp(text)` is a pattern that no linter reads, and perhaps one from outside.

interface Call {
  callee: { type: string; name?: string };
  arguments: readonly { type: string; value?: unknown }[];
}

interface Context {
  report(problem: { node: Call; message: string }): void;
}

const message =
  "A pattern is built from a text. Write a literal and compare what it captures, or use indexOf; " +
  "if the text is our own, say so where the rule is disabled.";

const noBuiltPattern = {
  create(context: Context) {
    const check = (node: Call): void => {
      const [pattern] = node.arguments;
      if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return;
      if (pattern?.type !== "Literal") context.report({ node, message });
    };
    return { NewExpression: check, CallExpression: check };
  },
};

export default { meta: { name: "patterns" }, rules: { "no-built-pattern": noBuiltPattern } };
