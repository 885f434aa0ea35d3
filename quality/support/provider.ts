import { join } from 'node:path'
import { markets } from '#kit/server/markets.ts'
import { readProvider } from '#app/provider/read-provider.ts'

/** Where the demo's provider is. */
export const fantailFolder = join(import.meta.dirname, '../../demo/providers/fantail')

/** The demo's provider as it is in New Zealand: its catalogue is what the tests know. */
export const fantail = readProvider(fantailFolder, markets.NZ)
