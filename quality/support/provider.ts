import { join } from 'node:path'
import { markets } from '#kit/server/markets.ts'
import { readProvider } from '#app/provider/read-provider.ts'

export const fantailFolder = join(import.meta.dirname, '../../demo/providers/fantail')

export const fantailProvider = readProvider(fantailFolder, markets.NZ)
