import type { Actor } from '#kit/server/actor.ts'
import { audit, type AuditEvent } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import type { longestNoticeHours, NoticeHours, NoticeKind } from '../notices.contract.ts'
import { endNotice, insertNotice, prolongNotice } from './notices.store.ts'

type Deps = { db: Db; clock: Clock }
type Staff = Extract<Actor, { by: 'staff' }>
type Told = { notice: string; about: NoticeKind; hours?: number }

export const sayOnPortal = (
  { db, clock }: Deps,
  actor: Staff,
  { kind, hours }: { kind: NoticeKind; hours: NoticeHours | typeof longestNoticeHours },
): Promise<boolean> =>
  transact(db, async (trx) => {
    const now = clock.now()
    const id = await insertNotice(trx, { kind, staffId: actor.id, now, ends: now.add({ hours }) })
    if (!id) return false
    await note(trx, clock, { event: 'notice_said', actor, details: { notice: id, about: kind, hours } })
    return true
  })

export const prolongOnPortal = (
  { db, clock }: Deps,
  actor: Staff,
  { id, hours }: { id: string; hours: NoticeHours },
): Promise<boolean> =>
  transact(db, async (trx) => {
    const now = clock.now()
    const notice = await prolongNotice(trx, id, { now, ends: now.add({ hours }) })
    if (!notice) return false
    await note(trx, clock, { event: 'notice_prolonged', actor, details: { notice: id, about: notice.kind, hours } })
    return true
  })

export const endOnPortal = ({ db, clock }: Deps, actor: Staff, id: string): Promise<boolean> =>
  transact(db, async (trx) => {
    const notice = await endNotice(trx, id, clock.now())
    if (!notice) return false
    await note(trx, clock, { event: 'notice_ended', actor, details: { notice: id, about: notice.kind } })
    return true
  })

const note = (trx: Trx, clock: Clock, act: { event: AuditEvent; actor: Actor; details: Told }): Promise<void> =>
  audit(trx, clock, act)
