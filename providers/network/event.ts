import * as v from 'valibot'

const identifier = v.pipe(v.string(), v.regex(/^[ -~]{1,100}$/))

const eventSchema = v.object({
  eventId: identifier,
  event: v.object({
    serviceOrder: v.object({ externalId: identifier, state: v.fallback(v.nullish(identifier), null) }),
  }),
})

/** What the network tells of an order; `state` in its own words, null where it says none. */
type NetworkEvent = { eventId: string; externalId: string; state: string | null }

/**
 * Reads a TMF641 event as far as it is trusted: which order to read again, and the id by which a repeat is known. By the state nothing
 * is decided but whether reading can wait. Null for anything else.
 */
export function readEvent(body: unknown): NetworkEvent | null {
  const { success, output } = v.safeParse(eventSchema, body)
  if (!success) return null
  const { externalId, state } = output.event.serviceOrder
  return { eventId: output.eventId, externalId, state: state ?? null }
}
