import { join } from 'node:path'
import { markets } from '#kit/server/markets.ts'
import { readProvider } from '#app/provider/read-provider.ts'

/** The folder of the demo's provider. */
export const fantailFolder = join(import.meta.dirname, '../../demo/providers/fantail')

/** The demo's provider in New Zealand. Tests know its catalogue. */
export const fantail = readProvider(fantailFolder, markets.NZ)
