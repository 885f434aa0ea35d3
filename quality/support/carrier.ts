import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The mapping that docs/carriers.md has as its example: of the network simulator's other dialect, which has everything otherwise. */
export const exampleMapping = (): string => readFileSync(join(import.meta.dirname, '../../docs/network.json'), 'utf8')
