import { parseSync, Visitor, type Plugin } from 'vite'

// A caller needs the method and the path. The rest is read by the server and the documentation, and the schemas of calls and
// answers would be in the script of every page that makes one: a form takes that of what is typed from the contract by its own name.
export const unread = new Set([
  'summary',
  'params',
  'query',
  'body',
  'output',
  'statuses',
  'cache',
  'csrf',
  'clearsBrowser',
  'maxBytes',
  'tooLarge',
])

/** Leaves out of the browser's `*.contract.ts` what a browser does not read. */
export function browserContracts(): Plugin {
  return {
    name: 'browser-contracts',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(code, id) {
      return id.endsWith('.contract.ts') ? { code: withoutUnread(code), map: null } : null
    },
  }
}

/** The source of a contract, its `endpoint({…})` declarations reduced to what a caller needs. */
export function withoutUnread(code: string): string {
  const declarations: { start: number; end: number; kept: string }[] = []
  new Visitor({
    CallExpression({ callee, arguments: [declaration] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'endpoint' || declaration?.type !== 'ObjectExpression') return
      const read = declaration.properties.filter(
        (property) =>
          property.type !== 'Property' || property.key.type !== 'Identifier' || !unread.has(property.key.name),
      )
      const kept = `{ ${read.map(({ start, end }) => code.slice(start, end)).join(', ')} }`
      declarations.push({ start: declaration.start, end: declaration.end, kept })
    },
  }).visit(parseSync('contract.ts', code).program)
  return declarations.reduceRight(
    (result, { start, end, kept }) => result.slice(0, start) + kept + result.slice(end),
    code,
  )
}
