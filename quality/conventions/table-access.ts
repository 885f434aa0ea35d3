import { posix } from 'node:path'
import { parseSync, Visitor } from 'vite'
import type { Tree } from './import-rules.ts'

export type AllowedReaders = Readonly<Record<string, readonly string[]>>

/** One read or write of a table. `table` is null where the source leaves it to the caller. */
type Use = { table: string | null; isWrite: boolean }

const writeMethods = ['updateTable', 'insertInto', 'deleteFrom', 'mergeInto']
const reads = ['selectFrom', 'innerJoin', 'leftJoin', 'rightJoin', 'fullJoin', 'crossJoin']

/**
 * Faults of the sources against the rules about tables, one sentence each. Empty is good. A table belongs to the slice whose file declares
 * it, and only that slice writes it. A feature's SQL is in its stores; the desk also has views, which only read. Other slices' tables are
 * read only by `readers`. `open` lists files whose caller may choose the table.
 */
export function tableFaultsOf(tree: Tree, readers: AllowedReaders, open: readonly string[] = []): string[] {
  const sources = Object.entries(tree).map(([path, source]) => ({ path, ...tablesIn(path, source) }))
  const owners = new Map(sources.flatMap(({ path, declared }) => declared.map((table) => [table, sliceOf(path)])))
  const made = new Set<string>()
  const faults = sources.flatMap(({ path, uses }) =>
    uses.flatMap(({ table, isWrite }) => {
      if (table === null) return open.includes(path) ? [] : [`${path} leaves open which table it is about`]
      const owner = owners.get(table)
      if (!owner) return []
      const hasSql = path.endsWith('.store.ts') || (path.endsWith('.view.ts') && !isWrite)
      if (/^(desk\/)?features\//.test(path) && !hasSql)
        return [`${path} has SQL about ${table}: that belongs in a store`]
      if (owner === sliceOf(path)) return []
      if (isWrite) return [`${path} writes ${table}, which ${owner} alone may`]
      const reader = Object.keys(readers).find((start) => path.startsWith(start) && readers[start]?.includes(table))
      if (!reader) return [`${path} reads ${table}, which is of ${owner}`]
      made.add(`${reader} ${table}`)
      return []
    }),
  )
  const idle = Object.entries(readers).flatMap(([reader, tables]) =>
    tables
      .filter((table) => !made.has(`${reader} ${table}`))
      .map((table) => `${reader} does not read ${table} any more`),
  )
  return [...new Set([...faults, ...idle])]
}

/** `features/orders`, `desk/features/search`, `kit/server`, `demo`. */
const sliceOf = (path: string): string => {
  const [top = '', next = '', third = ''] = posix.dirname(path).split('/')
  if (top === 'desk') return next === 'features' ? `${top}/${next}/${third}` : top
  return ['features', 'kit'].includes(top) ? `${top}/${next}` : top
}

/** The tables that a file declares for the compiler, and its reads and writes of tables. @throws when the source cannot be parsed */
export function tablesIn(path: string, source: string): { declared: string[]; uses: Use[] } {
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
        if (each?.type === 'Literal') uses.push({ table: nameIn(String(each.value)), isWrite })
        // A subquery has a call of its own.
        else if (each?.type === 'Identifier') uses.push({ table: null, isWrite })
      }
    },
    // The tables that `mover` and the retries of kit/server/ write.
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

/** `'orders as paid'` is about `orders`. */
const nameIn = (text: string): string => text.split(' ')[0] ?? ''
