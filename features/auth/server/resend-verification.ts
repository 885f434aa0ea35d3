import { transact, type Trx } from '#kit/server/db.ts'
import { countUseOfOne, type Limit } from '#kit/server/limits.ts'
import { conflict } from '#kit/server/refusal.ts'
import type { Visit } from '#kit/server/visit.ts'
import { isMailStopped } from '#features/messages/server/mail-stops.store.ts'
import { verifyMessages } from '../verify.contract.ts'
import { issueVerification } from './auth.ts'
import type { AuthDeps } from './auth.deps.ts'
import { voidTokens } from './tokens.store.ts'
import { lockUser, type User } from './users.store.ts'
import { sendVerificationMail } from './verification.mail.ts'

const hour = 3_600

const [maxForAccount, maxForAddress, reservedForAccount] = [5, 12, 1]

/** A whole carrier may share one IP address. */
export const resendLimits = ({ clientIp }: Visit): Limit[] => [
  { key: `resend-verification:address:${clientIp}`, times: 300, seconds: hour },
]

/**
 * Counts a mail before it is sent. Several accounts may claim one email address, so the address has a limit over all of
 * them. One mail per account is exempt, so that strangers with accounts on the address cannot use up its owner's mails.
 * @throws 429 with Retry-After
 */
async function countMail(trx: Trx, { id, email }: User): Promise<void> {
  const ofAccount = { key: `resend-verification:account:${id}`, times: maxForAccount, seconds: hour }
  const ofAddress = {
    key: `resend-verification:email:${email}`,
    times: maxForAddress,
    seconds: hour,
    isStrict: true as const,
  }
  const reserved = {
    key: `resend-verification:reserved:${id}`,
    times: reservedForAccount,
    seconds: hour,
    isStrict: true as const,
  }
  await countUseOfOne(trx, [
    [ofAccount, ofAddress],
    [ofAccount, reserved],
  ])
}

/**
 * Sends a new verification link and voids the earlier links. Sends nothing when the address is verified.
 * @throws 409 when the address's owner has stopped mail, 429 after too many mails
 */
export async function resendVerificationMail(deps: AuthDeps, userId: string): Promise<void> {
  const now = deps.clock.now()
  await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, userId)
    if (!user || user.email_verified_at) return
    if (await isMailStopped(trx, userId)) throw conflict(verifyMessages.stopped)
    await countMail(trx, user)
    await voidTokens(trx, userId, ['verify'], now)
    const token = await issueVerification(trx, userId, now)
    if (token) await sendVerificationMail(trx, deps, user, token)
  })
}
