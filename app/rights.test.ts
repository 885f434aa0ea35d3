import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { privilegesByTable } from './prepare-database.ts'

const sources = globSync('{app,demo,features,kit,operator}/**/*.ts')
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readFileSync(path, 'utf8'))

const ways = {
  update: (table: string) => [`updateTable('${table}'`, `table: '${table}'`, `update ${table} `],
  delete: (table: string) => [`deleteFrom('${table}'`, `delete from ${table}`],
}

test.each(Object.entries(privilegesByTable))(
  'the code updates and deletes rows of %s only as its database role may',
  (table, rights) => {
    for (const right of ['update', 'delete'] as const) {
      if (rights.includes(right)) continue
      for (const way of ways[right](table)) expect(sources.filter((source) => source.includes(way))).toEqual([])
    }
  },
)
