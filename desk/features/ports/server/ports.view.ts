import { type RawBuilder, sql } from 'kysely'
import type { Market } from '#kit/contract/bootstrap.ts'
import { toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { paginateRows, type PagePosition } from '#kit/server/pagination.ts'
import type { PortStep } from '#features/porting/porting.states.ts'
import { computeLateRequestCutoff } from '#features/porting/server/porting-hours.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import type { PortList } from '../ports.contract.ts'

export type PortsDeps = Pick<PortingDeps, 'db' | 'clock' | 'market' | 'stepOfPort' | 'failureOfPort'>

const pageSize = 50
/** A failed request that nobody has handled leaves the `need` list this many days after it was made. */
const maxNeedsActionAgeDays = 14
const failedListPeriodDays = 7

type BooleanExpression = RawBuilder<boolean>
const falseCondition = sql<boolean>`false`

// These conditions must match those in the indexes on `porting_requests`.
const isOpen = sql<boolean>`porting_requests.status in ('NEW', 'SUBMITTED', 'CANCELLING')`
const isFailedOrCancelled = sql<boolean>`porting_requests.status in ('FAILED', 'CANCELLED')`
const isCompleted = sql<boolean>`porting_requests.status = 'COMPLETED'`
const hasEndedSince = (since: Temporal.Instant) => sql<boolean>`porting_requests.ended_at >= ${toDate(since)}`

/**
 * Matches recently failed transfer requests, as a range in the index `porting_requests_by_status`. Excludes requests
 * that were followed by a newer one, and released services.
 */
const needsStaffAction = (now: Temporal.Instant): BooleanExpression => sql<boolean>`porting_requests.status = 'FAILED'
  and porting_requests.created_at >= ${toDate(now.subtract({ hours: 24 * maxNeedsActionAgeDays }))}
  and not exists (
    select from porting_requests as later
    where later.service_id = porting_requests.service_id and later.created_at > porting_requests.created_at
  )
  and exists (select from services where services.id = porting_requests.service_id and services.released_at is null)`

type OpenPortConditions = Record<'need' | 'customer' | 'carrier', BooleanExpression>

/**
 * Returns the conditions for the lists of open transfers. Sub-states are the network's own names, so those currently in
 * use are read each time and mapped to steps.
 */
async function readOpenConditions({ db, clock, market, stepOfPort }: PortsDeps): Promise<OpenPortConditions> {
  const rows = await db
    .selectFrom('porting_requests')
    .select('sub_state')
    .distinct()
    .where(isOpen)
    .where('sub_state', 'is not', null)
    .execute()
  const isAtStep = (step: PortStep): BooleanExpression => {
    const subStates = rows.flatMap(({ sub_state: state }) => (state && stepOfPort(state) === step ? [state] : []))
    return subStates.length === 0
      ? falseCondition
      : sql<boolean>`coalesce(porting_requests.sub_state in (${sql.join(subStates)}) and porting_requests.status <> 'CANCELLING', false)`
  }
  const isLate = sql<boolean>`porting_requests.created_at <= ${toDate(computeLateRequestCutoff(clock.now(), market))}`
  const need = sql<boolean>`(${isLate} or ${isAtStep('information')})`
  const reply = isAtStep('reply')
  return {
    need,
    customer: sql<boolean>`(not ${need} and ${reply})`,
    carrier: sql<boolean>`(not ${need} and not ${reply})`,
  }
}

const selectListedPorts = (db: Db) =>
  db
    .selectFrom('porting_requests')
    .innerJoin('porting_providers', 'porting_providers.id', 'porting_requests.provider_id')
    .innerJoin('services', 'services.id', 'porting_requests.service_id')
    .innerJoin('users', 'users.id', 'services.user_id')
    .leftJoin('port_owners', 'port_owners.port_id', 'porting_requests.id')
    .leftJoin('staff', 'staff.id', 'port_owners.staff_id')
    .selectAll('porting_requests')
    .select([
      'porting_providers.name as donor_name',
      'users.first_name',
      'users.last_name',
      'users.erased_at as user_erased_at',
      'staff.id as owner_id',
      'staff.name as owner',
    ])
export type ListedPortRow = Awaited<ReturnType<typeof listPortsOldestFirst>>[number]

/** Lists transfers by when they were requested, oldest first, because the customer who has waited longest is next. */
const listPortsOldestFirst = (db: Db, condition: BooleanExpression, after: PagePosition | null) =>
  selectListedPorts(db)
    .where(condition)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(porting_requests.created_at, porting_requests.id) > (${after?.at}, ${after?.key})`),
    )
    .orderBy('porting_requests.created_at')
    .orderBy('porting_requests.id')
    .limit(pageSize + 1)
    .execute()

const listPortsByLatestEnd = (db: Db, condition: BooleanExpression, before: PagePosition | null) =>
  selectListedPorts(db)
    .where(condition)
    .$if(before !== null, (query) =>
      query.where(sql<boolean>`(porting_requests.ended_at, porting_requests.id) < (${before?.at}, ${before?.key})`),
    )
    .orderBy('porting_requests.ended_at', 'desc')
    .orderBy('porting_requests.id', 'desc')
    .limit(pageSize + 1)
    .execute()

export async function listPortPage(
  deps: PortsDeps,
  { of, before }: { of: PortList; before: PagePosition | null },
): Promise<{ rows: (ListedPortRow & PagePosition)[]; next: string | null }> {
  const rows = await listPortRows(deps, of, before)
  const isEnded = of === 'failed' || of === 'done'
  return paginateRows(
    rows.map((row) => ({ ...row, at: (isEnded ? row.ended_at : null) ?? row.created_at, key: row.id })),
    pageSize,
  )
}

async function listPortRows(deps: PortsDeps, of: PortList, before: PagePosition | null): Promise<ListedPortRow[]> {
  const { db, clock } = deps
  switch (of) {
    case 'failed':
      return listPortsByLatestEnd(db, isFailedOrCancelled, before)
    case 'done':
      return listPortsByLatestEnd(db, isCompleted, before)
    case 'need': {
      const open = await listPortsOldestFirst(db, sql`${isOpen} and ${(await readOpenConditions(deps)).need}`, before)
      const failedPorts = await listPortsOldestFirst(db, needsStaffAction(clock.now()), before)
      return [...open, ...failedPorts].toSorted(compareByAge)
    }
    default:
      return listPortsOldestFirst(db, sql`${isOpen} and ${(await readOpenConditions(deps))[of]}`, before)
  }
}

const compareByAge = (one: ListedPortRow, other: ListedPortRow): number =>
  one.created_at.getTime() - other.created_at.getTime() || (one.id < other.id ? -1 : 1)

export async function countPortsNeedingStaff(deps: PortsDeps): Promise<number> {
  const { db, clock } = deps
  const { need } = await readOpenConditions(deps)
  return (
    (await countMatchingPorts(db, sql`${isOpen} and ${need}`)) +
    (await countMatchingPorts(db, needsStaffAction(clock.now())))
  )
}

export async function countPorts(deps: PortsDeps): Promise<Record<PortList, number>> {
  const { db, clock, market } = deps
  const now = clock.now()
  const { need, customer, carrier } = await readOpenConditions(deps)
  const open = await db
    .selectFrom('porting_requests')
    .select([
      sql<string>`count(*) filter (where ${need})`.as('need'),
      sql<string>`count(*) filter (where ${customer})`.as('customer'),
      sql<string>`count(*) filter (where ${carrier})`.as('carrier'),
    ])
    .where(isOpen)
    .executeTakeFirstOrThrow()
  const today = startOfDay(now, market)
  return {
    need: Number(open.need) + (await countMatchingPorts(db, needsStaffAction(now))),
    customer: Number(open.customer),
    carrier: Number(open.carrier),
    failed: await countMatchingPorts(
      db,
      sql`${isFailedOrCancelled} and ${hasEndedSince(now.subtract({ hours: 24 * failedListPeriodDays }))}`,
    ),
    done: await countMatchingPorts(db, sql`${isCompleted} and ${hasEndedSince(today)}`),
  }
}

const startOfDay = (now: Temporal.Instant, { zone }: Pick<Market, 'zone'>): Temporal.Instant =>
  now.toZonedDateTimeISO(zone).startOfDay().toInstant()

async function countMatchingPorts(db: Db, condition: BooleanExpression): Promise<number> {
  const row = await db
    .selectFrom('porting_requests')
    .select(({ fn }) => fn.countAll().as('count'))
    .where(condition)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
