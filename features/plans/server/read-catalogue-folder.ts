import { ConfigError } from '#kit/server/config.ts'
import type { Catalogue } from './plans.store.ts'

type CatalogueFolder = { readCatalogue(): Catalogue }

export function readCatalogueFolder({
  readCatalogue,
}: CatalogueFolder): { catalogue: Catalogue } | { faults: string[] } {
  try {
    return { catalogue: readCatalogue() }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { faults: error.faults }
  }
}
