import { accountQueryPart } from '#features/auth/server/users.store.ts'
import { createCustomerRead } from '#features/auth/server/visitor.store.ts'
import type { AccountOperations } from '#features/auth/server/auth.deps.ts'

const returnNull = async () => null
const throwUnexpected = async () => {
  throw new Error('no account has anything in this test')
}

export const createEmptyAccountParts = (): AccountOperations => ({
  card: returnNull,
  phone: returnNull,
  whole: readAccountWithoutParts,
  reassignAll: throwUnexpected,
  endRequests: throwUnexpected,
})

export const readAccountWithoutParts = createCustomerRead(
  (db, userId) => ({ accounts: accountQueryPart(db, userId) }),
  ({ accounts: [account] }) => (account ? { account, card: null, phone: null, phoneChange: null } : null),
)
