import type { Clock } from '#kit/server/clock.ts'
import { ConfigError } from '#kit/server/config.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { syncTasks } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { diffCatalogues } from './catalogue-changes.ts'
import { findAppliedVersion } from './catalogue.store.ts'
import {
  applyDueCatalogues,
  catalogueFolderTaskSubject,
  readKnownCatalogues,
  applyCatalogueAtStartup,
} from './catalogue.ts'
import type { Catalogue } from './plans.store.ts'

type CatalogueStartDeps = { db: Db; clock: Clock }
type CatalogueFolder = { catalogue: Catalogue } | { faults: string[] }

export type FolderDifference = { version: number; faults: string[] }

/**
 * Compares the catalogue folder with the catalogue on sale when a production process starts. Only the very first start
 * imports the folder. Later starts leave the catalogue alone, but create an operator task if the folder differs or has
 * faults.
 * @throws ConfigError if no catalogue is on sale yet and the folder has faults
 */
export async function applyFolderAtStartup(
  deps: CatalogueStartDeps,
  folder: CatalogueFolder,
): Promise<FolderDifference | null> {
  if ('catalogue' in folder) await applyCatalogueAtStartup(deps, folder.catalogue, { onlyFirst: true })
  else await applyDueCatalogues(deps, deps.clock.now())
  const appliedVersion = await findAppliedVersion(deps.db)
  if (!appliedVersion) throw new ConfigError('faults' in folder ? folder.faults : [])
  const isDifferent = 'faults' in folder || (await isUnknownCatalogue(deps, folder.catalogue))
  await syncTasks(deps.db, { kind: 'folder' }, isDifferent ? [createFolderTask(folder)] : [])
  return isDifferent ? { version: appliedVersion.number, faults: 'faults' in folder ? folder.faults : [] } : null
}

async function isUnknownCatalogue({ db }: CatalogueStartDeps, catalogue: Catalogue): Promise<boolean> {
  const knownCatalogues = await transact(db, readKnownCatalogues)
  return knownCatalogues.every((knownCatalogue) => diffCatalogues(knownCatalogue, catalogue).length > 0)
}

const createFolderTask = (folder: CatalogueFolder) => ({
  kind: 'folder' as const,
  ...('faults' in folder
    ? {
        subject: 'faults',
        reason: `The catalogue folder differs from the catalogue on sale and has faults. ${folder.faults.join(' ')}`,
      }
    : {
        subject: catalogueFolderTaskSubject(folder.catalogue),
        reason:
          'The catalogue folder differs from the catalogue on sale. To see the differences: operator catalogue diff',
      }),
})
