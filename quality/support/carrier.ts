import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the example mapping from docs/carriers.md. It matches the network simulator's second dialect, in which everything has a different
 * name.
 */
export const exampleMapping = (): string => readFileSync(join(import.meta.dirname, '../../docs/network.json'), 'utf8')
