import * as v from 'valibot'
import type { Limit } from '#kit/server/limits.ts'
import { type RawCall, type Route, route } from '#kit/server/route.ts'
import { requestPasswordReset, resetMessages, resetPassword, resetRequestSchema } from '../password-reset.contract.ts'
import { presentAccount } from './account.present.ts'
import type { AuthDeps } from './auth.deps.ts'
import { askForReset, resetWithLink } from './password-reset.ts'

const hour = 3_600

/** The address counts whether or not anybody has it. It comes last: whoever is stopped before does not use up its owner's. */
function requestLimits({ visit, body }: RawCall): Limit[] {
  const asked = v.safeParse(resetRequestSchema, body)
  return [
    { key: `reset-request:session:${visit.session.token}`, times: 5, seconds: hour },
    { key: `reset-request:address:${visit.address}`, times: 20, seconds: hour },
    ...(asked.success ? [{ key: `reset-request:email:${asked.output.email}`, times: 5, seconds: hour }] : []),
  ]
}

/** For mistyped passwords there is room; a token has 256 bits, so nothing is counted for the account, which a stranger could use up. */
const linkLimits = ({ visit }: RawCall): Limit[] => [
  { key: `reset:session:${visit.session.token}`, times: 30, seconds: hour },
  { key: `reset:address:${visit.address}`, times: 120, seconds: hour },
]

export const passwordRoutes = (deps: AuthDeps): Route[] => [
  route(requestPasswordReset, { access: 'anyone', limits: requestLimits }, async ({ visit, body }) => {
    await askForReset(deps, visit, body.email)
    return { message: resetMessages.requested }
  }),
  route(resetPassword, { access: 'anyone', limits: linkLimits }, async ({ visit, params, body }) => {
    const userId = await resetWithLink(deps, visit, params, body)
    return presentAccount(deps, userId)
  }),
]
