import type { Actor } from '#kit/server/actor.ts'
import type { Trx } from '#kit/server/db.ts'
import { forbidden, invalidForm } from '#kit/server/refusal.ts'
import { staffMessages } from '../staff.contract.ts'
import { lockAdmins } from './staff.store.ts'

/**
 * Stops a member of staff who may not change a person. It is never themselves, and whoever does it is an admin at this moment, with all
 * admins locked until it is done: so one is always left, also when two suspend each other at once. The command line is the
 * rescue of the last admin, and may do everything.
 * @throws 400 for oneself, 403 for who is no admin any more
 */
export async function refuseChange(trx: Trx, personId: string | null, actor: Actor): Promise<void> {
  if (actor.by !== 'staff') return
  const admins = await lockAdmins(trx)
  if (!admins.includes(actor.id)) throw forbidden(staffMessages.notYours)
  if (personId === actor.id) throw invalidForm(staffMessages.oneself)
}
