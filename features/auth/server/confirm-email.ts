import type { EndpointBody } from '#kit/contract/endpoint.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { badRequest, type HttpError } from '#kit/server/http-error.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { allowMailToUser, stopMailToUser } from '#features/messages/server/mail-stops.store.ts'
import { type Verification, type verifyEmail, verifyMessages } from '../verify.contract.ts'
import { blockedAccountError } from './auth.ts'
import type { AuthDeps } from './auth.deps.ts'
import { joinAccounts } from './join-accounts.ts'
import { isAccountBrowser, checkLoginPassword } from './account-browser.ts'
import { findToken, consumeToken, invalidateTokens } from './tokens.store.ts'
import { findVerifiedAccount, findUser, isEmailTaken, lockUsers, markEmailVerified, type User } from './users.store.ts'

type LinkedAccounts = { account: User; holder: User | undefined }

/** @throws 400 when the link is invalid */
export async function findVerification(deps: AuthDeps, visit: RequestContext, token: string): Promise<Verification> {
  const { account, holder } = await findLinkedAccounts(deps, token)
  const phone = await deps.accountParts.phone(account.id)
  return {
    phone_number: phone?.phone_display ?? null,
    needs_password: !isAccountBrowser(deps, visit, account),
    needs_account_password: holder !== undefined && visit.user?.id !== holder.id,
  }
}

/**
 * Confirms the email address of the account the link was sent for. The caller must use a browser that belongs to the
 * account, or enter its password. If another account has already verified the address, a caller who proves that they
 * own both accounts merges the new one into it.
 * @throws 400 when the link has been used, has expired or is unknown, or the account's address has changed; also when a
 * password is missing or wrong, in which case the link stays valid
 */
export async function confirmEmail(
  deps: AuthDeps,
  visit: RequestContext,
  body: EndpointBody<typeof verifyEmail>,
): Promise<{ joined: boolean }> {
  const linkedAccounts = await findLinkedAccounts(deps, body.token)
  await requirePasswords(deps, visit, linkedAccounts, body)
  try {
    return await transact(deps.db, (trx) =>
      confirmLockedAccount(trx, deps, visit, { ...linkedAccounts, token: body.token }),
    )
  } catch (error) {
    // Another account has just verified the address, so the caller now has to prove that they own that account too.
    if (isEmailTaken(error)) return confirmEmail(deps, visit, body)
    throw error
  }
}

async function findLinkedAccounts({ db, clock }: AuthDeps, token: string): Promise<LinkedAccounts> {
  const link = await findToken(db, { token, purpose: 'verify' }, clock.now())
  const account = link && (await findUser(db, link.user_id))
  if (!account || account.email !== link.email) throw invalidLinkError()
  const verifiedAccount = await findVerifiedAccount(db, account.email)
  return { account, holder: verifiedAccount?.id === account.id ? undefined : verifiedAccount }
}

async function requirePasswords(
  deps: AuthDeps,
  visit: RequestContext,
  { account, holder }: LinkedAccounts,
  enteredPasswords: { password: string; account_password: string },
): Promise<void> {
  const errors: FieldErrors = {}
  const requirePassword = async (
    field: 'password' | 'account_password',
    accountToProve: User,
    fieldMessages: { missing: string; wrong: string },
  ): Promise<void> => {
    if (enteredPasswords[field] === '') errors[field] = [fieldMessages.missing]
    else if (!(await checkLoginPassword(deps, visit, accountToProve, enteredPasswords[field])))
      errors[field] = [fieldMessages.wrong]
  }
  if (!isAccountBrowser(deps, visit, account))
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
  if (Object.keys(errors).length > 0) throw badRequest(errors)
}

async function confirmLockedAccount(
  trx: Trx,
  deps: AuthDeps,
  visit: RequestContext,
  { account, holder, token }: LinkedAccounts & { token: string },
): Promise<{ joined: boolean }> {
  const now = deps.clock.now()
  // Lock order: any transaction that locks both accounts and tokens must lock the accounts first.
  const lockedUsers = await lockUsers(trx, [account.id, ...(holder ? [holder.id] : [])])
  const [unverifiedAccount, verifiedAccount] = [account, holder].map((expectedAccount) =>
    lockedUsers.find(({ id }) => id === expectedAccount?.id),
  )
  const usedToken = await consumeToken(trx, { token, purpose: 'verify', userId: account.id }, now)
  // The password was checked before this lock was taken, so reject the link if the password has changed in between.
  if (
    !unverifiedAccount ||
    !usedToken ||
    usedToken.email !== unverifiedAccount.email ||
    unverifiedAccount.password_hash !== account.password_hash
  )
    throw invalidLinkError()
  if (unverifiedAccount.blocked_at || verifiedAccount?.blocked_at) throw blockedAccountError(deps)
  if (holder) {
    if (
      !verifiedAccount ||
      verifiedAccount.email !== unverifiedAccount.email ||
      !verifiedAccount.email_verified_at ||
      verifiedAccount.password_hash !== holder.password_hash
    )
      throw invalidLinkError()
    await joinAccounts(trx, deps, { from: unverifiedAccount, into: verifiedAccount }, visit.session.id)
    return { joined: true }
  }
  await markEmailVerified(trx, unverifiedAccount.id, unverifiedAccount.email, now)
  await invalidateTokens(trx, unverifiedAccount.id, ['verify'], now)
  await allowMailToUser(trx, unverifiedAccount.id)
  await audit(trx, deps.clock, { event: 'email_verified', userId: unverifiedAccount.id, sessionId: visit.session.id })
  return { joined: false }
}

/**
 * Handles “This wasn’t me”: this address gets no more emails about the account. The account and its services are kept.
 * @throws 400 when the link is invalid
 */
export async function stopMailForLink(deps: AuthDeps, visit: RequestContext, token: string): Promise<void> {
  const now = deps.clock.now()
  const { account } = await findLinkedAccounts(deps, token)
  await transact(deps.db, async (trx) => {
    const [owner] = await lockUsers(trx, [account.id])
    const usedToken = await consumeToken(trx, { token, purpose: 'verify', userId: account.id }, now)
    if (!owner || !usedToken || usedToken.email !== owner.email) throw invalidLinkError()
    // The address was confirmed after this page was opened, so its owner does want the emails.
    if (owner.email_verified_at) return
    await invalidateTokens(trx, owner.id, ['verify', 'reset'], now)
    await stopMailToUser(trx, owner.id, now)
    await audit(trx, deps.clock, { event: 'address_disowned', userId: owner.id, sessionId: visit.session.id })
  })
}

const invalidLinkError = (): HttpError => badRequest({ token: [verifyMessages.invalid] })
