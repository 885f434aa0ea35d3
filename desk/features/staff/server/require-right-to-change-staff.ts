import type { Actor } from '#kit/server/actor.ts'
import type { Trx } from '#kit/server/db.ts'
import { forbidden, formError } from '#kit/server/http-error.ts'
import { staffMessages } from '../staff.contract.ts'
import { lockAdmins } from './staff.store.ts'

/**
 * Checks that the actor may change a staff member. Nobody may change themselves, and the actor must currently be an
 * admin. All admins stay locked until the transaction ends, so that one admin always remains, even if two admins
 * suspend each other at the same time. The command line may change anyone, because it is how the last admin is
 * restored.
 * @throws 400 for changing oneself, 403 if the actor is no longer an admin
 */
export async function requireRightToChangeStaff(trx: Trx, personId: string | null, actor: Actor): Promise<void> {
  if (actor.by !== 'staff') return
  const adminIds = await lockAdmins(trx)
  if (!adminIds.includes(actor.id)) throw forbidden(staffMessages.notYours)
  if (personId === actor.id) throw formError(staffMessages.oneself)
}
