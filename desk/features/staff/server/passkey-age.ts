import { forbidden } from '#kit/server/http-error.ts'
import { staffMessages } from '../staff.contract.ts'
import type { SignedInStaff } from './sessions.store.ts'

/**
 * Rejects a request for a second person's approval if the requester's passkey is too new. Approvals follow the same rule in
 * `getApprovalObstacle`. A passkey created through an invitation counts only after 24 hours, so that team leads see the alert
 * first. If the server's own command line made the invitation, the passkey counts immediately.
 * @throws 403
 */
export function requireOldEnoughPasskey({ isPasskeyOldEnough }: SignedInStaff): void {
  if (!isPasskeyOldEnough) throw forbidden(staffMessages.newPasskey)
}
