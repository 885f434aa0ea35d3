import { transact, type Trx } from '#kit/server/db.ts'
import { countFirstAvailableLimits, type Limit } from '#kit/server/limits.ts'
import { conflict } from '#kit/server/http-error.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { isMailStopped } from '#features/messages/server/mail-stops.store.ts'
import { verifyMessages } from '../verify.contract.ts'
import { issueVerificationToken } from './auth.ts'
import type { AuthDeps } from './auth.deps.ts'
import { invalidateTokens } from './tokens.store.ts'
import { lockUser, type User } from './users.store.ts'
import { sendVerificationMail } from './verification.mail.ts'

const hourSeconds = 3_600

const [maxForAccount, maxForAddress, reservedForAccount] = [5, 12, 1]

/** The limit per IP address is high, because many of a carrier's customers may share one address. */
export const resendLimitsByIp = ({ clientIp }: RequestContext): Limit[] => [
  { key: `resend-verification:address:${clientIp}`, times: 300, seconds: hourSeconds },
]

/**
 * Counts a verification email before it is sent. Accounts that share an email address also share a limit. Beyond it,
 * each account may still send one email an hour; otherwise strangers with accounts for the address could use up its
 * owner's emails.
 * @throws 429 with Retry-After
 */
async function countVerificationMail(trx: Trx, { id, email }: User): Promise<void> {
  const accountLimit = { key: `resend-verification:account:${id}`, times: maxForAccount, seconds: hourSeconds }
  const addressLimit = {
    key: `resend-verification:email:${email}`,
    times: maxForAddress,
    seconds: hourSeconds,
    isStrict: true as const,
  }
  const reservedLimit = {
    key: `resend-verification:reserved:${id}`,
    times: reservedForAccount,
    seconds: hourSeconds,
    isStrict: true as const,
  }
  await countFirstAvailableLimits(trx, [
    [accountLimit, addressLimit],
    [accountLimit, reservedLimit],
  ])
}

/**
 * Emails a new verification link and invalidates the earlier ones. Sends nothing if the address has already been
 * verified.
 * @throws 409 when the address's owner has stopped emails about the account, 429 after too many emails
 */
export async function resendVerificationMail(deps: AuthDeps, userId: string): Promise<void> {
  const now = deps.clock.now()
  await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, userId)
    if (!user || user.email_verified_at) return
    if (await isMailStopped(trx, userId)) throw conflict(verifyMessages.stopped)
    await countVerificationMail(trx, user)
    await invalidateTokens(trx, userId, ['verify'], now)
    const token = await issueVerificationToken(trx, userId, now)
    if (token) await sendVerificationMail(trx, deps, user, token)
  })
}
