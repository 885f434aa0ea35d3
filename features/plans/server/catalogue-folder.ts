import { ConfigFault } from '#kit/server/config.ts'
import type { Catalogue } from './plans.store.ts'

type Folder = { readCatalogue(): Catalogue }

/** The catalogue in the provider's folder, or all of its faults, each with file and position. */
export function readFolder({ readCatalogue }: Folder): { catalogue: Catalogue } | { faults: string[] } {
  try {
    return { catalogue: readCatalogue() }
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error
    return { faults: error.faults }
  }
}
