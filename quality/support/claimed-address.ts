import { transact } from '#kit/server/db.ts'
import { insertUser } from '#features/auth/server/users.store.ts'
import { makeCustomer, type Customer } from './customer.ts'
import type { World } from './world.ts'

/** An account that a stranger has on somebody's address, without having read its mail. */
export type Claim = { id: string; email: string; password: string }

/** Makes another account on an address, not verified, as an activation does that gives the address. */
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

/** An owner who has verified an address, and a claim of a stranger's on it. */
export async function ownerAndClaim(world: World): Promise<{ owner: Customer; claim: Claim }> {
  const owner = await makeCustomer(world)
  return { owner, claim: await claimAddress(world, owner.email) }
}
