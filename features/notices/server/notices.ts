import type { Actor } from '#kit/server/actor.ts'
import { audit, type AuditEvent } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import type { maxNoticeHours, NoticeDuration, NoticeKind } from '../notices.contract.ts'
import { endNotice, insertNotice, extendNotice } from './notices.store.ts'

type NoticeDeps = { db: Db; clock: Clock }
type StaffActor = Extract<Actor, { by: 'staff' }>
type NoticeAuditDetails = { notice: string; about: NoticeKind; hours?: number }

export const postNotice = (
  { db, clock }: NoticeDeps,
  actor: StaffActor,
  { kind, hours }: { kind: NoticeKind; hours: NoticeDuration | typeof maxNoticeHours },
): Promise<boolean> =>
  transact(db, async (trx) => {
    const now = clock.now()
    const id = await insertNotice(trx, { kind, staffId: actor.id, now, ends: now.add({ hours }) })
    if (!id) return false
    await auditNotice(trx, clock, { event: 'notice_said', actor, details: { notice: id, about: kind, hours } })
    return true
  })

export const extendPostedNotice = (
  { db, clock }: NoticeDeps,
  actor: StaffActor,
  { id, hours }: { id: string; hours: NoticeDuration },
): Promise<boolean> =>
  transact(db, async (trx) => {
    const now = clock.now()
    const notice = await extendNotice(trx, id, { now, ends: now.add({ hours }) })
    if (!notice) return false
    await auditNotice(trx, clock, {
      event: 'notice_prolonged',
      actor,
      details: { notice: id, about: notice.kind, hours },
    })
    return true
  })

export const removeNotice = ({ db, clock }: NoticeDeps, actor: StaffActor, id: string): Promise<boolean> =>
  transact(db, async (trx) => {
    const notice = await endNotice(trx, id, clock.now())
    if (!notice) return false
    await auditNotice(trx, clock, { event: 'notice_ended', actor, details: { notice: id, about: notice.kind } })
    return true
  })

const auditNotice = (
  trx: Trx,
  clock: Clock,
  auditEntry: { event: AuditEvent; actor: Actor; details: NoticeAuditDetails },
): Promise<void> => audit(trx, clock, auditEntry)
