import { type Node, type ParseError, parseTree } from 'jsonc-parser'

/** Lines and columns count from 1. */
type Position = { line: number; column: number }

/** Finds places in a JSON text. All results are `null` or empty if the text is nested too deeply. */
export type JsonPositions = {
  /** Returns the line of the value at a path such as `3.price_cents`, or of the nearest object or list around it if it is missing. */
  findLine(path: string): number | null
  /** Returns the paths of keys that occur more than once in the same object. JSON.parse silently uses the last value. */
  findRepeatedKeys(): string[]
  findSyntaxError(): Position | null
}

export function locateJson(text: string): JsonPositions {
  const { root, error } = tryParseTree(text)
  const positionOf = createLineIndex(text)
  return {
    findLine: (path) => (root ? positionOf(findNode(root, path.split('.')).offset).line : null),
    findRepeatedKeys: () => (root ? listRepeatedKeys(root, '') : []),
    findSyntaxError: () => (error ? positionOf(error.offset) : null),
  }
}

function tryParseTree(text: string): { root?: Node | undefined; error?: ParseError | undefined } {
  const errors: ParseError[] = []
  try {
    const root = parseTree(text, errors, { disallowComments: true })
    return { root, error: errors[0] }
  } catch (error) {
    // The parser is recursive, so deeply nested brackets exceed the size of the stack.
    if (error instanceof RangeError) return {}
    throw error
  }
}

function findNode(root: Node, path: readonly string[]): Node {
  let value = root
  let found = root
  for (const key of path) {
    const child = findChild(value, key)
    if (!child) break
    found = child
    value = child.type === 'property' ? valueOf(child) : child
  }
  return found
}

function findChild({ type, children = [] }: Node, key: string): Node | undefined {
  if (type === 'array') return children[Number(key)]
  return type === 'object' ? children.findLast((property) => keyOf(property) === key) : undefined
}

const keyOf = ({ children }: Node): string => String(children?.[0]?.value)

const valueOf = (property: Node): Node => property.children?.[1] ?? property

function listRepeatedKeys({ type, children = [] }: Node, path: string): string[] {
  const join = (key: string | number): string => (path === '' ? String(key) : `${path}.${key}`)
  if (type === 'array') return children.flatMap((child, index) => listRepeatedKeys(child, join(index)))
  if (type !== 'object') return []
  const counts = Map.groupBy(children, keyOf)
  return [
    ...[...counts].flatMap(([key, properties]) => (properties.length > 1 ? [join(key)] : [])),
    ...children.flatMap((property) => listRepeatedKeys(valueOf(property), join(keyOf(property)))),
  ]
}

/** Creates a function that turns an offset into a position. It searches a list of the lines' beginnings. */
function createLineIndex(text: string): (offset: number) => Position {
  const starts = [0, ...text.matchAll(/\n/g).map(({ index }) => index + 1)]
  return (offset) => {
    let [first, last] = [0, starts.length - 1]
    while (first < last) {
      const middle = Math.ceil((first + last) / 2)
      if ((starts[middle] ?? 0) > offset) last = middle - 1
      else first = middle
    }
    return { line: first + 1, column: offset - (starts[first] ?? 0) + 1 }
  }
}
