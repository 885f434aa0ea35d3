import { audit } from '#kit/server/audit.ts'
import { realNow } from '#kit/server/clock.ts'
import { createCsvContent, csvLine } from '#kit/server/csv.ts'
import type { Db } from '#kit/server/db.ts'
import { paginateRows, type PagePosition, parsePosition } from '#kit/server/pagination.ts'
import { formError, notFound } from '#kit/server/http-error.ts'
import { insertAccessEntry } from '#desk/features/staff/server/access.store.ts'
import type { DeskFile } from '#desk/features/staff/server/file-routes.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import { listStaff } from '#desk/features/staff/server/staff.store.ts'
import type { SearchDeps } from '#desk/features/search/server/search.ts'
import { maxFileRows, type AuditEntryType } from '../audit.contract.ts'
import { matchCustomers } from './match-customers.ts'
import {
  type CustomerMatches,
  listAuditTrail,
  type AuditTrailFilter,
  presentCsvRow,
  auditTrailColumns,
} from './audit.view.ts'

export type AuditDeps = SearchDeps

const pageSize = 50
const batchSize = 1_000

type AuditFilter = {
  of?: AuditEntryType | undefined
  person?: string | undefined
  act?: string | undefined
  customer?: string | undefined
  day?: string | undefined
  q?: string | undefined
}

/**
 * Returns a page of the staff audit trail. Reading the trail is itself recorded in it.
 * @throws 400 for an invalid cursor, 404 for an unknown staff member, 403 for a search by staff who may not see customers
 */
export async function readAuditTrailPage(
  deps: AuditDeps,
  staff: SignedInStaff,
  { before, q, ...filter }: AuditFilter & { before?: string },
) {
  const { db } = deps
  const cursor = before === undefined ? null : parsePosition(before)
  if (before !== undefined && !cursor)
    throw formError('That page of the list doesn’t exist. Go back to the first page.')
  const people = await listPeople(db, filter)
  const matches = await matchCustomers(deps, staff, { q, customer: filter.customer })
  const { of, person, act, day } = filter
  const detail = [of, act, day].filter(Boolean).join(' ') || null
  await insertAccessEntry(db, {
    staffId: staff.id,
    act: 'trail_seen',
    subject: person ?? null,
    userId: matches?.customers.length === 1 ? (matches.customers[0]?.id ?? null) : null,
    detail,
  })
  const auditTrailFilter = toAuditTrailFilter(deps, filter, matches)
  const rows = await listAuditTrail(db, { ...auditTrailFilter, before: cursor, limit: pageSize + 1 })
  return { ...paginateRows(rows, pageSize), people, matches }
}

/**
 * Returns the audit trail as a CSV file, which is read while it is sent. The export is recorded as an action.
 * @throws 404 for an unknown staff member, 403 for a search by staff who may not see customers
 */
export async function createAuditTrailFile(
  deps: AuditDeps,
  staff: SignedInStaff,
  { q, ...filter }: AuditFilter,
): Promise<DeskFile> {
  const people = await listPeople(deps.db, filter)
  const matches = await matchCustomers(deps, staff, { q, customer: filter.customer })
  // The audit entry names the customers by ID, because the search text is personal data.
  const customer = matches?.customers.map(({ id }) => id).join(' ')
  const details = Object.fromEntries(
    Object.entries({ ...filter, customer }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const entries = streamEntries(deps.db, toAuditTrailFilter(deps, filter, matches))
  await audit(deps.db, deps.clock, { event: 'trail_exported', actor: toStaffActor(staff), details })
  async function* csvLines(): AsyncGenerator<string> {
    yield csvLine(auditTrailColumns)
    for await (const entry of entries) yield csvLine(presentCsvRow(entry, people, staff))
  }
  const today = realNow().toZonedDateTimeISO(deps.market.zone).toPlainDate()
  return { name: `audit-${today.toString()}.csv`, type: 'text/csv', content: createCsvContent(csvLines()) }
}

async function* streamEntries(db: Db, filter: AuditTrailFilter) {
  let before: PagePosition | null = null
  for (let left = maxFileRows; left > 0; left -= batchSize) {
    const entries = await listAuditTrail(db, { ...filter, before, limit: Math.min(left, batchSize) })
    yield* entries
    if (entries.length < batchSize) return
    before = entries.at(-1) ?? null
  }
}

async function listPeople(db: Db, { person }: AuditFilter) {
  const people = await listStaff(db)
  if (person !== undefined && !people.some(({ id }) => id === person)) throw notFound()
  return people
}

function toAuditTrailFilter(
  { market }: AuditDeps,
  { of, person, act, day }: AuditFilter,
  matches: CustomerMatches | null,
): AuditTrailFilter {
  return {
    of: of ?? null,
    person: person ?? null,
    act: act ?? null,
    customers: matches?.customers.map(({ id }) => id) ?? null,
    day: day === undefined ? null : getDayRange(day, market.zone),
  }
}

function getDayRange(day: string, zone: string): NonNullable<AuditTrailFilter['day']> {
  const from = Temporal.PlainDate.from(day)
  const startOfDate = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).toInstant()
  return { from: startOfDate(from), to: startOfDate(from.add({ days: 1 })) }
}
