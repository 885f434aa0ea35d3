/**
 * Who has something done: a customer, a member of staff at the desk, a person with the command line, or the product itself.
 * `name` is at most 80 printable characters, and is kept with what they did.
 */
export type Actor =
  | { by: 'customer'; userId: string; sessionId?: string | null }
  | { by: 'operator'; name: string }
  /** `reason`: one of the desk's codes, or their own words. */
  | { by: 'staff'; id: string; name: string; reason: string | null }
  | { by: 'system' }

export const theSystem: Actor = { by: 'system' }

/** What the audit trail keeps of an actor beside the customer's own columns; null for customers, who have theirs. */
export function nameOf(actor: Actor): string | null {
  if (actor.by === 'operator') return `operator:${actor.name}`
  if (actor.by === 'staff') return `staff:${actor.name}`
  return actor.by === 'system' ? 'system' : null
}
