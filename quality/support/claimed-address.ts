import { transact } from '#kit/server/db.ts'
import { insertUser } from '#features/auth/server/users.store.ts'
import { makeCustomer, type Customer } from './customer.ts'
import type { World } from './world.ts'

export type Claim = { id: string; email: string; password: string }

/** Creates a second account with the address of an existing one. Like any account just created by an activation, it is not verified yet. */
export async function claimAddress(world: World, email: string, password = 'takahe of mallory 1'): Promise<Claim> {
  const { db, deps } = world
  const account = {
    email,
    password_hash: await deps.passwords.hash(password, email),
    first_name: 'Mallory',
    last_name: '',
    marketing_consent: false,
  }
  const id = await transact(db, (trx) => insertUser(trx, account, deps.clock.now()))
  return { id, email, password }
}

export async function createOwnerAndClaim(world: World): Promise<{ owner: Customer; claim: Claim }> {
  const owner = await makeCustomer(world)
  return { owner, claim: await claimAddress(world, owner.email) }
}
