import { ConfigFault } from '#kit/server/config.ts'
import type { Catalogue } from './plans.store.ts'

type Folder = { readCatalogue(): Catalogue }

export function readFolder({ readCatalogue }: Folder): { catalogue: Catalogue } | { faults: string[] } {
  try {
    return { catalogue: readCatalogue() }
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error
    return { faults: error.faults }
  }
}
