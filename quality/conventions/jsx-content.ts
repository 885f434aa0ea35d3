import { Visitor } from 'vite'

const elementFunctions = new Set(['createPortal', 'wrapText'])

export type Node = { type: string; start: number } & Record<string, unknown>

/**
 * The kinds of content that a JSX expression renders. Components count as `component`, because they may also render nothing, and so do
 * values whose type does not allow text.
 */
type Content = 'text' | 'element' | 'component' | 'nothing'
type RenderedContent = { contents: ReadonlySet<Content>; varies: boolean }
export type Child = RenderedContent & { node: Node }

export type Names = { constants: Map<string, Node>; textless: Set<string> }

export const read = (node: unknown): Node => node as Node

export function findRootElements(node: Node): Node[] {
  if (node.type === 'JSXElement') return [node]
  if (node.type === 'ParenthesizedExpression') return findRootElements(read(node['expression']))
  if (node.type === 'LogicalExpression') return findRootElements(read(node['right']))
  if (node.type === 'ConditionalExpression')
    return [read(node['consequent']), read(node['alternate'])].flatMap(findRootElements)
  return []
}

export function findReturnValues(node: Node): Node[] {
  if (node.type === 'ReturnStatement') return node['argument'] ? [read(node['argument'])] : []
  return /Function/.test(node.type) ? [] : listChildNodes(node).flatMap(findReturnValues)
}

const listChildNodes = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((part): part is Node => typeof part === 'object' && part !== null && 'type' in part)

export function listJsxChildren(parent: Node, names: Names): Child[] {
  return (parent['children'] as Node[]).flatMap((node): Child[] => {
    if (node.type === 'JSXText') {
      const text = String(node['value'])
      return isIgnoredWhitespace(text) ? [] : [{ node, ...only(text.trim() === '' ? 'element' : 'text') }]
    }
    const child = node.type === 'JSXExpressionContainer' ? read(node['expression']) : node
    return child.type === 'JSXEmptyExpression' ? [] : [{ node: child, ...findContent(child, names) }]
  })
}

/** JSX does not render white space that includes a line break. */
const isIgnoredWhitespace = (text: string): boolean => text.trim() === '' && text.includes('\n')

const only = (content: Content): RenderedContent => ({ contents: new Set([content]), varies: false })

/** Returns the content that an expression renders. If it cannot be analysed, it counts as text that is always rendered. */
export function findContent(node: Node, names: Names): RenderedContent {
  const of = (part: string): RenderedContent => findContent(read(node[part]), names)
  switch (node.type) {
    case 'JSXElement':
      return only(/^[a-z]/.test(tagOf(node) ?? '') ? 'element' : 'component')
    case 'JSXFragment':
      return mergeContents(listJsxChildren(node, names))
    case 'ArrayExpression':
      return mergeContents((node['elements'] as Node[]).map((each) => findContent(each, names)))
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return of('expression')
    case 'Literal':
      return only(getLiteralContent(node))
    case 'LogicalExpression':
      return node['operator'] === '&&' ? { ...of('right'), varies: true } : mergeBranches(node, of('left'), of('right'))
    case 'ConditionalExpression':
      return mergeBranches(node, of('consequent'), of('alternate'))
    case 'CallExpression':
      return getCallContent(node, names)
    case 'Identifier':
      return findIdentifierContent(String(node['name']), names)
    default:
      return only('text')
  }
}

const mergeContents = (parts: RenderedContent[]): RenderedContent => ({
  contents: new Set(parts.flatMap(({ contents }) => [...contents])),
  varies: parts.some(({ varies }) => varies),
})

/** Returns the content that a literal renders. White space counts as an element, because a page translator leaves it alone. */
export function getLiteralContent({ value }: Node): Content {
  if (typeof value === 'number') return 'text'
  if (typeof value !== 'string' || value === '') return 'nothing'
  return value.trim() === '' ? 'element' : 'text'
}

function mergeBranches(node: Node, one: RenderedContent, other: RenderedContent): RenderedContent {
  const contents = new Set([...one.contents, ...other.contents])
  const isOneElement =
    contents.size === 1 && new Set(findRootElements(node).map((root) => getTagName(root) + keyOf(root))).size < 2
  return { contents, varies: one.varies || other.varies || !isOneElement }
}

function findIdentifierContent(name: string, names: Names): RenderedContent {
  if (name === 'undefined') return only('nothing')
  if (names.textless.has(name)) return { contents: new Set(['component']), varies: true }
  const known = names.constants.get(name)
  return known && !isFunction(known) ? findContent(known, names) : only('text')
}

/**
 * Returns the content that a function call renders. `map` and `flatMap` render any number of items. A call to a function declared in the
 * same file renders whatever that function returns.
 */
function getCallContent(node: Node, names: Names): RenderedContent {
  const callee = read(node['callee'])
  const method = callee.type === 'MemberExpression' ? String(read(callee['property'])['name']) : ''
  if (method === 'map' || method === 'flatMap')
    return { contents: getFunctionContent(read((node['arguments'] as Node[])[0]), names).contents, varies: true }
  const name = String(callee['name'])
  if (elementFunctions.has(name) || names.textless.has(name)) return { contents: new Set(['component']), varies: true }
  const calledConstant = names.constants.get(name)
  return calledConstant && isFunction(calledConstant) ? getFunctionContent(calledConstant, names) : only('text')
}

const isFunction = ({ type }: Node): boolean => type.includes('Function')

function getFunctionContent(render: Node, names: Names): RenderedContent {
  const body = render['body'] as Node | undefined
  if (!body) return only('component')
  if (body.type !== 'BlockStatement') return findContent(body, names)
  const contents = new Set(findReturnValues(body).flatMap((each) => [...findContent(each, names).contents]))
  return { contents, varies: contents.size !== 1 || !contents.has('text') }
}

/**
 * Collects a file's constants and all names whose type is `TextFreeNode`. The compiler ensures that a value of that type contains no
 * text.
 */
export function collectConstants(program: Node): Names {
  const names: Names = { constants: new Map(), textless: new Set() }
  new Visitor({
    FunctionDeclaration(node) {
      if (node.id) names.constants.set(node.id.name, read(node))
    },
    VariableDeclarator(node) {
      if (node.id.type !== 'Identifier') return
      if (node.init) names.constants.set(node.id.name, read(node.init))
      if (isElementType(node.id.typeAnnotation)) names.textless.add(node.id.name)
    },
    TSPropertySignature(node) {
      if (node.key.type === 'Identifier' && isElementType(node.typeAnnotation)) names.textless.add(node.key.name)
    },
  }).visit(program as never)
  return names
}

function isElementType(annotation: unknown): boolean {
  const type = annotation ? read(read(annotation)['typeAnnotation']) : null
  if (type?.type === 'TSFunctionType') return isElementType(type['returnType'])
  return type?.type === 'TSTypeReference' && read(type['typeName'])['name'] === 'TextFreeNode'
}

export function tagOf(node: Node): string | null {
  const name = getOpeningElement(node)?.['name'] as Node | undefined
  return name?.type === 'JSXIdentifier' ? String(name['name']) : null
}

const getOpeningElement = (node: Node): Node | undefined => node['openingElement'] as Node | undefined

export const getTagName = (node: Node): string => tagOf(node) ?? 'a member'

export function keyOf(node: Node): string {
  const attributes = (getOpeningElement(node)?.['attributes'] ?? []) as Node[]
  const value = attributes.find((each) => read(each['name'] ?? {})['name'] === 'key')?.['value']
  return value ? String(read(value)['value'] ?? read(value).start) : ''
}
