import { setTimeout as pause } from 'node:timers/promises'
import { isRowLocked, transact, type Db, type Trx } from '#kit/server/db.ts'
import { lockUserForUpdate } from '#features/auth/server/staff-actions.store.ts'
import type { User } from '#features/auth/server/users.store.ts'
import type { ErasureBlocker } from './erasure-blockers.store.ts'
import { lockUserServices } from '#features/services/server/services.store.ts'

export type ActionRefusal = { why: string; open?: readonly ErasureBlocker[] }

export type LockedCustomer = { user: User; services: Awaited<ReturnType<typeof lockUserServices>> }

const maxTries = 30
const retryDelayMs = 100

/**
 * Runs `work` while holding a lock on the customer, so that no purchase, renewal or card change can happen meanwhile.
 * Earlier holders of the lock have already committed, and later ones see the result of `work`.
 */
export async function withLockedCustomer<T extends object>(
  db: Db,
  userId: string,
  work: (trx: Trx, customer: LockedCustomer) => Promise<T>,
): Promise<T | ActionRefusal> {
  for (let tries = 1; tries <= maxTries; tries++) {
    try {
      return await transact(db, async (trx) => {
        const user = await lockUserForUpdate(trx, userId)
        if (!user) return { why: 'There is no customer with this ID.' }
        if (user.erased_at) return { why: 'This customer has been erased.' }
        return work(trx, { user, services: await lockUserServices(trx, userId) })
      })
    } catch (error) {
      // Another transaction may hold a service's lock and be waiting for this account's. Roll back and retry to avoid a deadlock.
      if (!isRowLocked(error)) throw error
      await pause(retryDelayMs)
    }
  }
  return { why: 'This customer’s account is being changed right now. Please try again in a moment.' }
}
