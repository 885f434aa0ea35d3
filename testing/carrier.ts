import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The mapping of docs/carriers.md: of a carrier that has everything otherwise, as the network simulator's dialect has. */
export const exampleMapping = (): string => {
  const page = readFileSync(join(import.meta.dirname, '../docs/carriers.md'), 'utf8')
  const [, example] = /```json\n([^`]*)```/.exec(page) ?? []
  if (!example) throw new Error('docs/carriers.md has no example')
  return example
}
