import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact } from '#kit/server/db.ts'
import type { Role } from '../staff.contract.ts'
import { refuseChange } from './refuse-change.ts'
import { endStaffSessions } from './sessions.store.ts'
import { changeRoles } from './staff.store.ts'

type Ground = { db: Db; clock: Clock }

/** Gives a person other roles, which count from their next call on. */
export const giveRoles = (
  { db, clock }: Ground,
  personId: string,
  { roles, isLead }: { roles: Role[]; isLead: boolean },
  actor: Actor,
): Promise<void> =>
  transact(db, async (trx) => {
    await refuseChange(trx, personId, actor)
    await changeRoles(trx, personId, { roles, isLead })
    const details = { person: personId, roles: roles.join(), is_lead: isLead }
    await audit(trx, clock, { event: 'staff_changed', actor, details })
  })

/** Signs a person out everywhere; their passkeys sign them in again. */
export const endSessionsOf = ({ db, clock }: Ground, personId: string, actor: Actor): Promise<void> =>
  transact(db, async (trx) => {
    await refuseChange(trx, personId, actor)
    await endStaffSessions(trx, { staffId: personId })
    await audit(trx, clock, { event: 'staff_sessions_ended', actor, details: { person: personId } })
  })
