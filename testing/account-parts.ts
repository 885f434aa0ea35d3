import type { AccountParts } from '#features/auth/server/auth.deps.ts'

const nothing = async () => null
const unasked = async () => {
  throw new Error('no account has anything in this test')
}

/** Of accounts that have neither card nor phone, for routes that are tried without the rest of the product. */
export const noAccountParts: AccountParts = {
  card: nothing,
  phone: nothing,
  phoneChange: nothing,
  reassignAll: unasked,
  endRequests: unasked,
}
