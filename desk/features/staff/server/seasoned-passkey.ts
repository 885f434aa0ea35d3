import { forbidden } from '#kit/server/refusal.ts'
import { staffMessages } from '../staff.contract.ts'
import type { SignedInStaff } from './sessions.store.ts'

/**
 * Whether a person may ask for, approve or do what needs two people. A passkey counts 24 hours after an invitation made it, so that
 * leads see the alarm first. The passkey of an invitation from the server's own command line counts at once.
 */
export const isPasskeySeasoned = ({ hasSeasonedPasskey }: SignedInStaff): boolean => hasSeasonedPasskey

/** @throws 403 */
export function requireSeasonedPasskey(staff: SignedInStaff): void {
  if (!isPasskeySeasoned(staff)) throw forbidden(staffMessages.newPasskey)
}
