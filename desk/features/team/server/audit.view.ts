import { presentMaskedName } from '#desk/features/customers/server/customers.present.ts'
import { accessReasonLabel } from '#desk/features/customers/server/access-reason.labels.ts'
import { getReasonName, reasonLabel } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { roleNames, roles } from '#desk/features/staff/staff.contract.ts'
import {
  type AuditTrail,
  type AuditEntryType,
  auditEntryTypes,
  type AuditTrailRow,
} from '#desk/features/team/audit.contract.ts'
import { auditEventLabel, accessLabel, auditFilters } from './audit.labels.ts'
import { type RawBuilder, sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { PagePosition } from '#kit/server/pagination.ts'

/**
 * The customers to which the audit trail is narrowed. `name` is masked, and `null` if it is unknown or the reader may not see it. `hasMore`
 * means that further customers match the search text.
 */
export type CustomerMatches = { customers: { id: string; name: string | null }[]; hasMore: boolean }

type StaffList = { id: string; name: string }[]
type AuditTrailPage = {
  rows: AuditTrailEntry[]
  next: string | null
  people: StaffList
  matches: CustomerMatches | null
}

/**
 * Returns the audit trail for one reader. Staff whose only role is admin see nothing about customers: no names, no
 * links and no free text.
 */
export function presentAuditTrail(
  { rows, next, people, matches }: AuditTrailPage,
  reader: Pick<SignedInStaff, 'roles'>,
): AuditTrail {
  const sees = canSeeCustomers(reader)
  return {
    rows: rows.map((row) => presentRow(row, people, sees)),
    next,
    people: people.map(({ id, name }) => ({ id, name })),
    acts: auditFilters,
    customers: matches?.customers.flatMap(({ id, name }) => (name === null ? [] : [{ id, name }])) ?? [],
    more_customers: matches?.hasMore ?? false,
  }
}

export const auditTrailColumns = ['when', 'kind', 'who', 'what', 'customer', 'about', 'why'] as const

/** Returns an audit entry as a row in the CSV file. The customer's id is complete only for readers who may open customers. */
export function presentCsvRow(
  entry: AuditTrailEntry,
  people: StaffList,
  reader: Pick<SignedInStaff, 'roles'>,
): string[] {
  const sees = canSeeCustomers(reader)
  const { at, who, what, why, subject } = presentRow(entry, people, sees)
  const { user_id: customer, of } = entry
  return [at, of, who, what, customer ? (sees ? customer : shortenId(customer)) : '', subject?.text ?? '', why]
}

export const canSeeCustomers = ({ roles }: Pick<SignedInStaff, 'roles'>): boolean =>
  roles.some((role) => role !== 'admin')

function presentRow(entry: AuditTrailEntry, people: StaffList, sees: boolean): AuditTrailRow {
  const about = entry.of === 'acts' ? parseDetails(entry.details) : {}
  return {
    key: entry.key,
    at: entry.at.toISOString(),
    who: entry.who,
    what: entry.of === 'acts' ? auditEventLabel(entry.what) : accessLabel(entry.what, entry.details),
    why:
      entry.of === 'acts'
        ? reasonText(entry, sees || isAboutInternalRecord(about))
        : accessReasonLabel(entry.reason, sees ? entry.details : null),
    subject: describeSubject(entry, about, { people, sees }),
    customer: presentCustomer(entry, sees),
  }
}

function reasonText({ reason }: AuditTrailEntry, isWhole: boolean): string {
  if (!reason) return ''
  if (isWhole) return reasonLabel(reason)
  const code = reason.split(': ')[0] ?? ''
  return getReasonName(code) ?? 'Other reason'
}

type EntryDetails = Record<string, unknown>

const isAboutInternalRecord = (about: EntryDetails): boolean =>
  ['person', 'version', 'draft', 'role'].some((name) => name in about)

function describeSubject(
  { of, what, subject }: AuditTrailEntry,
  about: EntryDetails,
  { people, sees }: { people: StaffList; sees: boolean },
): AuditTrailRow['subject'] {
  const getVisiblePath = (path: string): string | null => (sees ? path : null)
  const person = people.find(({ id }) => id === about['person'] || (what === 'trail_seen' && id === subject))
  if (person) return { text: person.name, path: null }
  const role = roles.find((each) => each === about['role'])
  if (role) return { text: roleNames[role], path: null }
  const code = of === 'looks' && what === 'order_seen' ? subject : orderCodeOf(about)
  if (typeof code === 'string' && /^[0-9A-Z]{6,24}$/.test(code))
    return { text: `Order ${sees ? code : shortenId(code)}`, path: getVisiblePath(`/orders/${code}/`) }
  return null
}

/** Finds the order that an action concerns. Refunds state their own reference, which begins with the order code. */
function orderCodeOf({ order, reference, kind, subject }: EntryDetails): unknown {
  if (order !== undefined) return order
  if (kind === 'refund' || kind === 'settlement') return subject
  return typeof reference === 'string' ? /^([0-9A-Z]+)-\d+-refund/.exec(reference)?.[1] : undefined
}

function presentCustomer(entry: AuditTrailEntry, sees: boolean): AuditTrailRow['customer'] {
  const { user_id: id, first_name, last_name, erased_at } = entry
  if (!id) return null
  const isNameVisible = sees && first_name !== null && last_name !== null
  return {
    text: isNameVisible ? presentMaskedName({ first_name, last_name, erased_at }) : `Customer ${shortenId(id)}`,
    path: sees ? `/customers/${id}/` : null,
  }
}

const shortenId = (id: string): string => `…${id.slice(-4)}`

/** Parses an audit entry's details. A different version of the application may have written them, so unreadable details count as empty. */
function parseDetails(details: string | null): EntryDetails {
  try {
    const read: unknown = JSON.parse(details ?? '{}')
    return typeof read === 'object' && read !== null ? (read as EntryDetails) : {}
  } catch {
    return {}
  }
}

export type AuditTrailEntry = PagePosition & {
  of: AuditEntryType
  what: string
  who: string
  user_id: string | null
  subject: string | null
  /** `details` is JSON for an action, and plain text for an access. */
  details: string | null
  reason: string | null
  /** The customer's name; `null` if the entry is about no customer, or one who no longer exists. */
  first_name: string | null
  last_name: string | null
  erased_at: Date | null
}

export type AuditTrailFilter = {
  of: AuditEntryType | null
  person: string | null
  act: string | null
  customers: readonly string[] | null
  day: { from: Temporal.Instant; to: Temporal.Instant } | null
}
type AuditTrailQuery = AuditTrailFilter & { before: PagePosition | null; limit: number }

const entryQueryBuilders: Record<AuditEntryType, (those: RawBuilder<unknown>) => RawBuilder<unknown>> = {
  acts: (condition) => sql`
    select at, 'act:' || lpad(id::text, 20, '0') as key, 'acts' as of, event as what, staff_id, user_id,
      null::text as subject, details::text as details, reason
    from audit_events where staff_id is not null and ${condition}`,
  looks: (condition) => sql`
    select at, 'look:' || lpad(id::text, 20, '0') as key, 'looks' as of, act as what, staff_id, user_id,
      subject, detail as details, reason
    from access_log where ${condition}`,
}

const actionColumn: Record<AuditEntryType, RawBuilder<unknown>> = { acts: sql`event`, looks: sql`act` }

const newestFirstOrder = sql`order by at desc, key collate "C" desc`

/**
 * Lists actions and accesses before a cursor, newest first. Each table is read through its index, separately for each
 * customer, and at most `limit` rows are read each time.
 */
export async function listAuditTrail(
  db: Db,
  { before, limit, ...narrowed }: AuditTrailQuery,
): Promise<AuditTrailEntry[]> {
  const { of, customers } = narrowed
  if (customers?.length === 0) return []
  const afterCursorCondition =
    before === null ? sql`` : sql`where at < ${before.at} or (at = ${before.at} and key collate "C" < ${before.key})`
  const subqueries = (of === null ? auditEntryTypes : [of]).flatMap((kind) =>
    (customers ?? [null]).map(
      (customer) =>
        sql`(
          select * from (${entryQueryBuilders[kind](buildConditions(kind, { ...narrowed, customer }, before))}) as part
          ${afterCursorCondition} ${newestFirstOrder} limit ${limit})`,
    ),
  )
  const { rows } = await sql<AuditTrailEntry>`
    select trail.*, staff.name as who, users.first_name, users.last_name, users.erased_at
    from (select * from (${sql.join(subqueries, sql` union all `)}) as all_parts ${newestFirstOrder} limit ${limit}) as trail
    join staff on staff.id = trail.staff_id
    left join users on users.id = trail.user_id
    ${newestFirstOrder}`.execute(db)
  return rows
}

export const findCustomerName = (db: Db, id: string) =>
  db.selectFrom('users').select(['first_name', 'last_name', 'erased_at']).where('id', '=', id).executeTakeFirst()

const buildConditions = (
  kind: AuditEntryType,
  { person, act, customer, day }: Omit<AuditTrailFilter, 'customers'> & { customer: string | null },
  before: PagePosition | null,
): RawBuilder<unknown> =>
  sql.join(
    [
      sql`true`,
      ...(person === null ? [] : [sql`staff_id = ${person}`]),
      ...(act === null ? [] : [sql`${actionColumn[kind]} = ${act}`]),
      ...(customer === null ? [] : [sql`user_id = ${customer}`]),
      ...(day === null ? [] : [sql`at >= ${toDate(day.from)} and at < ${toDate(day.to)}`]),
      // This condition can use the index. The outer query then uses the key to tell entries with the same instant apart.
      ...(before === null ? [] : [sql`at <= ${before.at}`]),
    ],
    sql` and `,
  )
