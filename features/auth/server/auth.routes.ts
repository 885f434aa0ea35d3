import type { Limit } from '#kit/server/limits.ts'
import { type RawRequest, type Route, route } from '#kit/server/route.ts'
import { readAccount } from '../auth.contract.ts'
import { login, logout } from '../login.contract.ts'
import {
  stopAccountMail,
  readVerification,
  resendVerification,
  verifyEmail,
  verifyMessages,
} from '../verify.contract.ts'
import { presentAccount, presentAccountData } from './account.present.ts'
import type { AuthDeps } from './auth.deps.ts'
import { findVerification, confirmEmail, stopMailForLink } from './confirm-email.ts'
import { logIn, logOut } from './login.ts'
import { rejectLockedLogin } from './password-attempt.ts'
import { resendLimitsByIp, resendVerificationMail } from './resend-verification.ts'

/**
 * These limits can be generous, because nobody can guess a 256-bit token, and many of a carrier's customers may share
 * one IP address.
 */
const verificationLimits = ({ visit }: RawRequest): Limit[] => [
  { key: `verify:address:${visit.clientIp}`, times: 600, seconds: 900 },
  { key: `verify:session:${visit.session.token}`, times: 30, seconds: 900 },
]

export const authRoutes = (deps: AuthDeps): Route[] => [
  route(readAccount, { access: 'anyone', read: () => deps.accountParts.whole, values: () => ({}) }, ({ data }) =>
    presentAccountData(data),
  ),
  route(
    login,
    { access: 'anyone', limits: ({ visit, body }) => rejectLockedLogin(deps, visit, body) },
    async ({ visit, body }) => {
      const { userId, cookies } = await logIn(deps, visit, body)
      return { status: 200, body: await presentAccount(deps, userId), cookies }
    },
  ),
  route(logout, { access: 'anyone' }, async ({ visit }) => {
    const cookies = await logOut(deps, visit)
    return { status: 200, body: await presentAccount(deps, null), cookies }
  }),
  route(verifyEmail, { access: 'anyone', limits: verificationLimits }, async ({ visit, body }) => {
    const { joined } = await confirmEmail(deps, visit, body)
    return { email_verified: true as const, joined }
  }),
  route(readVerification, { access: 'anyone', limits: verificationLimits }, ({ visit, body }) =>
    findVerification(deps, visit, body.token),
  ),
  route(stopAccountMail, { access: 'anyone', limits: verificationLimits }, async ({ visit, body }) => {
    await stopMailForLink(deps, visit, body.token)
    return { mail_stopped: true as const }
  }),
  route(
    resendVerification,
    { access: 'signed-in', limits: ({ visit }) => resendLimitsByIp(visit) },
    async ({ visit }) => {
      await resendVerificationMail(deps, visit.user.id)
      return { message: verifyMessages.resent }
    },
  ),
]
