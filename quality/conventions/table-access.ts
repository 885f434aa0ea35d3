import { posix } from 'node:path'
import { parseSync, Visitor } from 'vite'
import type { Tree } from './import-rules.ts'

export type AllowedReaders = Readonly<Record<string, readonly string[]>>

/** One read from or write to a table. `table` is null if the caller chooses the table. */
type Use = { table: string | null; isWrite: boolean }

const writeMethods = ['updateTable', 'insertInto', 'deleteFrom', 'mergeInto']
const reads = ['selectFrom', 'innerJoin', 'leftJoin', 'rightJoin', 'fullJoin', 'crossJoin']

/**
 * Returns one sentence for each breach of the rules about tables; an empty list means that there are none. A table belongs to the slice
 * whose file declares it, and only that slice may write to it. A feature keeps its SQL in its stores; the desk also has read-only views.
 * Only the slices listed in `readers` may read other slices' tables. `open` lists the files that let a caller choose the table.
 */
export function findTableAccessFaults(tree: Tree, readers: AllowedReaders, open: readonly string[] = []): string[] {
  const sources = Object.entries(tree).map(([path, source]) => ({ path, ...findTableUses(path, source) }))
  const owners = new Map(sources.flatMap(({ path, declared }) => declared.map((table) => [table, getSliceName(path)])))
  const made = new Set<string>()
  const faults = sources.flatMap(({ path, uses }) =>
    uses.flatMap(({ table, isWrite }) => {
      if (table === null) return open.includes(path) ? [] : [`${path} lets its caller choose the table`]
      const owner = owners.get(table)
      if (!owner) return []
      const hasSql = path.endsWith('.store.ts') || (path.endsWith('.view.ts') && !isWrite)
      if (/^(desk\/)?features\//.test(path) && !hasSql)
        return [`${path} has SQL about ${table}, which belongs in a store`]
      if (owner === getSliceName(path)) return []
      if (isWrite) return [`${path} writes ${table}, which only ${owner} may write`]
      const reader = Object.keys(readers).find((start) => path.startsWith(start) && readers[start]?.includes(table))
      if (!reader) return [`${path} reads ${table}, which belongs to ${owner}`]
      made.add(`${reader} ${table}`)
      return []
    }),
  )
  const idle = Object.entries(readers).flatMap(([reader, tables]) =>
    tables.filter((table) => !made.has(`${reader} ${table}`)).map((table) => `${reader} no longer reads ${table}`),
  )
  return [...new Set([...faults, ...idle])]
}

/** Returns the slice that a file belongs to, such as `features/orders`, `desk/features/search`, `kit/server` or `demo`. */
const getSliceName = (path: string): string => {
  const [top = '', next = '', third = ''] = posix.dirname(path).split('/')
  if (top === 'desk') return next === 'features' ? `${top}/${next}/${third}` : top
  return ['features', 'kit'].includes(top) ? `${top}/${next}` : top
}

/**
 * Returns the tables that a file declares in its `Tables` interface, along with its reads and writes.
 * @throws if the source cannot be parsed
 */
export function findTableUses(path: string, source: string): { declared: string[]; uses: Use[] } {
  const { program, errors } = parseSync(path, source)
  if (errors[0]) throw new SyntaxError(`${path}: ${errors[0].message}`)
  const declared: string[] = []
  const uses: Use[] = []
  new Visitor({
    TSInterfaceDeclaration({ id, body }) {
      if (id.name !== 'Tables') return
      for (const member of body.body)
        if (member.type === 'TSPropertySignature' && member.key.type === 'Identifier') declared.push(member.key.name)
    },
    CallExpression({ callee, arguments: given }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const isWrite = writeMethods.includes(callee.property.name)
      if (!isWrite && !reads.includes(callee.property.name)) return
      const [from] = given
      for (const each of from?.type === 'ArrayExpression' ? from.elements : [from]) {
        if (each?.type === 'Literal') uses.push({ table: extractTableName(String(each.value)), isWrite })
        // Don't count a subquery here, because its own method call is visited separately.
        else if (each?.type === 'Identifier') uses.push({ table: null, isWrite })
      }
    },
    // A `table` property names a table that is written to by `mover` or by a retry queue in kit/server/.
    Property({ key, value }) {
      if (key.type === 'Identifier' && key.name === 'table' && value.type === 'Literal')
        uses.push({ table: String(value.value), isWrite: true })
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'sql') return
      const text = quasi.quasis.map(({ value }) => value.cooked).join(' ? ')
      for (const [, verb = '', table = ''] of text.matchAll(/\b(from|join|into|update)\s+([a-z_]+)/gi))
        uses.push({
          table,
          isWrite: /into|update/i.test(verb) || new RegExp(`delete\\s+from\\s+${table}`, 'i').test(text),
        })
    },
  }).visit(program)
  return { declared, uses }
}

/** Returns the table that an aliased reference names: `'orders as paid'` refers to `orders`. */
const extractTableName = (text: string): string => text.split(' ')[0] ?? ''
