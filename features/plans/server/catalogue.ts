import { type Actor, theSystem } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { endTasksAbout, reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { needsSecondPerson } from './catalogue-alone.ts'
import { type CatalogueChange, changesOf } from './catalogue-changes.ts'
import {
  cancelVersion,
  type CatalogueVersion,
  type DueVersion,
  findAppliedVersion,
  findVersionDue,
  findVersionLike,
  hashOf,
  insertVersion,
  listWaitingVersions,
  lockCatalogue,
  markApplied,
  readWaiting,
} from './catalogue.store.ts'
import { type Catalogue, importCatalogue, readCatalogue } from './plans.store.ts'

type CatalogueDeps = { db: Db; clock: Clock }

export async function compareCatalogue(
  { db }: Pick<CatalogueDeps, 'db'>,
  catalogue: Catalogue,
): Promise<{ changes: CatalogueChange[]; waiting: CatalogueVersion[] }> {
  return transact(db, async (trx) => ({
    changes: changesOf(await readCatalogue(trx), catalogue),
    waiting: await listWaitingVersions(trx),
  }))
}

/**
 * The subject of a task about a folder that differs from the catalogue on sale. Publishing the folder's content ends
 * the task.
 */
export const folderSubject = (catalogue: Catalogue): string => hashOf(catalogue).slice(0, 12)

type Wish = {
  catalogue: Catalogue
  /** `null` means now. */
  at: Temporal.Instant | null
  actor: Actor
  approvedBy?: string
}

export const readKnown = async (trx: Trx): Promise<Catalogue[]> => [
  await readCatalogue(trx),
  ...(await readWaiting(trx)),
]

/** Locks the catalogue and applies the versions that are due, so that none of them comes after what is written next. */
export async function lockUpToDate(trx: Trx, clock: Clock, now = clock.now()): Promise<void> {
  await lockCatalogue(trx)
  await applyDue(trx, clock, now)
}

type Applied = { version: CatalogueVersion; changes: CatalogueChange[] }

/**
 * Replaces the catalogue now or at a future instant. Every process sells by it at once, because a purchase reads the database. Only pages
 * may show cached products for a moment (`keepProducts`).
 */
export const applyCatalogue = (deps: CatalogueDeps, wish: Wish): Promise<Applied> =>
  transact(deps.db, async (trx) => {
    await lockUpToDate(trx, deps.clock)
    return writeCatalogue(trx, deps.clock, wish)
  })

/** As `applyCatalogue`, in a transaction that has called `lockUpToDate`. */
export async function writeCatalogue(
  trx: Trx,
  clock: Clock,
  { catalogue, at, actor, approvedBy }: Wish,
): Promise<Applied> {
  const now = clock.now()
  const changes = changesOf(await readCatalogue(trx), catalogue)
  const written = await insertVersion(trx, {
    catalogue,
    actor,
    now,
    at: at ?? now,
    ...(approvedBy !== undefined && { approvedBy }),
  })
  const version = at ? written : await take(trx, { number: written.number, content: catalogue }, now)
  await audit(trx, clock, {
    event: at ? 'catalogue_scheduled' : 'catalogue_applied',
    actor,
    details: { version: version.number, ...(approvedBy !== undefined && { approved_by: approvedBy }) },
  })
  await endTasksAbout(trx, { kind: 'folder', subject: folderSubject(catalogue) })
  return { version, changes }
}

export async function callOffCatalogue(deps: CatalogueDeps, number: number, actor: Actor): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    await lockCatalogue(trx)
    if (!(await cancelVersion(trx, number, deps.clock.now()))) return false
    await audit(trx, deps.clock, { event: 'catalogue_called_off', actor, details: { version: number } })
    return true
  })
}

/**
 * Imports the folder's catalogue at a start, if its content is new. A catalogue that was replaced at run time is not
 * brought back by a process with an older folder. If the folder is not imported and differs from the version on sale, that version is
 * returned; otherwise `null`.
 * @param onlyFirst import only when there is no version yet
 */
export async function startWithCatalogue(
  deps: CatalogueDeps,
  catalogue: Catalogue,
  { onlyFirst = false } = {},
): Promise<CatalogueVersion | null> {
  return transact(deps.db, async (trx) => {
    await lockUpToDate(trx, deps.clock)
    const [known, applied] = [await findVersionLike(trx, catalogue), await findAppliedVersion(trx)]
    if (applied && (known || onlyFirst)) return known?.number === applied.number ? null : applied
    const now = deps.clock.now()
    const version = await insertVersion(trx, { catalogue, actor: theSystem, now, at: now })
    await take(trx, { number: version.number, content: catalogue }, now)
    return null
  })
}

export const applyDueCatalogues = ({ db, clock }: CatalogueDeps, now: Temporal.Instant): Promise<void> =>
  transact(db, (trx) => lockUpToDate(trx, clock, now))

async function applyDue(trx: Trx, clock: Clock, now: Temporal.Instant): Promise<void> {
  for (let due = await findVersionDue(trx, now); due; due = await findVersionDue(trx, now)) {
    // The catalogue on sale, and the last approved catalogue, may have changed since one person scheduled this version.
    if (due.isAlone && (await needsSecondPerson(trx, [await readCatalogue(trx)], due.content)))
      await withhold(trx, clock, due)
    else await take(trx, due, now)
  }
}

async function withhold(trx: Trx, clock: Clock, { number }: DueVersion): Promise<void> {
  await cancelVersion(trx, number, clock.now())
  await audit(trx, clock, { event: 'catalogue_called_off', actor: theSystem, details: { version: number } })
  await reportToOperator(trx, {
    kind: 'catalogue',
    subject: `version-${number}`,
    reason: `Version ${number} of the catalogue was due and was not put on sale: it now needs approval. Publish it again.`,
  })
}

async function take(
  trx: Trx,
  { number, content }: { number: number; content: Catalogue },
  now: Temporal.Instant,
): Promise<CatalogueVersion> {
  await importCatalogue(trx, content)
  return markApplied(trx, number, now)
}
