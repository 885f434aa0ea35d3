/**
 * The initiator of an action: a customer, a staff member at the desk, a person at the command line, or the product itself.
 * `name` has at most 80 printable characters and is stored with the action.
 */
export type Actor =
  | { by: 'customer'; userId: string; sessionId?: string | null }
  | { by: 'operator'; name: string }
  /** `reason`: one of the desk's codes, or free text. */
  | { by: 'staff'; id: string; name: string; reason: string | null }
  | { by: 'system' }

export const theSystem: Actor = { by: 'system' }

/** Text that the audit trail stores for an actor; `null` for customers, who have columns of their own. */
export function nameOf(actor: Actor): string | null {
  if (actor.by === 'operator') return `operator:${actor.name}`
  if (actor.by === 'staff') return `staff:${actor.name}`
  return actor.by === 'system' ? 'system' : null
}
