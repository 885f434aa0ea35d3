import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { type Route, route } from '#kit/server/route.ts'
import { readAccount } from '../auth.contract.ts'
import { verifyEmail } from '../verify.contract.ts'
import { confirmEmail } from './auth.ts'
import { findUser } from './users.store.ts'

export const authRoutes = ({ db, clock }: { db: Db; clock: Clock }): Route[] => [
  route(readAccount, { access: 'anyone' }, async ({ visit }) => {
    const user = visit.user && (await findUser(db, visit.user.id))
    if (!user) return { authenticated: false, user: null }
    return {
      authenticated: true,
      user: {
        email: user.email,
        email_verified: user.email_verified_at !== null,
        first_name: user.first_name,
        last_name: user.last_name,
        phone: null,
        phone_display: null,
        last_updated: user.updated_at.toISOString(),
        credit_card_token: null,
        email_verification: null,
      },
    }
  }),
  route(
    verifyEmail,
    { access: 'anyone', limits: ({ visit }) => [{ key: `verify:address:${visit.address}`, times: 60, seconds: 900 }] },
    async ({ body }) => {
      await confirmEmail({ db, clock }, body.token)
      return { email_verified: true as const }
    },
  ),
]
