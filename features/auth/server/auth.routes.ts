import { type Route, route } from '#kit/server/route.ts'
import { readAccount } from '../auth.contract.ts'
import { verifyEmail } from '../verify.contract.ts'
import { presentAccount } from './account.present.ts'
import { confirmEmail } from './auth.ts'
import type { AuthDeps } from './auth.deps.ts'

export const authRoutes = (deps: AuthDeps): Route[] => [
  route(readAccount, { access: 'anyone' }, ({ visit }) => presentAccount(deps, visit.user?.id ?? null)),
  route(
    verifyEmail,
    { access: 'anyone', limits: ({ visit }) => [{ key: `verify:address:${visit.address}`, times: 60, seconds: 900 }] },
    async ({ body }) => {
      await confirmEmail(deps, body.token)
      return { email_verified: true as const }
    },
  ),
]
