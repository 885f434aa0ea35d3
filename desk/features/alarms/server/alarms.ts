import type { Market } from '#kit/contract/bootstrap.ts'
import { type Clock, realNow } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import {
  hasOpenLeadTask,
  lastTickedAt,
  type LeadKind,
  reportToLeads,
} from '#features/operator-tasks/server/lead-tasks.store.ts'
import { type Access, noteAccess } from '#desk/features/staff/server/access.store.ts'
import { lockPerson } from '#desk/features/staff/server/staff.store.ts'
import { countCustomers, countShown, isOpening, isShowing, lastActAt, staffBehind } from './alarms.view.ts'

type AlarmDeps = { db: Db; clock: Clock; market: Pick<Market, 'zone'> }
type Person = { id: string; name: string }
type Look = Omit<Access, 'staffId'>

const mostCustomersAnHour = 60
const mostShown = 10

export const noteLook = (deps: AlarmDeps, person: Person, look: Look): Promise<void> =>
  transact(deps.db, (trx) => noteLookIn(trx, deps, person, look))

/**
 * Runs in an open transaction. The lock on the person's row makes their accesses serial, so each one counts
 * those before it.
 */
export async function noteLookIn(trx: Trx, deps: Omit<AlarmDeps, 'db'>, person: Person, look: Look): Promise<void> {
  await lockPerson(trx, person.id)
  await noteAccess(trx, { staffId: person.id, ...look })
  const { act, userId } = look
  if (userId && isOpening(act)) {
    await alarmOfOwn(trx, deps, person, userId)
    await alarmOfMany(trx, deps, person)
  }
  if (isShowing(act)) await alarmOfShown(trx, deps, person)
}

/** Alerts the leads to a passkey made by accepting an invitation. The caller must hold the lock on the person's row. */
export const alarmOfPasskey = (trx: Trx, deps: Pick<AlarmDeps, 'market'>, person: Person): Promise<void> =>
  raise(trx, deps, person, {
    kind: 'alarm-passkey',
    words:
      'accepted an invitation and made a new passkey. Ask them to confirm it; if it wasn’t them, ask an admin to suspend them',
  })

async function alarmOfOwn(trx: Trx, deps: Pick<AlarmDeps, 'market'>, person: Person, userId: string): Promise<void> {
  const owner = await staffBehind(trx, userId)
  if (!owner) return
  const whose = owner.id === person.id ? 'their own account' : `the account of a colleague, ${owner.name}`
  const words = `viewed ${whose}: customer …${userId.slice(-4)}. Ask them why`
  await raise(trx, deps, person, { kind: 'alarm-own', words })
}

async function alarmOfMany(trx: Trx, deps: Pick<AlarmDeps, 'market'>, person: Person): Promise<void> {
  const since = await sinceTicked(trx, deps, person, { kind: 'alarm-looks', hours: 1 })
  if ((await countCustomers(trx, person.id, since)) <= mostCustomersAnHour) return
  const words = `viewed more than ${mostCustomersAnHour} customers within an hour. Ask them why`
  await raise(trx, deps, person, { kind: 'alarm-looks', words })
}

async function alarmOfShown(trx: Trx, deps: Omit<AlarmDeps, 'db'>, person: Person): Promise<void> {
  const ticked = await sinceTicked(trx, deps, person, { kind: 'alarm-shown', hours: 24 })
  const acted = await lastActAt(trx, person.id)
  // Acts are on the product's clock, which a demo moves, so their age is converted to real time.
  const since = acted ? later(ticked, realNow().subtract(deps.clock.now().since(acted))) : ticked
  if ((await countShown(trx, person.id, since)) < mostShown) return
  const words = `uncovered ${mostShown} masked details without any action afterwards. Ask them why`
  await raise(trx, deps, person, { kind: 'alarm-shown', words })
}

/** The start of the counting period: `hours` ago, or the time when a lead closed today's alert, if that is later. */
async function sinceTicked(
  trx: Trx,
  { market }: Pick<AlarmDeps, 'market'>,
  { id }: Person,
  { kind, hours }: { kind: LeadKind; hours: number },
): Promise<Temporal.Instant> {
  const ago = realNow().subtract({ hours })
  const ticked = await lastTickedAt(trx, { kind, staffId: id, of: dayIn(market) })
  return ticked ? later(ago, ticked) : ago
}

async function raise(
  trx: Trx,
  { market }: Pick<AlarmDeps, 'market'>,
  { id, name }: Person,
  { kind, words }: { kind: LeadKind; words: string },
): Promise<void> {
  const about = { kind, staffId: id, of: dayIn(market) }
  if (await hasOpenLeadTask(trx, about)) return
  await reportToLeads(trx, { ...about, reason: `${name} ${words}.` })
}

/** Today in the market's zone, by real time like the whole access log. */
const dayIn = ({ zone }: Pick<Market, 'zone'>): string => realNow().toZonedDateTimeISO(zone).toPlainDate().toString()

const later = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) > 0 ? one : other
