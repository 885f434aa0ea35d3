/**
 * The customer, staff member, operator or system that performs an action. A `name` has at most 80 printable characters and is stored with
 * the action.
 */
export type Actor =
  | { by: 'customer'; userId: string; sessionId?: string | null }
  | { by: 'operator'; name: string }
  | { by: 'staff'; id: string; name: string; reason: string | null }
  | { by: 'system' }

export const systemActor: Actor = { by: 'system' }

/** Returns the actor as text, or `null` for a customer, whose id has a column of its own. */
export function formatActor(actor: Actor): string | null {
  if (actor.by === 'operator') return `operator:${actor.name}`
  if (actor.by === 'staff') return `staff:${actor.name}`
  return actor.by === 'system' ? 'system' : null
}
