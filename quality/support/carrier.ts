import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The mapping that docs/carriers.md has as its example. It fits the other dialect of the network simulator, in which everything is
 * different.
 */
export const exampleMapping = (): string => readFileSync(join(import.meta.dirname, '../../docs/network.json'), 'utf8')
