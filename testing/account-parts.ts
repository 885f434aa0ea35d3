import type { Db } from '#kit/server/db.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import type { AccountParts } from '#features/auth/server/auth.deps.ts'

const nothing = async () => null
const unasked = async () => {
  throw new Error('no account has anything in this test')
}

/** Of accounts that have neither card nor phone, for routes that are tried without the rest of the product. */
export const noAccountParts = (db: Db): AccountParts => ({
  card: nothing,
  phone: nothing,
  whole: wholeWithoutParts(db),
  reassignAll: unasked,
  endRequests: unasked,
})

export const wholeWithoutParts =
  (db: Db): AccountParts['whole'] =>
  async (userId) => {
    const account = await findUser(db, userId)
    return account ? { account, card: null, phone: null, phoneChange: null } : null
  }
