import type { BodyOf } from '#kit/contract/endpoint.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { invalid, type Refusal } from '#kit/server/refusal.ts'
import type { Visit } from '#kit/server/visit.ts'
import { allowMail, stopMail } from '#features/messages/server/mail-stops.store.ts'
import { type Verification, type verifyEmail, verifyMessages } from '../verify.contract.ts'
import { accountIsBlocked } from './auth.ts'
import type { AuthDeps } from './auth.deps.ts'
import { joinAccounts } from './join-accounts.ts'
import { isBrowserOfAccount, checkLoginPassword } from './account-browser.ts'
import { findToken, takeToken, voidTokens } from './tokens.store.ts'
import { findVerifiedAccount, findUser, isEmailTaken, lockUsers, markVerified, type User } from './users.store.ts'

type Linked = { account: User; holder: User | undefined }

/** @throws 400 when the link is invalid */
export async function aboutVerification(deps: AuthDeps, visit: Visit, token: string): Promise<Verification> {
  const { account, holder } = await follow(deps, token)
  const phone = await deps.accountParts.phone(account.id)
  return {
    phone_number: phone?.phone_display ?? null,
    needs_password: !isBrowserOfAccount(deps, visit, account),
    needs_account_password: holder !== undefined && visit.user?.id !== holder.id,
  }
}

/**
 * Confirms the address of an account by the link and by its password or its browser. If another account has verified
 * the address, a caller who proves ownership of both merges the new account into it.
 * @throws 400 when the link is used, expired or unknown, or the account has a different address by now. Also 400 when a
 * password is missing or wrong; the link then stays valid
 */
export async function confirmEmail(
  deps: AuthDeps,
  visit: Visit,
  body: BodyOf<typeof verifyEmail>,
): Promise<{ joined: boolean }> {
  const linked = await follow(deps, body.token)
  await requirePasswords(deps, visit, linked, body)
  try {
    return await transact(deps.db, (trx) => confirm(trx, deps, visit, { ...linked, token: body.token }))
  } catch (error) {
    // Another account has verified the address at this moment. To be merged, the caller must prove ownership of that
    // account too.
    if (isEmailTaken(error)) return confirmEmail(deps, visit, body)
    throw error
  }
}

async function follow({ db, clock }: AuthDeps, token: string): Promise<Linked> {
  const link = await findToken(db, { token, purpose: 'verify' }, clock.now())
  const account = link && (await findUser(db, link.user_id))
  if (!account || account.email !== link.email) throw linkIsNoGood()
  const holder = await findVerifiedAccount(db, account.email)
  return { account, holder: holder?.id === account.id ? undefined : holder }
}

async function requirePasswords(
  deps: AuthDeps,
  visit: Visit,
  { account, holder }: Linked,
  typed: { password: string; account_password: string },
): Promise<void> {
  const errors: FieldErrors = {}
  const requirePassword = async (
    field: 'password' | 'account_password',
    whose: User,
    sentences: { missing: string; wrong: string },
  ): Promise<void> => {
    if (typed[field] === '') errors[field] = [sentences.missing]
    else if (!(await checkLoginPassword(deps, visit, whose, typed[field]))) errors[field] = [sentences.wrong]
  }
  if (!isBrowserOfAccount(deps, visit, account))
    await requirePassword('password', account, {
      missing: verifyMessages.password,
      wrong: verifyMessages.passwordWrong,
    })
  if (holder && visit.user?.id !== holder.id) {
    await requirePassword('account_password', holder, {
      missing: verifyMessages.accountPassword,
      wrong: verifyMessages.accountPasswordWrong,
    })
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

async function confirm(
  trx: Trx,
  deps: AuthDeps,
  visit: Visit,
  { account, holder, token }: Linked & { token: string },
): Promise<{ joined: boolean }> {
  const now = deps.clock.now()
  // Lock order: the accounts, then their tokens, in every transaction that needs both.
  const locked = await lockUsers(trx, [account.id, ...(holder ? [holder.id] : [])])
  const [from, into] = [account, holder].map((wanted) => locked.find(({ id }) => id === wanted?.id))
  const taken = await takeToken(trx, { token, purpose: 'verify', userId: account.id }, now)
  // The proof must still be valid: a password that was replaced meanwhile no longer counts.
  if (!from || !taken || taken.email !== from.email || from.password_hash !== account.password_hash)
    throw linkIsNoGood()
  if (from.blocked_at || into?.blocked_at) throw accountIsBlocked(deps)
  if (holder) {
    if (!into || into.email !== from.email || !into.email_verified_at || into.password_hash !== holder.password_hash)
      throw linkIsNoGood()
    await joinAccounts(trx, deps, { from, into }, visit.session.id)
    return { joined: true }
  }
  await markVerified(trx, from.id, from.email, now)
  await voidTokens(trx, from.id, ['verify'], now)
  await allowMail(trx, from.id)
  await audit(trx, deps.clock, { event: 'email_verified', userId: from.id, sessionId: visit.session.id })
  return { joined: false }
}

/**
 * "This was not me": stops all mail about the account to this address. The creator of the account loses nothing.
 * @throws 400 when the link is invalid
 */
export async function stopMailByLink(deps: AuthDeps, visit: Visit, token: string): Promise<void> {
  const now = deps.clock.now()
  const { account } = await follow(deps, token)
  await transact(deps.db, async (trx) => {
    const [owner] = await lockUsers(trx, [account.id])
    const taken = await takeToken(trx, { token, purpose: 'verify', userId: account.id }, now)
    if (!owner || !taken || taken.email !== owner.email) throw linkIsNoGood()
    // The address was confirmed meanwhile, so its owner wants the mail.
    if (owner.email_verified_at) return
    await voidTokens(trx, owner.id, ['verify', 'reset'], now)
    await stopMail(trx, owner.id, now)
    await audit(trx, deps.clock, { event: 'address_disowned', userId: owner.id, sessionId: visit.session.id })
  })
}

const linkIsNoGood = (): Refusal => invalid({ token: [verifyMessages.invalid] })
