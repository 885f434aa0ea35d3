import { parseSync, Visitor } from 'vite'
import {
  type Child,
  listJsxChildren,
  findContent,
  getLiteralContent,
  keyOf,
  getTagName,
  collectConstants,
  type Names,
  type Node,
  read,
  findReturnValues,
  findRootElements,
  tagOf,
} from './jsx-content.ts'

/*
 * A page translator replaces every text node with elements, but React still holds a reference to the old node. If React then removes that
 * node, or inserts an element before it, an exception breaks the whole page. These rules find the places where this could happen.
 */

const untranslatedElements = new Set(['option', 'title', 'textarea', 'style', 'script'])

const wrappingComponents = new Set(['Banner', 'BusyButton', 'Button', 'DenseButton', 'SubmitButton'])

/**
 * Returns the places in a source file where React would fail on a translated page, as `line: why: code`.
 * @param path the file's path; its extension determines the syntax
 * @throws if the source cannot be parsed
 */
export function findTranslationFaults(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source)
  if (errors[0]) throw new SyntaxError(`${path}: ${errors[0].message}`)
  const names = collectConstants(program as unknown as Node)
  const faults = new Map<number, string>()
  const note = ({ start }: Node, why: string): void => {
    const line = source.slice(0, start).split('\n').length + (/^\s*\n/.exec(source.slice(start)) ? 1 : 0)
    faults.set(line, `${line}: ${why}: ${source.slice(start).trim().split('\n')[0]}`)
  }
  const checkChildren = (parent: Node): void => {
    if (untranslatedElements.has(tagOf(parent) ?? '') || wrappingComponents.has(tagOf(parent) ?? '')) return
    const children = listJsxChildren(parent, names)
    for (const [at, { node, contents, varies }] of children.entries()) {
      if (!contents.has('text')) continue
      if (isFragment(parent) && isLiteralText(node)) note(node, 'text in a fragment')
      else if (varies && children.length > 1) note(node, 'conditional text beside siblings')
      else if (followsConditional(children, at)) note(node, 'text after a conditional sibling')
    }
  }
  const checkBranches = (branches: Node[]): void => {
    const roots = branches.flatMap(findRootElements)
    for (const [at, root] of roots.entries())
      if (roots.slice(0, at).some((other) => reusesElement(other, root, names))) note(root, 'needs a key of its own')
  }
  new Visitor({
    JSXElement: (node) => checkChildren(read(node)),
    JSXFragment: (node) => checkChildren(read(node)),
    ConditionalExpression(node) {
      checkBranches([read(node)])
      for (const branch of [node.consequent, node.alternate].map(read)) {
        if (branch.type !== 'ArrayExpression') continue
        const items = branch['elements'] as Node[]
        if (!items.some((item) => item.type === 'JSXElement')) continue
        for (const item of items) if (findContent(item, names).contents.has('text')) note(item, 'text in an array')
      }
    },
    FunctionDeclaration(node) {
      const returnValues = findReturnValues(read(node.body))
      checkBranches(returnValues)
      if (!/^[A-Z]/.test(node.id?.name ?? '')) return
      for (const each of returnValues)
        if (findContent(each, names).contents.has('text')) note(each, 'a component that is text')
    },
  }).visit(program)
  return [...faults].toSorted(([one], [other]) => one - other).map(([, fault]) => fault)
}

const isFragment = (node: Node): boolean => node.type === 'JSXFragment' || tagOf(node) === 'Fragment'

/**
 * Returns whether a node comes after a sibling that is rendered conditionally. When that sibling appears, React inserts it before the node.
 */
function followsConditional(children: Child[], at: number): boolean {
  for (const { contents, varies } of children.slice(0, at).toReversed()) {
    if (varies) return true
    if (contents.has('text') || contents.has('element')) return false
  }
  return false
}

/** Returns whether React would reuse one of the elements for the other, and then add or remove text nodes inside it. */
const reusesElement = (one: Node, other: Node, names: Names): boolean =>
  getTagName(one) === getTagName(other) &&
  keyOf(one) === keyOf(other) &&
  (hasTextBesideSiblings(one, names) || hasTextBesideSiblings(other, names))

function hasTextBesideSiblings(node: Node, names: Names): boolean {
  if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') return false
  const children = listJsxChildren(node, names)
  return (
    (children.length > 1 && children.some(({ contents }) => contents.has('text'))) ||
    children.some((child) => hasTextBesideSiblings(child.node, names))
  )
}

function isLiteralText(node: Node): boolean {
  if (node.type === 'ParenthesizedExpression') return isLiteralText(read(node['expression']))
  if (node.type === 'LogicalExpression') return isLiteralText(read(node['right']))
  if (node.type === 'ConditionalExpression')
    return isLiteralText(read(node['consequent'])) || isLiteralText(read(node['alternate']))
  return (
    ['JSXText', 'TemplateLiteral'].includes(node.type) ||
    (node.type === 'Literal' && getLiteralContent(node) === 'text')
  )
}
