import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { formError, HttpError } from '#kit/server/http-error.ts'
import { type ConfirmationResponse, confirmationMessages } from '../confirmation.contract.ts'
import { findPasskey, recordPasskeyUse } from './passkeys.store.ts'
import { createSignInChallenge, checkSignIn } from './passkeys.ts'
import type { SignedInStaff } from './sessions.store.ts'
import { toStaffActor } from './staff.guard.ts'
import type { StaffDeps } from './staff.deps.ts'
import type { DeskRequestContext } from './desk-request-context.ts'

/** Returns a passkey challenge that confirms one action in this session. It cannot be used to confirm a different action or to sign in. */
export const createActionChallenge = (
  deps: StaffDeps,
  visit: DeskRequestContext,
  act: string,
): Promise<Record<string, unknown>> => createSignInChallenge(deps, challengeKey(visit, act))

type Confirmation = { visit: DeskRequestContext; staff: SignedInStaff; act: string; answer: ConfirmationResponse }

/**
 * Checks a passkey confirmation.
 * @throws 403 without a passkey response, 400 unless this person's passkey has signed a challenge for this action
 */
export async function requireActionConfirmation(
  deps: StaffDeps,
  { visit, staff, act, answer }: Confirmation,
): Promise<void> {
  if (answer === null) {
    // Demo staff have no passkeys, so clicking the button is enough for them.
    if (deps.isDemo && staff.passkeys === 0) return
    throw new HttpError(403, { code: confirmationMessages.needed, confirm: true })
  }
  const passkey = await findPasskey(deps.db, answer.id)
  const passkeyCheck =
    passkey?.staff_id === staff.id &&
    (await checkSignIn(deps, challengeKey(visit, act), answer, { ...passkey, credential_id: answer.id }))
  const isConfirmed =
    passkey !== undefined &&
    passkeyCheck &&
    (await transact(deps.db, (trx) =>
      recordPasskeyUse(trx, passkey.id, { from: Number(passkey.counter), to: passkeyCheck.counter }),
    ))
  if (isConfirmed) return
  await audit(deps.db, deps.clock, { event: 'staff_refused', actor: toStaffActor(staff), details: { act } })
  throw formError(confirmationMessages.failed)
}

/** Binds a challenge to the session and the action, by adding the action to the session's token. */
const challengeKey = ({ session }: DeskRequestContext, act: string): string => `${session.token} ${act}`
