import {
  codeOf,
  type Declaration,
  type LanguageRules,
  defineLanguage,
} from "../tree/language-rules.ts";
import { type SyntaxNode, childOf } from "../tree/syntax-tree.ts";

/** The grammar of C++ reads C, too. */
export const cpp = defineLanguage({
  language: "cpp",
  ids: ["cpp", "c++", "objectivec", "cuda-cpp", "arduino"],
  endings: ["cpp", "cc", "cxx", "hpp", "hh", "hxx", "cppm", "ixx", "ino", "cu"],
  symbols: [
    ["function_definition", "function", { read: readFunction }],
    ["declaration", "variable", { read: readDeclarators }],
    ["field_declaration", "property", { read: readDeclarators }],
    ["type_definition", "type", { read: readTypedef }],
    ["alias_declaration concept_definition", "type"],
    // `struct item` declares something only where its body is.
    ["struct_specifier union_specifier", "struct", { needs: "body" }],
    ["class_specifier", "class", { needs: "body" }],
    ["enum_specifier", "enum", { needs: "body" }],
    ["namespace_definition", "module"],
    ["preproc_def", "variable"],
    ["preproc_function_def", "function"],
  ],
  // The grammar leaves `// ...` in the text of a macro.
  commentsAtEnd: {
    preproc_arg: /^(?:[^"'/]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/(?!\/))*(\/\/[^]*)$/,
  },
  docComment: /^\/[/*]/,
  imports: [
    ["preproc_include", "path"],
    ["using_declaration", "qualified_identifier identifier"],
  ],
});

export const c: LanguageRules = { ...cpp, language: "c", ids: ["c"], endings: ["c", "h"] };

/** The declarator around a name, and the name: `*f(int)` has the function inside of the pointer. */
function unwrap(node: SyntaxNode | undefined) {
  let call: SyntaxNode | undefined;
  let name = node;
  for (let inner = node; inner !== undefined;) {
    name = inner;
    // `int (*f)(int)` is a variable, for its innermost declarator is a pointer.
    if (inner.type === "function_declarator") call = inner;
    else if (/^(?:pointer|reference|array)_declarator$/.test(inner.type)) call = undefined;
    inner =
      childOf(inner, "declarator") ??
      (inner.type.endsWith("_declarator")
        ? inner.children.find(({ type }) => /(?:identifier|_declarator|_name)$/.test(type))
        : undefined);
  }
  return { name, call };
}

/** `shop::Cart::total`: the last part is the name, the others the owner. */
function split(node: SyntaxNode): { nameNode: SyntaxNode; owner?: string } {
  const scopes: string[] = [];
  let nameNode = node;
  while (nameNode.type === "qualified_identifier") {
    scopes.push(codeOf(childOf(nameNode, "scope")).split("<", 1)[0] ?? "");
    nameNode = childOf(nameNode, "name") ?? nameNode.children.at(-1) ?? nameNode;
  }
  const owner = scopes.filter(Boolean).join(".");
  return { nameNode, ...(owner === "" ? {} : { owner }) };
}

function readFunction(node: SyntaxNode): Declaration | undefined {
  const { name } = unwrap(childOf(node, "declarator"));
  if (name === undefined) return undefined;
  const named = split(name);
  const type = named.owner?.split(".").at(-1) ?? classAround(node);
  const isConstructor = childOf(node, "type") === undefined && codeOf(named.nameNode) === type;
  return { kind: isConstructor ? "constructor" : "function", ...named };
}

function classAround(node: SyntaxNode): string | undefined {
  const block = node.parent?.type === "template_declaration" ? node.parent.parent : node.parent;
  const around = block?.type === "field_declaration_list" ? block.parent : undefined;
  return around === undefined ? undefined : codeOf(childOf(around, "name"));
}

/** `int a, *b;` and prototypes. */
function readDeclarators(node: SyntaxNode): Declaration[] {
  const declarators = node.children.filter(({ field }) => field === "declarator");
  return declarators.flatMap((declarator): Declaration[] => {
    const { name, call } = unwrap(declarator);
    if (name === undefined || !/(?:identifier|_name)$/.test(name.type)) return [];
    const named = split(name);
    const isConstructor = codeOf(named.nameNode) === classAround(node);
    const kind = call === undefined ? "variable" : isConstructor ? "constructor" : "function";
    return [{ kind, ...named, ...(declarators.length > 1 && { node: declarator }) }];
  });
}

function readTypedef(node: SyntaxNode): Declaration | undefined {
  const { name: nameNode } = unwrap(childOf(node, "declarator"));
  const type = childOf(node, "type");
  if (nameNode === undefined || codeOf(childOf(type, "name")) === codeOf(nameNode))
    return undefined;
  if (type === undefined || childOf(type, "body") === undefined) return { kind: "type", nameNode };
  const isEnum = type.type === "enum_specifier";
  return { kind: isEnum ? "enum" : "struct", nameNode, callable: type };
}
