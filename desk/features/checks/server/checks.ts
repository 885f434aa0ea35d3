import type { Market } from '#kit/contract/bootstrap.ts'
import { audit } from '#kit/server/audit.ts'
import { type Clock, realNow } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { conflict, forbidden, notFound } from '#kit/server/refusal.ts'
import { reportToLeads } from '#features/operator-tasks/server/lead-tasks.store.ts'
import { lookWords } from '#desk/features/customers/server/look-words.ts'
import { noteAccess } from '#desk/features/staff/server/access.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'
import { lockPerson } from '#desk/features/staff/server/staff.store.ts'
import { checkMessages, looksAWeek } from '../checks.contract.ts'
import { decideLook, findLook, insertCheck, insertLooks, isDrawn, listPast, type LookDecision } from './checks.store.ts'
import { foundIn, listLooks, lookOf, openingsWithoutAct } from './checks.view.ts'
import { draw } from './draw.ts'

type DrawDeps = { db: Db; market: Pick<Market, 'zone'> }
export type ChecksDeps = DrawDeps & { clock: Clock }

const pastWeeks = 12

/** This week's check, which is the same for all leads. @throws 403 for anybody but a lead */
export async function checksFor(deps: ChecksDeps, staff: SignedInStaff) {
  if (!staff.isLead) throw forbidden(checkMessages.leads)
  const { db } = deps
  const monday = thisMonday(deps)
  const week = monday.toString()
  await drawThisWeek(deps)
  await noteAccess(db, { staffId: staff.id, act: 'trail_seen', detail: 'check' })
  return {
    week: monday.subtract({ days: 7 }),
    found: await foundIn(db, week),
    looks: await listLooks(db, week),
    past: await listPast(db, { before: week, limit: pastWeeks }),
  }
}

const thisMonday = ({ market }: DrawDeps): Temporal.PlainDate => {
  const today = realNow().toZonedDateTimeISO(market.zone).toPlainDate()
  return today.subtract({ days: today.dayOfWeek - 1 })
}

export async function drawThisWeek(deps: DrawDeps): Promise<void> {
  const { db, market } = deps
  const monday = thisMonday(deps)
  const week = monday.toString()
  if (await isDrawn(db, week)) return
  const midnight = (day: Temporal.PlainDate): Temporal.Instant => day.toZonedDateTime(market.zone).toInstant()
  await transact(db, async (trx) => {
    const those = await openingsWithoutAct(trx, { from: midnight(monday.subtract({ days: 7 })), to: midnight(monday) })
    if (await insertCheck(trx, { week, found: those.length })) await insertLooks(trx, week, draw(those, looksAWeek))
  })
}

/** @throws 403 for anybody but a lead and for one's own look, 404, 409 when somebody else decided first */
export async function sayOfLook(
  { db, clock, market }: ChecksDeps,
  staff: SignedInStaff,
  { id, decision }: { id: string; decision: LookDecision },
): Promise<void> {
  if (!staff.isLead) throw forbidden(checkMessages.leads)
  const look = await findLook(db, id)
  if (!look) throw notFound()
  if (look.staff_id === staff.id) throw forbidden(checkMessages.own)
  await transact(db, async (trx) => {
    await lockPerson(trx, look.staff_id)
    if (!(await decideLook(trx, id, { by: staff.id, decision }))) throw conflict(checkMessages.decided)
    if (decision === 'asked') await haveAsked(trx, look, market.zone)
    const details = { look: look.look_id, decision, person: look.staff_id }
    await audit(trx, clock, { event: 'look_checked', actor: actorOf(staff), details })
  })
}

async function haveAsked(trx: Trx, look: { look_id: string; staff_id: string }, zone: string): Promise<void> {
  const seen = await lookOf(trx, look.look_id)
  if (!seen) throw notFound()
  const at = Temporal.Instant.fromEpochMilliseconds(seen.at.getTime()).toZonedDateTimeISO(zone)
  const why = lookWords(seen.reason, seen.detail) || 'none'
  const when = `${at.toPlainDate().toString()} at ${at.toPlainTime().toString({ smallestUnit: 'minute' })}`
  await reportToLeads(trx, {
    kind: 'look',
    staffId: look.staff_id,
    of: `look-${look.look_id}`,
    reason: [
      `Ask ${seen.name} about view ${look.look_id}, of customer …${seen.user_id?.slice(-4) ?? ''} on ${when}.`,
      `Their reason: ${why}. They took no action afterwards.`,
    ].join(' '),
  })
}
