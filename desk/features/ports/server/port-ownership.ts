import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { conflict } from '#kit/server/http-error.ts'
import type { ListedPort } from '#features/porting/server/port-list.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import { portMessages } from '../ports.contract.ts'
import { deletePortOwner, assignPort, findPortOwner } from './port-owners.store.ts'

type OwnershipDeps = { db: Db; clock: Clock }

/**
 * Assigns a number transfer to this staff member. If two callers try at the same time, the first gets it.
 * @throws 409 with the owner's name if someone else has the transfer
 */
export const assignPortToSelf = (
  { db, clock }: OwnershipDeps,
  staff: SignedInStaff,
  port: Pick<ListedPort, 'id' | 'external_id'>,
) =>
  transact(db, async (trx) => {
    const owner = await assignPort(trx, port.id, staff.id)
    if (owner.id !== staff.id) throw conflict(portMessages.taken(owner.name))
    await audit(trx, clock, { event: 'port_taken', actor: toStaffActor(staff), details: { port: port.external_id } })
  })

export const assignCorrectedPort = (
  { db }: OwnershipDeps,
  staff: SignedInStaff,
  port: Pick<ListedPort, 'id'>,
): Promise<unknown> => transact(db, (trx) => assignPort(trx, port.id, staff.id))

/**
 * Releases a number transfer from its owner. Does nothing if it has none.
 * @throws 409 if someone else has the transfer and the caller is not a team lead
 */
export const releasePort = ({ db, clock }: OwnershipDeps, staff: SignedInStaff, port: ListedPort): Promise<void> =>
  transact(db, async (trx) => {
    const owner = await findPortOwner(trx, port.id)
    if (!owner) return
    if (owner.id !== staff.id && !staff.isLead) throw conflict(portMessages.taken(owner.name))
    await deletePortOwner(trx, port.id)
    await audit(trx, clock, {
      event: 'port_handed_back',
      actor: toStaffActor(staff),
      details: { port: port.external_id },
    })
  })
