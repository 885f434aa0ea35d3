import { forbidden } from '#kit/server/http-error.ts'
import { staffMessages } from '../staff.contract.ts'
import type { SignedInStaff } from './sessions.store.ts'

/**
 * Rejects requests and approvals that need two people while the person's passkey is too new.
 * A passkey made with an invitation counts only after 24 hours, so that leads see the alert first. When the server's own command line
 * made the invitation, the passkey counts at once.
 * @throws 403
 */
export function requireOldEnoughPasskey({ isPasskeyOldEnough }: SignedInStaff): void {
  if (!isPasskeyOldEnough) throw forbidden(staffMessages.newPasskey)
}
