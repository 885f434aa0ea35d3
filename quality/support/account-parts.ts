import { accountShown } from '#features/auth/server/users.store.ts'
import { customerRead } from '#features/auth/server/visitor.store.ts'
import type { AccountParts } from '#features/auth/server/auth.deps.ts'

const nothing = async () => null
const unasked = async () => {
  throw new Error('no account has anything in this test')
}

export const noAccountParts = (): AccountParts => ({
  card: nothing,
  phone: nothing,
  whole: wholeWithoutParts,
  reassignAll: unasked,
  endRequests: unasked,
})

export const wholeWithoutParts = customerRead(
  (db, userId) => ({ accounts: accountShown(db, userId) }),
  ({ accounts: [account] }) => (account ? { account, card: null, phone: null, phoneChange: null } : null),
)
