import { type Actor, systemActor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { endMatchingTasks, createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { requiresApproval } from './catalogue-approval.ts'
import { type CatalogueChange, diffCatalogues } from './catalogue-changes.ts'
import {
  cancelVersion,
  type CatalogueVersion,
  type DueVersion,
  findAppliedVersion,
  findDueVersion,
  findVersionWithContent,
  hashCatalogue,
  insertVersion,
  listScheduledVersions,
  lockCatalogue,
  markApplied,
  readScheduledCatalogues,
} from './catalogue.store.ts'
import { type Catalogue, importCatalogue, readCatalogue } from './plans.store.ts'

type CatalogueDeps = { db: Db; clock: Clock }

export async function compareCatalogue(
  { db }: Pick<CatalogueDeps, 'db'>,
  catalogue: Catalogue,
): Promise<{ changes: CatalogueChange[]; waiting: CatalogueVersion[] }> {
  return transact(db, async (trx) => ({
    changes: diffCatalogues(await readCatalogue(trx), catalogue),
    waiting: await listScheduledVersions(trx),
  }))
}

/**
 * Identifies the operator task which says that the catalogue folder differs from the catalogue on sale. Publishing the
 * folder's content closes the task.
 */
export const catalogueFolderTaskSubject = (catalogue: Catalogue): string => hashCatalogue(catalogue).slice(0, 12)

type CatalogueRequest = {
  catalogue: Catalogue
  /** When to publish the catalogue; `null` means now. */
  at: Temporal.Instant | null
  actor: Actor
  approvedBy?: string
}

export const readKnownCatalogues = async (trx: Trx): Promise<Catalogue[]> => [
  await readCatalogue(trx),
  ...(await readScheduledCatalogues(trx)),
]

/**
 * Locks the catalogue and applies all versions that are due, so that none of them can overwrite the caller's changes
 * later.
 */
export async function lockAndApplyDueVersions(trx: Trx, clock: Clock, now = clock.now()): Promise<void> {
  await lockCatalogue(trx)
  await applyDueVersions(trx, clock, now)
}

type AppliedCatalogue = { version: CatalogueVersion; changes: CatalogueChange[] }

/**
 * Replaces the catalogue now or at a later time. All processes sell from the new catalogue at once, because purchases
 * read the database. Pages may briefly show cached products (`createProductCache`).
 */
export const applyCatalogue = (deps: CatalogueDeps, catalogueRequest: CatalogueRequest): Promise<AppliedCatalogue> =>
  transact(deps.db, async (trx) => {
    await lockAndApplyDueVersions(trx, deps.clock)
    return writeCatalogue(trx, deps.clock, catalogueRequest)
  })

/** Does the same as `applyCatalogue`, but for a transaction that has already called `lockAndApplyDue`. */
export async function writeCatalogue(
  trx: Trx,
  clock: Clock,
  { catalogue, at, actor, approvedBy }: CatalogueRequest,
): Promise<AppliedCatalogue> {
  const now = clock.now()
  const changes = diffCatalogues(await readCatalogue(trx), catalogue)
  const newVersion = await insertVersion(trx, {
    catalogue,
    actor,
    now,
    at: at ?? now,
    ...(approvedBy !== undefined && { approvedBy }),
  })
  const version = at ? newVersion : await applyVersion(trx, { number: newVersion.number, content: catalogue }, now)
  await audit(trx, clock, {
    event: at ? 'catalogue_scheduled' : 'catalogue_applied',
    actor,
    details: { version: version.number, ...(approvedBy !== undefined && { approved_by: approvedBy }) },
  })
  await endMatchingTasks(trx, { kind: 'folder', subject: catalogueFolderTaskSubject(catalogue) })
  return { version, changes }
}

export async function cancelScheduledCatalogue(deps: CatalogueDeps, number: number, actor: Actor): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    await lockCatalogue(trx)
    if (!(await cancelVersion(trx, number, deps.clock.now()))) return false
    await audit(trx, deps.clock, { event: 'catalogue_called_off', actor, details: { version: number } })
    return true
  })
}

/**
 * Imports the catalogue folder at startup if its content is new. A process with an outdated folder does not bring back
 * a catalogue that has since been replaced. Returns the version on sale if it differs from the folder and the folder
 * was not imported; otherwise returns `null`.
 * @param onlyFirst import only if no version exists yet
 */
export async function applyCatalogueAtStartup(
  deps: CatalogueDeps,
  catalogue: Catalogue,
  { onlyFirst = false } = {},
): Promise<CatalogueVersion | null> {
  return transact(deps.db, async (trx) => {
    await lockAndApplyDueVersions(trx, deps.clock)
    const [knownVersion, appliedVersion] = [await findVersionWithContent(trx, catalogue), await findAppliedVersion(trx)]
    if (appliedVersion && (knownVersion || onlyFirst))
      return knownVersion?.number === appliedVersion.number ? null : appliedVersion
    const now = deps.clock.now()
    const version = await insertVersion(trx, { catalogue, actor: systemActor, now, at: now })
    await applyVersion(trx, { number: version.number, content: catalogue }, now)
    return null
  })
}

export const applyDueCatalogues = ({ db, clock }: CatalogueDeps, now: Temporal.Instant): Promise<void> =>
  transact(db, (trx) => lockAndApplyDueVersions(trx, clock, now))

async function applyDueVersions(trx: Trx, clock: Clock, now: Temporal.Instant): Promise<void> {
  for (let due = await findDueVersion(trx, now); due; due = await findDueVersion(trx, now)) {
    /*
     * The catalogue on sale or the last approved one may have changed after one person scheduled this version, so check again whether
     * approval is required.
     */
    if (due.isPublishedAlone && (await requiresApproval(trx, [await readCatalogue(trx)], due.content)))
      await withholdVersion(trx, clock, due)
    else await applyVersion(trx, due, now)
  }
}

async function withholdVersion(trx: Trx, clock: Clock, { number }: DueVersion): Promise<void> {
  await cancelVersion(trx, number, clock.now())
  await audit(trx, clock, { event: 'catalogue_called_off', actor: systemActor, details: { version: number } })
  await createTask(trx, {
    kind: 'catalogue',
    subject: `version-${number}`,
    reason: `Version ${number} of the catalogue was due but was not put on sale, because it now needs approval. Publish it again.`,
  })
}

async function applyVersion(
  trx: Trx,
  { number, content }: { number: number; content: Catalogue },
  now: Temporal.Instant,
): Promise<CatalogueVersion> {
  await importCatalogue(trx, content)
  return markApplied(trx, number, now)
}
