import { transact } from '#kit/server/db.ts'
import type { Limit } from '#kit/server/limits.ts'
import { conflict } from '#kit/server/refusal.ts'
import type { Visit } from '#kit/server/visit.ts'
import { isMailStopped } from '#features/messages/server/mail-stops.store.ts'
import { verifyMessages } from '../verify.contract.ts'
import { issueVerification } from './auth.ts'
import type { AuthDeps } from './auth.deps.ts'
import { voidTokens } from './tokens.store.ts'
import { findUser, lockUser } from './users.store.ts'
import { sendVerificationMail } from './verification.mail.ts'

const hour = 3_600

/** An e-mail address has a limit of its own: several accounts may give the same one. Links sent before stay good for a week. */
export async function resendLimits({ db }: Pick<AuthDeps, 'db'>, { user, clientIp }: Visit): Promise<Limit[]> {
  const account = user && (await findUser(db, user.id))
  const ofAccount = account
    ? [
        { key: `resend-verification:account:${account.id}`, times: 5, seconds: hour },
        { key: `resend-verification:email:${account.email}`, times: 12, seconds: hour, isStrict: true as const },
      ]
    : []
  return [{ key: `resend-verification:address:${clientIp}`, times: 300, seconds: hour }, ...ofAccount]
}

/** Sends a new link to confirm the address; those sent before lead nowhere from now on. Nothing is sent when it is confirmed. */
export async function resendVerificationMail(deps: AuthDeps, userId: string): Promise<void> {
  const now = deps.clock.now()
  await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, userId)
    if (!user || user.email_verified_at) return
    if (await isMailStopped(trx, userId)) throw conflict(verifyMessages.stopped)
    await voidTokens(trx, userId, ['verify'], now)
    const token = await issueVerification(trx, userId, now)
    if (token) await sendVerificationMail(trx, deps, user, token)
  })
}
