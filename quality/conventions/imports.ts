import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import { parseSync, Visitor } from 'vite'

type Target = { file: string } | { node: string } | { npm: string }

/**
 * Returns everything that a source file depends on: imports and re-exports of values and types, `import()`, `import('…').Type` and `declare
 * module '…'`. A computed `import()` is left out, because its target is unknown.
 * @param path path from the root of the repository, with forward slashes
 * @throws if the source cannot be parsed
 */
export function listImports(path: string, source: string): Target[] {
  const { program, errors } = parseSync(path, source)
  if (errors[0]) throw new SyntaxError(`${path}: ${errors[0].message}`)
  const specifiers: string[] = []
  const take = (node: { type: string; value?: unknown } | null) => {
    if (node && typeof node.value === 'string') specifiers.push(node.value)
  }
  new Visitor({
    ImportDeclaration: (node) => take(node.source),
    ExportAllDeclaration: (node) => take(node.source),
    ExportNamedDeclaration: (node) => take(node.source),
    ImportExpression: (node) => take(node.source),
    TSImportType: (node) => take(node.source),
    TSModuleDeclaration: (node) => take(node.id),
  }).visit(program)
  return specifiers.map((specifier) => resolveTarget(path, specifier))
}

function resolveTarget(importer: string, specifier: string): Target {
  const [name = ''] = specifier.split('?')
  if (name.startsWith('.')) return { file: posix.join(posix.dirname(importer), name) }
  if (name.startsWith('#')) return { file: name.slice(1) }
  if (name.startsWith('node:') || builtinModules.includes(name)) return { node: name }
  return { npm: name }
}
