import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the example mapping of docs/carriers.md. It suits the network simulator's second dialect, which names everything differently. */
export const exampleMapping = (): string => readFileSync(join(import.meta.dirname, '../../docs/network.json'), 'utf8')
