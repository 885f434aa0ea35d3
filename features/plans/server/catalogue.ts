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

/** What a catalogue would change, and which versions wait for their instant: each of them takes the place of all before it. */
export async function compareCatalogue(
  { db }: Pick<CatalogueDeps, 'db'>,
  catalogue: Catalogue,
): Promise<{ changes: CatalogueChange[]; waiting: CatalogueVersion[] }> {
  return transact(db, async (trx) => ({
    changes: changesOf(await readCatalogue(trx), catalogue),
    waiting: await listWaitingVersions(trx),
  }))
}

/** What a task calls a folder that differs from what is on sale: publishing its content ends the task. */
export const folderSubject = (catalogue: Catalogue): string => hashOf(catalogue).slice(0, 12)

type Wish = {
  catalogue: Catalogue
  /** Null is now. */
  at: Temporal.Instant | null
  actor: Actor
  /** Who else has said yes to it. */
  approvedBy?: string
}

/** What a catalogue is measured against: what is for sale, and all that is to come. */
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

/** Has a catalogue replace the present one, now or at an instant to come. Every process has it at once: none keeps a copy. */
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

/** False when there is no such version, or it is not to come any more. */
export async function callOffCatalogue(deps: CatalogueDeps, number: number, actor: Actor): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    await lockCatalogue(trx)
    if (!(await cancelVersion(trx, number, deps.clock.now()))) return false
    await audit(trx, deps.clock, { event: 'catalogue_called_off', actor, details: { version: number } })
    return true
  })
}

/**
 * At a start: the folder's catalogue, when it says what none has said before. One that was replaced while the product
 * ran is not brought back by a process that starts with an older folder: answered is the version that stands instead.
 * @param onlyFirst take it in only where there is no version yet
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

/** Applies what is due, in the order in which it was to come. */
export const applyDueCatalogues = ({ db, clock }: CatalogueDeps, now: Temporal.Instant): Promise<void> =>
  transact(db, (trx) => lockUpToDate(trx, clock, now))

async function applyDue(trx: Trx, clock: Clock, now: Temporal.Instant): Promise<void> {
  for (let due = await findVersionDue(trx, now); due; due = await findVersionDue(trx, now)) {
    // What is on sale, and what two people approved, may have changed since one person scheduled this version.
    if (due.isAlone && (await needsSecondPerson(trx, [await readCatalogue(trx)], due.content)))
      await withhold(trx, clock, due)
    else await take(trx, due, now)
  }
}

/** Calls a due version off and has a person look at it. */
async function withhold(trx: Trx, clock: Clock, { number }: DueVersion): Promise<void> {
  await cancelVersion(trx, number, clock.now())
  await audit(trx, clock, { event: 'catalogue_called_off', actor: theSystem, details: { version: number } })
  await reportToOperator(trx, {
    kind: 'catalogue',
    subject: `version-${number}`,
    reason: `Version ${number} of the catalogue was due and was not put on sale: it now needs a second person. Publish it again.`,
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
