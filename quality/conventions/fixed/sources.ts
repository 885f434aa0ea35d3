import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'

export type Source = {
  path: string
  program: ESTree.Program
  /**
   * The initial values of variables and the bodies of functions, by name and from all scopes. A name is left out if a parameter has the
   * same name.
   */
  values: Map<string, ESTree.Node[]>
  types: Map<string, ESTree.Node>
  imports: Map<string, { file: string; name: string }>
}
export type Sources = ReadonlyMap<string, Source>

export function readSources(): Sources {
  const paths = globSync('{app,conformance,demo,deploy,desk,features,kit,operator,providers}/**/*.{ts,tsx,js}')
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/\.(test|d)\.tsx?$/.test(path))
  return new Map(paths.map((path) => [path, parse(path, readFileSync(path, 'utf8'))]))
}

function parse(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new SyntaxError(`${path}: ${errors[0].message}`)
  const source: Source = { path, program, values: new Map(), types: new Map(), imports: new Map() }
  const { values, types, imports } = source
  const parameters = new Set<string>()
  const add = (name: string, value: ESTree.Node): void => void values.set(name, [...(values.get(name) ?? []), value])
  const recordParameters = ({ params }: { params: readonly ESTree.Node[] }) => addBindings(params, parameters)
  new Visitor({
    VariableDeclarator: ({ id, init }) => void (id.type === 'Identifier' && init && add(id.name, init)),
    FunctionDeclaration(declaration) {
      if (declaration.id && declaration.body) add(declaration.id.name, declaration.body)
      recordParameters(declaration)
    },
    FunctionExpression: recordParameters,
    ArrowFunctionExpression: recordParameters,
    TSTypeAliasDeclaration: ({ id, typeAnnotation }) => void types.set(id.name, typeAnnotation),
    TSInterfaceDeclaration: ({ id, body }) => void types.set(id.name, body),
    ImportDeclaration({ source: from, specifiers }) {
      for (const each of specifiers)
        if (each.type === 'ImportSpecifier' && each.imported.type === 'Identifier')
          imports.set(each.local.name, { file: resolveFile(path, from.value), name: each.imported.name })
    },
  }).visit(program)
  const moduleNames = new Set(program.body.flatMap(listDeclaredNames))
  for (const name of parameters) if (!moduleNames.has(name)) values.delete(name)
  return source
}

const listDeclaredNames = (statement: ESTree.Node): string[] => {
  if (statement.type === 'ExportNamedDeclaration')
    return statement.declaration ? listDeclaredNames(statement.declaration) : []
  if (statement.type === 'FunctionDeclaration') return [getNodeName(statement.id)]
  return statement.type === 'VariableDeclaration' ? statement.declarations.map(({ id }) => getNodeName(id)) : []
}

function addBindings(nodes: readonly (ESTree.Node | null)[], names: Set<string>): void {
  for (const node of nodes)
    if (node?.type === 'Identifier') names.add(node.name)
    else if (node?.type === 'AssignmentPattern') addBindings([node.left], names)
    else if (node?.type === 'RestElement') addBindings([node.argument], names)
    else if (node?.type === 'Property') addBindings([node.value], names)
    else if (node?.type === 'ArrayPattern') addBindings(node.elements, names)
    else if (node?.type === 'ObjectPattern') addBindings(node.properties, names)
}

const resolveFile = (importer: string, specifier: string): string =>
  specifier.startsWith('#') ? specifier.slice(1) : posix.join(posix.dirname(importer), specifier)

export function findDeclaration<T>(
  sources: Sources,
  source: Source,
  name: string,
  find: (source: Source, name: string) => T | undefined,
): { source: Source; found: T } | null {
  const here = find(source, name)
  if (here) return { source, found: here }
  const importedName = source.imports.get(name)
  const there = importedName && sources.get(importedName.file)
  return there ? findDeclaration(sources, there, importedName.name, find) : null
}

const maxDepth = 6

/**
 * Returns every string that an expression may evaluate to. It follows variables and functions declared or imported by the file. `{}` stands
 * for a part that is known only at run time, as in `reset:{}`.
 */
export function listPossibleTexts(
  sources: Sources,
  source: Source,
  node: ESTree.Node | null | undefined,
  depth = 0,
): string[] {
  if (!node || depth > maxDepth) return []
  const of = (each: ESTree.Node | null | undefined) => listPossibleTexts(sources, source, each, depth + 1)
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : []
    case 'TemplateLiteral':
      return expandTemplate(node, of)
    case 'Identifier': {
      const found = findDeclaration(sources, source, node.name, (file, name) => file.values.get(name))
      return found ? found.found.flatMap((value) => listPossibleTexts(sources, found.source, value, depth + 1)) : []
    }
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(of)
    case 'LogicalExpression':
      return [node.left, node.right].flatMap(of)
    case 'CallExpression':
      return [...(node.callee.type === 'Identifier' ? of(node.callee) : []), ...node.arguments.flatMap(of)]
    case 'ArrayExpression':
      return node.elements.flatMap(of)
    case 'ArrowFunctionExpression':
      return of(node.body)
    case 'BlockStatement':
      return node.body.flatMap(of)
    case 'ReturnStatement':
      return of(node.argument)
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
    case 'SpreadElement':
      return of('expression' in node ? node.expression : node.argument)
    default:
      return []
  }
}

function expandTemplate(
  { quasis, expressions }: ESTree.TemplateLiteral,
  of: (node: ESTree.Node) => string[],
): string[] {
  return quasis.reduce<string[]>(
    (texts, { value: { cooked } }, index) => {
      const previousExpression = expressions[index - 1]
      const known =
        previousExpression?.type === 'Identifier' || previousExpression?.type === 'ConditionalExpression'
          ? of(previousExpression)
          : []
      const parts = index === 0 ? [''] : known.length > 0 ? known : ['{}']
      return texts.flatMap((text) => parts.map((part) => `${text}${part}${cooked}`))
    },
    [''],
  )
}

export function getNodeName(node: ESTree.Node | null | undefined): string {
  if (!node) return ''
  if (node.type === 'Identifier') return node.name
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : ''
  if (node.type === 'MemberExpression') return getNodeName(node.property)
  return node.type === 'ChainExpression' ? getNodeName(node.expression) : ''
}
