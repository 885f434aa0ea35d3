import type { Limit } from '#kit/server/limits.ts'
import { type RawRequest, type Route, route } from '#kit/server/route.ts'
import { resetPassword } from '../password-reset.contract.ts'
import { requestPasswordReset, resetRequestMessages } from '../reset-request.contract.ts'
import { presentAccount } from './account.present.ts'
import type { AuthDeps } from './auth.deps.ts'
import { requestReset, validateReset, applyResetLink } from './password-reset.ts'
import { checkResetRequestLimits } from './reset-limits.ts'

const hourSeconds = 3_600

/**
 * These limits allow for mistyped passwords. There is deliberately no limit per account: a stranger could use it up,
 * and a 256-bit token cannot be guessed anyway.
 */
const resetLinkLimits = ({ visit }: RawRequest): Limit[] => [
  { key: `reset:address:${visit.clientIp}`, times: 1_200, seconds: hourSeconds },
  { key: `reset:session:${visit.session.token}`, times: 30, seconds: hourSeconds },
]

export const passwordRoutes = (deps: AuthDeps): Route[] => [
  route(
    requestPasswordReset,
    { access: 'anyone', limits: (raw) => checkResetRequestLimits(deps, raw) },
    async ({ visit, body }) => {
      await requestReset(deps, visit, body)
      return { message: resetRequestMessages.requested }
    },
  ),
  route(
    resetPassword,
    { access: 'anyone', limits: resetLinkLimits, alsoWrong: ({ params, body }) => validateReset(deps, params, body) },
    async ({ visit, params, body }) => {
      const { userId, cookies } = await applyResetLink(deps, visit, params, body)
      return { status: 200, body: await presentAccount(deps, userId), cookies }
    },
  ),
]
