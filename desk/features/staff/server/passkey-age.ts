import { forbidden } from '#kit/server/http-error.ts'
import { staffMessages } from '../staff.contract.ts'
import type { SignedInStaff } from './sessions.store.ts'

/**
 * Refuses requests and approvals that need two people while the person's passkey is too new. A passkey counts 24 hours after an
 * invitation made it, so that leads see the alarm first. The passkey of an invitation from the server's own command line counts at once.
 * @throws 403
 */
export function requireOldEnoughPasskey({ isPasskeyOldEnough }: SignedInStaff): void {
  if (!isPasskeyOldEnough) throw forbidden(staffMessages.newPasskey)
}
