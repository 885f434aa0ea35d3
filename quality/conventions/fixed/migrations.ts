import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { plain } from '../sql-parts.ts'
import { readMigrations } from '#kit/server/migration-files.ts'

const folders = ['db/migrations', 'demo/migrations']

export const findMigrations = (): string[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/*`))
    .map((path) => `${path.replaceAll('\\', '/')} ${hashText(readFileSync(path, 'utf8'))}`)

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

export const findChecks = (): string[] =>
  folders
    .flatMap((folder) => readMigrations(folder))
    .flatMap(({ name, statements }) =>
      statements.map(plain).flatMap((statement) => {
        const [, table = ''] = /^(?:create|alter) table (?:if (?:not )?exists )?(?:only )?(\w+)/.exec(statement) ?? []
        return extractChecks(statement).flatMap((check) => {
          const values = [...check.matchAll(/'([^']+)'/g)].map(([, value]) => value)
          return values.length > 0 ? [`${basename(name)} ${table}: ${values.join(', ')}`] : []
        })
      }),
    )

function extractChecks(statement: string): string[] {
  return [...statement.matchAll(/\bcheck ?\(/g)].map(({ index, 0: start }) => {
    const from = index + start.length
    let depth = 1
    let end = from
    for (; end < statement.length && depth > 0; end++) {
      if (statement[end] === '(') depth++
      if (statement[end] === ')') depth--
    }
    return statement.slice(from, end - 1)
  })
}
