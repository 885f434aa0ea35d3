import { parseSync, Visitor, type Plugin } from 'vite'

/*
 * Properties of endpoint declarations that only the server and the documentation read; the build strips them from
 * browser code. The browser needs only an endpoint's method and path. If these properties stayed, every page that calls
 * an endpoint would also load the endpoint's request and response schemas. A form imports its input schema from the
 * contract by name instead.
 */
export const unusedProperties = new Set([
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

export function browserContracts(): Plugin {
  return {
    name: 'browser-contracts',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(code, id) {
      return id.endsWith('.contract.ts') ? { code: removeUnusedProperties(code), map: null } : null
    },
  }
}

export function removeUnusedProperties(code: string): string {
  const declarations: { start: number; end: number; kept: string }[] = []
  new Visitor({
    CallExpression({ callee, arguments: [declaration] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'endpoint' || declaration?.type !== 'ObjectExpression') return
      const read = declaration.properties.filter(
        (property) =>
          property.type !== 'Property' ||
          property.key.type !== 'Identifier' ||
          !unusedProperties.has(property.key.name),
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
