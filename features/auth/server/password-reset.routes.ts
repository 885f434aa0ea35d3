import type { Limit } from '#kit/server/limits.ts'
import { type RawCall, type Route, route } from '#kit/server/route.ts'
import { resetPassword } from '../password-reset.contract.ts'
import { requestPasswordReset, resetRequestMessages } from '../reset-request.contract.ts'
import { presentAccount } from './account.present.ts'
import type { AuthDeps } from './auth.deps.ts'
import { askForReset, resetFaults, resetWithLink } from './password-reset.ts'
import { limitsOfResetRequest } from './reset-limits.ts'

const hour = 3_600

/**
 * Leaves room for mistyped passwords. A token has 256 bits, so there is no limit per account, which a stranger could
 * use up.
 */
const linkLimits = ({ visit }: RawCall): Limit[] => [
  { key: `reset:address:${visit.clientIp}`, times: 1_200, seconds: hour },
  { key: `reset:session:${visit.session.token}`, times: 30, seconds: hour },
]

export const passwordRoutes = (deps: AuthDeps): Route[] => [
  route(
    requestPasswordReset,
    { access: 'anyone', limits: (raw) => limitsOfResetRequest(deps, raw) },
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
