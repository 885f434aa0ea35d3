import { audit } from '#kit/server/audit.ts'
import { invalid, unauthorised } from '#kit/server/refusal.ts'
import { actorOf, type SignedInVisit } from '#kit/server/visit.ts'
import { passwordAgainMessages } from '#features/auth/password-again.contract.ts'
import { checkSessionPassword } from '#features/auth/server/auth.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { ownNumberMessages } from '../own-number.contract.ts'
import type { OwnNumberDeps } from './own-number.deps.ts'
import { findSealedPuk } from './sim-packs.store.ts'

/**
 * Returns the PUK of a customer's SIM, and requires the password each time, because a PUK allows taking over a locked
 * SIM. The audit entry is written before the PUK is returned.
 * @throws 400 when the password is wrong, there is no PUK or the network does not respond; 429 after too many wrong
 * passwords
 */
export async function pukFor(
  deps: OwnNumberDeps,
  visit: SignedInVisit,
  { id, iccid }: { id: string; iccid: string },
  password: string,
): Promise<string> {
  const { userId, sessionId } = actorOf(visit)
  const user = await findUser(deps.db, userId)
  if (!user) throw unauthorised()
  if (!(await checkSessionPassword(deps, user, sessionId, password)))
    throw invalid({ password: [passwordAgainMessages.wrong] })
  const puk = await findPuk(deps, iccid)
  await audit(deps.db, deps.clock, { event: 'puk_shown', userId, sessionId, details: { service: id } })
  return puk
}

async function findPuk({ db, secrets, networkInventory, log }: OwnNumberDeps, iccid: string): Promise<string> {
  const sealed = await findSealedPuk(db, iccid)
  if (sealed !== null) return secrets.openKept('puk', sealed)
  const answer = await networkInventory.puk(iccid)
  if (answer.outcome === 'known') return answer.puk
  if (answer.outcome === 'absent') throw invalid({ __all__: [ownNumberMessages.noPuk] })
  log.warn({ reason: answer.why }, 'the network does not tell a PUK')
  throw invalid({ __all__: [ownNumberMessages.pukUnavailable] })
}
