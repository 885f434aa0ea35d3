import * as v from 'valibot'
import { knownDevice } from '#kit/server/known-device.ts'
import { inEpoch, type Limit } from '#kit/server/limits.ts'
import { isStorable } from '#kit/server/read-part.ts'
import { type RawCall, type Route, route } from '#kit/server/route.ts'
import { resetPassword } from '../password-reset.contract.ts'
import { requestPasswordReset, resetRequestMessages, resetRequestSchema } from '../reset-request.contract.ts'
import { presentAccount } from './account.present.ts'
import type { AuthDeps } from './auth.deps.ts'
import { epochOf } from './login-limits.ts'
import { askForReset, resetFaults, resetWithLink } from './password-reset.ts'
import { findAccountsOf, signedIn } from './users.store.ts'

const hour = 3_600

/**
 * An e-mail address counts whether or not anybody has it: five times an hour for each place that asks for it, so that asking
 * from elsewhere does not keep its owner from it. A browser that has signed in to one of its accounts has a count of its own. The
 * address that a request comes from may be a whole carrier's, and is counted with room for that.
 */
async function requestLimits({ db, secrets }: AuthDeps, { visit, body }: RawCall): Promise<Limit[]> {
  const anywhere = [
    { key: `reset-request:address:${visit.clientIp}`, times: 300, seconds: hour },
    { key: `reset-request:session:${visit.session.token}`, times: 5, seconds: hour },
  ]
  const asked = v.safeParse(resetRequestSchema, body)
  if (!asked.success || !isStorable(asked.output)) return anywhere
  const { email } = asked.output
  const accounts = await findAccountsOf(db, email)
  const device = accounts.map((account) => knownDevice(secrets, visit, signedIn(account))).find(Boolean)
  const epoch = epochOf(accounts)
  if (device) return [{ key: inEpoch(`reset-request:device:${device}`, epoch), times: 5, seconds: hour }]
  // Many together shall not fill a mailbox either.
  return [
    ...anywhere,
    { key: inEpoch(`reset-request:email:${email}`, epoch), times: 30, seconds: hour },
    { key: inEpoch(`reset-request:email:${email}:from:${visit.clientIp}`, epoch), times: 5, seconds: hour },
  ]
}

/** For mistyped passwords there is room; a token has 256 bits, so nothing is counted for the account, which a stranger could use up. */
const linkLimits = ({ visit }: RawCall): Limit[] => [
  { key: `reset:address:${visit.clientIp}`, times: 1_200, seconds: hour },
  { key: `reset:session:${visit.session.token}`, times: 30, seconds: hour },
]

export const passwordRoutes = (deps: AuthDeps): Route[] => [
  route(
    requestPasswordReset,
    { access: 'anyone', limits: (raw) => requestLimits(deps, raw) },
    async ({ visit, body }) => {
      await askForReset(deps, visit, body)
      return { message: resetRequestMessages.requested }
    },
  ),
  route(
    resetPassword,
    { access: 'anyone', limits: linkLimits, alsoWrong: ({ params, body }) => resetFaults(deps, params, body) },
    async ({ visit, params, body }) => {
      const { userId, cookies } = await resetWithLink(deps, visit, params, body)
      return { status: 200, body: await presentAccount(deps, userId), cookies }
    },
  ),
]
