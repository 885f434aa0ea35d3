import type { Clock } from '#kit/server/clock.ts'
import { ConfigFault } from '#kit/server/config.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { setTasks } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { changesOf } from './catalogue-changes.ts'
import { findAppliedVersion } from './catalogue.store.ts'
import { applyDueCatalogues, folderSubject, readKnown, startWithCatalogue } from './catalogue.ts'
import type { Catalogue } from './plans.store.ts'

type StartDeps = { db: Db; clock: Clock }
type Folder = { catalogue: Catalogue } | { faults: string[] }

export type FolderDifference = { version: number; faults: string[] }

/**
 * Compares the folder with the catalogue on sale when a production process starts. Only the very first start imports
 * the folder. Later starts change nothing, and create a task when the folder differs or has faults.
 * @throws ConfigFault when nothing is on sale yet and the folder has faults
 */
export async function startWithFolder(deps: StartDeps, folder: Folder): Promise<FolderDifference | null> {
  if ('catalogue' in folder) await startWithCatalogue(deps, folder.catalogue, { onlyFirst: true })
  else await applyDueCatalogues(deps, deps.clock.now())
  const applied = await findAppliedVersion(deps.db)
  if (!applied) throw new ConfigFault('faults' in folder ? folder.faults : [])
  const differs = 'faults' in folder || (await isUnknown(deps, folder.catalogue))
  await setTasks(deps.db, { kind: 'folder' }, differs ? [taskOf(folder)] : [])
  return differs ? { version: applied.number, faults: 'faults' in folder ? folder.faults : [] } : null
}

async function isUnknown({ db }: StartDeps, catalogue: Catalogue): Promise<boolean> {
  const known = await transact(db, readKnown)
  return known.every((each) => changesOf(each, catalogue).length > 0)
}

const taskOf = (folder: Folder) => ({
  kind: 'folder' as const,
  ...('faults' in folder
    ? {
        subject: 'faults',
        reason: `The provider’s folder differs from what is on sale, and its catalogue has faults. ${folder.faults.join(' ')}`,
      }
    : {
        subject: folderSubject(folder.catalogue),
        reason: 'The provider’s folder differs from what is on sale. To see how: npm run operator -- catalogue diff',
      }),
})
