import { audit } from '#kit/server/audit.ts'
import { badRequest, unauthorised } from '#kit/server/http-error.ts'
import { toCustomerActor, type SignedInContext } from '#kit/server/request-context.ts'
import { passwordConfirmationMessages } from '#features/auth/password-confirmation.contract.ts'
import { checkSessionPassword } from '#features/auth/server/auth.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { ownNumberMessages } from '../own-number.contract.ts'
import type { OwnNumberDeps } from './own-number.deps.ts'
import { findSealedPuk } from './sim-packs.store.ts'

/**
 * Returns the PUK of a customer's SIM. The password is required each time, because a PUK lets its holder take over a
 * locked SIM. The audit entry is written before the PUK is returned.
 * @throws 400 when the password is wrong, there is no PUK or the network does not respond; 429 after too many wrong
 * passwords
 */
export async function readOwnPuk(
  deps: OwnNumberDeps,
  visit: SignedInContext,
  { id, iccid }: { id: string; iccid: string },
  password: string,
): Promise<string> {
  const { userId, sessionId } = toCustomerActor(visit)
  const user = await findUser(deps.db, userId)
  if (!user) throw unauthorised()
  if (!(await checkSessionPassword(deps, user, sessionId, password)))
    throw badRequest({ password: [passwordConfirmationMessages.wrong] })
  const puk = await findPuk(deps, iccid)
  await audit(deps.db, deps.clock, { event: 'puk_shown', userId, sessionId, details: { service: id } })
  return puk
}

async function findPuk({ db, secrets, networkInventory, log }: OwnNumberDeps, iccid: string): Promise<string> {
  const sealedPuk = await findSealedPuk(db, iccid)
  if (sealedPuk !== null) return secrets.openKept('puk', sealedPuk)
  const pukResponse = await networkInventory.puk(iccid)
  if (pukResponse.outcome === 'known') return pukResponse.puk
  if (pukResponse.outcome === 'absent') throw badRequest({ __all__: [ownNumberMessages.noPuk] })
  log.warn({ reason: pukResponse.why }, 'the network did not return a PUK')
  throw badRequest({ __all__: [ownNumberMessages.pukUnavailable] })
}
