// What is particular to each language that a grammar reads.
import type { SymbolKind } from "./code-analysis.ts";
import {
  codeOf,
  type Declaration,
  defineLanguage,
  kindOfValue,
  type LanguageRules,
} from "./tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType, namedChildren } from "./tree/syntax-tree.ts";

export const javascript = defineLanguage({
  language: "javascript",
  ids: ["javascript", "javascriptreact", "ecmascript 6", "jsx", "jsx harmony", "js", "node"],
  endings: ["js", "jsx", "mjs", "cjs"],
  symbols: [
    ["function_declaration generator_function_declaration function_signature", "function"],
    ["class_declaration abstract_class_declaration", "class"],
    ["interface_declaration", "interface"],
    ["enum_declaration", "enum"],
    ["type_alias_declaration", "type", { isLocalIgnored: true }],
    ["internal_module module", "module"],
    ["method_definition", "method", { constructorName: "constructor" }],
    ["method_signature abstract_method_signature", "method"],
    ["property_signature", "property"],
    ["public_field_definition field_definition", "property", { name: "name property" }],
    ["variable_declarator", "variable"],
    ["pair", "method", { name: "key", isFunction: true }],
    ["assignment_expression", "function", { read: readAssignment }],
    ["export_statement", "variable", { read: readDefault }],
  ],
  directives: [
    { pattern: /[@#]__\w+__|\b(?:webpack|turbopack)[A-Z]\w*\s*:|@vite-ignore/ },
    { pattern: /^\/\*[\s*]*@jsx|@(?:jsxImportSource|jsxRuntime|jsxFrag)\b/ },
    { pattern: /^\/\/\/\s*<|@(?:vitest|jest)-environment\b/ },
  ],
  docComment: /^\/\*\*(?!\/)/,
  imports: [
    ["import_statement export_statement import_require_clause", "source"],
    ["variable_declarator", readRequire],
  ],
});

export const typescript: LanguageRules = {
  ...javascript,
  language: "typescript",
  grammar: "typescript",
  ids: ["typescript", "ts"],
  endings: ["ts", "mts", "cts"],
};

const tsx: LanguageRules = {
  ...javascript,
  language: "tsx",
  grammar: "tsx",
  ids: ["typescriptreact", "typescript jsx", "tsx"],
  endings: ["tsx"],
};

/** `exports.name = function` and `Type.prototype.name = function`. */
function readAssignment(node: SyntaxNode): Declaration | undefined {
  const callable = childOf(node, "right");
  const left = childOf(node, "left");
  const nameNode = childOf(left, "property");
  if (callable === undefined || nameNode === undefined) return undefined;
  if (node.parent?.type !== "expression_statement") return undefined;
  const kind = kindOfValue(callable);
  const owner = codeOf(childOf(left, "object"));
  if (kind === "variable") return undefined;
  if (/^(?:module\.)?exports$/.test(owner)) return { kind, nameNode, callable };
  const type = /^([\p{L}\w$]+)\.prototype$/u.exec(owner)?.[1];
  return type === undefined ? undefined : { kind: "method", nameNode, callable, owner: type };
}

/** What `export default` gives without a name. */
function readDefault(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOfType(node, "default");
  const callable = childOf(node, "value");
  if (nameNode === undefined || callable === undefined || callable.type === "identifier")
    return undefined;
  return { kind: kindOfValue(callable), nameNode, callable };
}

function readRequire(node: SyntaxNode): string[] {
  const value = childOf(node, "value");
  const isCall = value?.type === "call_expression";
  const source = childOfType(childOf(value, "arguments"), "string");
  const isImport = isCall && codeOf(childOf(value, "function")) === "require";
  return isImport && source !== undefined ? [codeOf(source)] : [];
}

const python = defineLanguage({
  language: "python",
  ids: ["python", "py"],
  endings: ["py", "pyi", "pyw"],
  symbols: [
    ["function_definition", "function", { constructorName: "__init__" }],
    ["class_definition", "class"],
    [
      "assignment",
      "variable",
      {
        name: "left",
        nameType: "identifier",
        within: "expression_statement",
      },
    ],
    ["type_alias_statement", "type", { name: "left" }],
  ],
  // PEP 263, and the compiler's settings of Cython.
  directives: [
    { pattern: /coding[:=]\s*[-\w.]+/, lastLine: 2 },
    { pattern: /^#\s*(?:cython|distutils)\s*:/ },
  ],
  docComment: /^#/,
  // Bytes are no text, and a string with values in it runs.
  docstring: /^[ru]?["']/i,
  imports: [
    ["import_statement", readPythonImport],
    ["import_from_statement future_import_statement", "module_name __future__"],
  ],
});

function readPythonImport(node: SyntaxNode): string[] {
  const items = node.children.filter(({ field }) => field === "name");
  return items.map((item) => codeOf(childOf(item, "name") ?? item));
}

const kindsOfGoTypes: Readonly<Record<string, SymbolKind>> = {
  struct_type: "struct",
  interface_type: "interface",
};

export const go = defineLanguage({
  language: "go",
  ids: ["go", "golang"],
  endings: ["go"],
  symbols: [
    ["function_declaration", "function"],
    ["method_declaration method_elem", "method"],
    ["type_spec", "type", { read: readGoType }],
    ["type_alias", "type"],
    ["field_declaration", "property"],
    ["const_spec var_spec", "variable"],
    ["short_var_declaration", "function", { name: "left", isFunction: true }],
  ],
  ownerOf: ownerOfReceiver,
  directives: [
    { pattern: /^\/[/*](?:go:|line |export |extern |\s*\+build )/ },
    // What is above the import of "C" is compiled as C.
    { pattern: /^/, above: /^[ \t]*(?:import[ \t]*)?(?:\([ \t]*)?"C"[ \t;)]*$/m },
  ],
  docComment: /^\/(?:\/(?!go:)|\*)/,
  imports: [["import_spec", "path"]],
  binds: "path",
});

function ownerOfReceiver(node: SyntaxNode): string | undefined {
  const receiver = childOfType(childOf(node, "receiver"), "parameter_declaration");
  return /[\p{L}\w]+/u.exec(codeOf(childOf(receiver, "type")))?.[0];
}

function readGoType(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "name");
  const type = childOf(node, "type");
  const kind = kindsOfGoTypes[type?.type ?? ""] ?? "type";
  if (nameNode === undefined || type === undefined) return undefined;
  return kind === "type" ? { kind, nameNode } : { kind, nameNode, callable: type };
}

export const java = defineLanguage({
  language: "java",
  ids: ["java"],
  endings: ["java"],
  symbols: [
    ["class_declaration record_declaration", "class"],
    ["interface_declaration annotation_type_declaration", "interface"],
    ["enum_declaration", "enum"],
    ["constructor_declaration compact_constructor_declaration", "constructor"],
    ["method_declaration annotation_type_element_declaration", "method"],
    ["variable_declarator", "property", { within: "field_declaration constant_declaration" }],
  ],
  // Escapes are read before comments are: one may end the line, or the comment.
  directives: [{ pattern: /\\u+[\da-f]{4}/i }],
  docComment: /^\/\*\*(?!\/)/,
  imports: [["import_declaration", readJavaImport]],
});

function readJavaImport(node: SyntaxNode): string[] {
  const isAll = childOfType(node, "asterisk") !== undefined;
  const path = codeOf(childOfType(node, "scoped_identifier", "identifier"));
  return [isAll ? `${path}.*` : path];
}

const rust = defineLanguage({
  language: "rust",
  ids: ["rust", "rs"],
  endings: ["rs"],
  symbols: [
    ["function_item function_signature_item", "function"],
    ["struct_item union_item", "struct"],
    ["enum_item", "enum"],
    ["trait_item", "trait"],
    ["type_item associated_type", "type"],
    ["mod_item", "module"],
    ["const_item static_item", "variable"],
    ["field_declaration", "property"],
    ["macro_definition", "function"],
    ["let_declaration", "function", { name: "pattern", nameType: "identifier", isFunction: true }],
  ],
  ownerOf: ownerOfImpl,
  docComment: /^\/\/\/(?!\/)|^\/\*\*(?![*/])/,
  imports: [
    ["use_declaration", (node) => readRustUse(childOf(node, "argument"))],
    ["extern_crate_declaration", "name"],
  ],
});

/** The `impl` block that a node is a member of. */
function implOf(node: SyntaxNode): SyntaxNode | undefined {
  const block = node.parent?.parent;
  return block?.type === "impl_item" ? block : undefined;
}

function ownerOfImpl(node: SyntaxNode): string | undefined {
  const type = codeOf(childOf(implOf(node), "type"));
  return /(?<![\p{L}\w])[\p{L}\w]+(?=[<\s]|$)/u.exec(type)?.[0];
}

function readRustUse(node: SyntaxNode | undefined): string[] {
  if (node?.type === "use_list") return namedChildren(node).flatMap((item) => readRustUse(item));
  return [codeOf(childOf(node, "list", "alias") === undefined ? node : childOf(node, "path"))];
}

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
function splitScopes(node: SyntaxNode): { nameNode: SyntaxNode; owner?: string } {
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
  const named = splitScopes(name);
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
    const named = splitScopes(name);
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

const csharp = defineLanguage({
  language: "csharp",
  grammar: "c-sharp",
  ids: ["csharp", "c#", "cs"],
  endings: ["cs", "csx"],
  symbols: [
    ["namespace_declaration file_scoped_namespace_declaration", "module"],
    ["class_declaration", "class"],
    ["record_declaration", "class", { kindOf: kindOfRecord }],
    ["struct_declaration", "struct"],
    ["interface_declaration", "interface"],
    ["enum_declaration", "enum"],
    ["delegate_declaration", "type"],
    ["constructor_declaration", "constructor"],
    ["destructor_declaration", "method", { prefix: "~" }],
    ["method_declaration", "method"],
    ["local_function_statement", "function"],
    // `operator ==` and `this[...]` are named by the sign.
    ["operator_declaration", "method", { name: "operator", prefix: "operator " }],
    ["indexer_declaration", "property", { nameType: "this" }],
    ["property_declaration", "property"],
    ["variable_declarator", "property", { within: "field_declaration event_field_declaration" }],
  ],
  docComment: /^\/\/\/|^\/\*\*(?!\/)/,
  // An alias comes before it.
  imports: [["using_directive", (node) => [codeOf(namedChildren(node).at(-1))]]],
  binds: "alias",
});

function kindOfRecord(node: SyntaxNode): SymbolKind {
  return childOfType(node, "struct") === undefined ? "class" : "struct";
}

const ruby = defineLanguage({
  language: "ruby",
  ids: ["ruby", "rb"],
  endings: ["rb", "rake", "gemspec", "ru"],
  symbols: [
    ["module", "module"],
    ["class", "class"],
    ["method", "method", { constructorName: "initialize", kindOf: kindOfMethod }],
    ["singleton_method", "method"],
    ["assignment", "variable", { name: "left", nameType: "constant" }],
  ],
  directives: [
    { pattern: /coding\s*[:=]/, lastLine: 2 },
    { pattern: /(?:frozen.string.literal|warn.indent|shareable.constant.value)\s*:/i },
  ],
  docComment: /^#(?!!)|^=begin/,
  imports: [["call", readRubyImport]],
});

function readRubyImport(node: SyntaxNode): string[] {
  const source = childOfType(childOf(node, "arguments"), "string");
  const isImport = /^(?:require|require_relative|load)$/.test(codeOf(childOf(node, "method")));
  return isImport && source !== undefined ? [codeOf(source)] : [];
}

function kindOfMethod({ parent }: SyntaxNode): SymbolKind {
  const isMember = /^(?:body_statement|class|module|singleton_class)$/.test(parent?.type ?? "");
  return isMember ? "method" : "function";
}

const php = defineLanguage({
  language: "php",
  ids: ["php"],
  endings: ["php", "phtml", "php5", "phps"],
  symbols: [
    // `namespace A;` speaks of the whole file, and holds nothing.
    ["namespace_definition", "module", { needs: "body" }],
    ["class_declaration", "class"],
    ["interface_declaration", "interface"],
    ["trait_declaration", "trait"],
    ["enum_declaration", "enum"],
    ["function_definition", "function"],
    ["method_declaration", "method", { constructorName: "__construct" }],
    ["const_element", "variable", { nameType: "name" }],
    ["property_element", "property", { read: readProperty }],
    [
      "assignment_expression",
      "function",
      { name: "left", nameType: "variable_name", isFunction: true },
    ],
  ],
  docComment: /^\/\*\*(?!\/)/,
  imports: [
    ["namespace_use_declaration", readPhpUse],
    [
      "require_once_expression require_expression include_once_expression include_expression",
      "string encapsed_string",
    ],
  ],
});

function readProperty(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "name");
  return nameNode && { kind: "property", nameNode, name: codeOf(nameNode).replace("$", "") };
}

function readPhpUse(node: SyntaxNode): string[] {
  if (childOf(node, "body") !== undefined) return [codeOf(childOfType(node, "namespace_name"))];
  return namedChildren(node)
    .filter(({ type }) => type === "namespace_use_clause")
    .map((clause) => codeOf(namedChildren(clause).find(({ field }) => field !== "alias")));
}

/** Every language that a grammar reads. */
export const languages: readonly LanguageRules[] = [
  javascript,
  typescript,
  tsx,
  python,
  go,
  java,
  rust,
  c,
  cpp,
  csharp,
  ruby,
  php,
];
