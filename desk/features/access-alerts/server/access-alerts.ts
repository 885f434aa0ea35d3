import type { Market } from '#kit/contract/bootstrap.ts'
import { type Clock, realNow } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import {
  hasOpenLeadTask,
  findLastReviewTime,
  type LeadTaskKind,
  createLeadTask,
} from '#features/operator-tasks/server/lead-tasks.store.ts'
import { type NewAccessEntry, insertAccessEntry } from '#desk/features/staff/server/access.store.ts'
import { lockPerson } from '#desk/features/staff/server/staff.store.ts'
import {
  countCustomers,
  countReveals,
  isViewAction,
  isRevealAction,
  findLastActionTime,
  findStaffByUserId,
} from './access-alerts.view.ts'

type AccessAlertDeps = { db: Db; clock: Clock; market: Pick<Market, 'zone'> }
type Person = { id: string; name: string }
type AccessEntry = Omit<NewAccessEntry, 'staffId'>

const maxCustomersPerHour = 60
const maxReveals = 10

export const recordAccess = (deps: AccessAlertDeps, person: Person, access: AccessEntry): Promise<void> =>
  transact(deps.db, (trx) => recordAccessInTransaction(trx, deps, person, access))

/**
 * Records an access and raises the alerts that it triggers. Must run in an open transaction. A lock on the staff
 * member's row makes their accesses run one after the other, so that each one counts those before it.
 */
export async function recordAccessInTransaction(
  trx: Trx,
  deps: Omit<AccessAlertDeps, 'db'>,
  person: Person,
  access: AccessEntry,
): Promise<void> {
  await lockPerson(trx, person.id)
  await insertAccessEntry(trx, { staffId: person.id, ...access })
  const { act, userId } = access
  if (userId && isViewAction(act)) {
    await raiseAlertOnStaffAccount(trx, deps, person, userId)
    await raiseAlertOnManyCustomers(trx, deps, person)
  }
  if (isRevealAction(act)) await raiseAlertOnManyReveals(trx, deps, person)
}

/**
 * Alerts the team leads when someone has created a passkey by accepting an invitation. The caller must hold the lock on
 * that person's row.
 */
export const raisePasskeyAlert = (trx: Trx, deps: Pick<AccessAlertDeps, 'market'>, person: Person): Promise<void> =>
  raiseAlert(trx, deps, person, {
    kind: 'alarm-passkey',
    words:
      'accepted an invitation and made a new passkey. Ask them to confirm it; if it wasn’t them, ask an admin to suspend them',
  })

async function raiseAlertOnStaffAccount(
  trx: Trx,
  deps: Pick<AccessAlertDeps, 'market'>,
  person: Person,
  userId: string,
): Promise<void> {
  const owner = await findStaffByUserId(trx, userId)
  if (!owner) return
  const accountDescription = owner.id === person.id ? 'their own account' : `the account of a colleague, ${owner.name}`
  const alertText = `viewed ${accountDescription}: customer …${userId.slice(-4)}. Ask them why`
  await raiseAlert(trx, deps, person, { kind: 'alarm-own', words: alertText })
}

async function raiseAlertOnManyCustomers(
  trx: Trx,
  deps: Pick<AccessAlertDeps, 'market'>,
  person: Person,
): Promise<void> {
  const since = await countingPeriodStart(trx, deps, person, { kind: 'alarm-looks', hours: 1 })
  if ((await countCustomers(trx, person.id, since)) <= maxCustomersPerHour) return
  const words = `viewed more than ${maxCustomersPerHour} customers within an hour. Ask them why`
  await raiseAlert(trx, deps, person, { kind: 'alarm-looks', words })
}

async function raiseAlertOnManyReveals(trx: Trx, deps: Omit<AccessAlertDeps, 'db'>, person: Person): Promise<void> {
  const periodStart = await countingPeriodStart(trx, deps, person, { kind: 'alarm-shown', hours: 24 })
  const lastActionAt = await findLastActionTime(trx, person.id)
  // Actions are timestamped by the application's clock, which a demo can move, so their age is converted to real time.
  const since = lastActionAt
    ? later(periodStart, realNow().subtract(deps.clock.now().since(lastActionAt)))
    : periodStart
  if ((await countReveals(trx, person.id, since)) < maxReveals) return
  const words = `uncovered ${maxReveals} masked details without any action afterwards. Ask them why`
  await raiseAlert(trx, deps, person, { kind: 'alarm-shown', words })
}

/** Returns the start of the counting period: `hours` ago, or when a team lead closed today's alert, whichever is later. */
async function countingPeriodStart(
  trx: Trx,
  { market }: Pick<AccessAlertDeps, 'market'>,
  { id }: Person,
  { kind, hours }: { kind: LeadTaskKind; hours: number },
): Promise<Temporal.Instant> {
  const periodStart = realNow().subtract({ hours })
  const closedAt = await findLastReviewTime(trx, { kind, staffId: id, of: currentDay(market) })
  return closedAt ? later(periodStart, closedAt) : periodStart
}

async function raiseAlert(
  trx: Trx,
  { market }: Pick<AccessAlertDeps, 'market'>,
  { id, name }: Person,
  { kind, words: sentence }: { kind: LeadTaskKind; words: string },
): Promise<void> {
  const about = { kind, staffId: id, of: currentDay(market) }
  if (await hasOpenLeadTask(trx, about)) return
  await createLeadTask(trx, { ...about, reason: `${name} ${sentence}.` })
}

/**
 * Returns today's date in the market's time zone. Like the rest of the access log, this uses real time rather than the
 * application's clock.
 */
const currentDay = ({ zone }: Pick<Market, 'zone'>): string =>
  realNow().toZonedDateTimeISO(zone).toPlainDate().toString()

const later = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) > 0 ? one : other
