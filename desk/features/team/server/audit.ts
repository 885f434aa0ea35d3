import { Readable } from 'node:stream'
import type { Market } from '#kit/contract/bootstrap.ts'
import { audit } from '#kit/server/audit.ts'
import { type Clock, realNow } from '#kit/server/clock.ts'
import { csvLine } from '#kit/server/csv.ts'
import type { Db } from '#kit/server/db.ts'
import { pageOf, type Place, readPlace } from '#kit/server/page.ts'
import { invalidForm, notFound } from '#kit/server/refusal.ts'
import { noteAccess } from '#desk/features/staff/server/access.store.ts'
import type { DeskFile } from '#desk/features/staff/server/file-routes.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'
import { listStaff } from '#desk/features/staff/server/staff.store.ts'
import { mostFileRows, type TrailKind } from '../audit.contract.ts'
import { listTrail, type Narrowed, presentLine, trailColumns } from './audit.view.ts'

export type AuditDeps = { db: Db; clock: Clock; market: Pick<Market, 'zone'> }

const aPage = 50
const atOnce = 1_000

type Wish = {
  of?: TrailKind | undefined
  person?: string | undefined
  act?: string | undefined
  customer?: string | undefined
  day?: string | undefined
}

/**
 * A page of the actions and accesses of staff. Reading the trail is recorded in the trail.
 * @throws 400 for an invalid place, 404 for an unknown staff member
 */
export async function trailFor(deps: AuditDeps, staff: SignedInStaff, { before, ...wish }: Wish & { before?: string }) {
  const { db } = deps
  const place = before === undefined ? null : readPlace(before)
  if (before !== undefined && !place)
    throw invalidForm('That page of the list doesn’t exist. Go back to the first page.')
  const people = await peopleFor(db, wish)
  const { of, person, act, customer, day } = wish
  const detail = [of, act, day].filter(Boolean).join(' ') || null
  await noteAccess(db, {
    staffId: staff.id,
    act: 'trail_seen',
    subject: person ?? null,
    userId: customer ?? null,
    detail,
  })
  const rows = await listTrail(db, { ...narrowedBy(deps, wish), before: place, limit: aPage + 1 })
  return { ...pageOf(rows, aPage), people }
}

/**
 * The trail as a CSV file, which is read while it is sent. The export is recorded as an action.
 * @throws 404 for an unknown staff member
 */
export async function trailFile(deps: AuditDeps, staff: SignedInStaff, wish: Wish): Promise<DeskFile> {
  const people = await peopleFor(deps.db, wish)
  const details = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined))
  const entries = entriesOf(deps.db, narrowedBy(deps, wish))
  await audit(deps.db, deps.clock, { event: 'trail_exported', actor: actorOf(staff), details })
  async function* lines(): AsyncGenerator<string> {
    yield csvLine(trailColumns)
    for await (const entry of entries) yield csvLine(presentLine(entry, people, staff))
  }
  const today = realNow().toZonedDateTimeISO(deps.market.zone).toPlainDate()
  return { name: `audit-${today.toString()}.csv`, type: 'text/csv', content: Readable.from(lines()) }
}

async function* entriesOf(db: Db, narrowed: Narrowed) {
  let before: Place | null = null
  for (let left = mostFileRows; left > 0; left -= atOnce) {
    const entries = await listTrail(db, { ...narrowed, before, limit: Math.min(left, atOnce) })
    yield* entries
    if (entries.length < atOnce) return
    before = entries.at(-1) ?? null
  }
}

async function peopleFor(db: Db, { person }: Wish) {
  const people = await listStaff(db)
  if (person !== undefined && !people.some(({ id }) => id === person)) throw notFound()
  return people
}

function narrowedBy({ market }: AuditDeps, { of, person, act, customer, day }: Wish): Narrowed {
  return {
    of: of ?? null,
    person: person ?? null,
    act: act ?? null,
    customer: customer ?? null,
    day: day === undefined ? null : wholeDay(day, market.zone),
  }
}

function wholeDay(day: string, zone: string): NonNullable<Narrowed['day']> {
  const from = Temporal.PlainDate.from(day)
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).toInstant()
  return { from: startOf(from), to: startOf(from.add({ days: 1 })) }
}
