/**
 * Who has something done: a customer, a person at the provider by the command line (or a desk), or the product itself.
 * `name` is at most 80 printable characters, and is kept with what they did.
 */
export type Actor =
  | { by: 'customer'; userId: string; sessionId?: string | null }
  | { by: 'operator'; name: string }
  | { by: 'system' }

export const theSystem: Actor = { by: 'system' }

/** What the audit trail keeps of an actor beside the customer's own columns; null for customers, who have theirs. */
export const nameOf = (actor: Actor): string | null =>
  actor.by === 'operator' ? `operator:${actor.name}` : actor.by === 'system' ? 'system' : null
