import * as v from 'valibot'

const identifier = v.pipe(v.string(), v.regex(/^[ -~]{1,100}$/))

const eventSchema = v.object({
  eventId: identifier,
  event: v.object({
    serviceOrder: v.object({ externalId: identifier, state: v.fallback(v.nullish(identifier), null) }),
  }),
})

/** A network event about an order. `state` is the network's own word, or `null` if the event has none. */
type NetworkEvent = { eventId: string; externalId: string; state: string | null }

/**
 * Reads the trusted part of a TMF641 event: the order to read again, and the event id that identifies a repeat.
 * The state only decides whether reading the order can wait. Returns `null` for a body that is not such an event.
 */
export function readEvent(body: unknown): NetworkEvent | null {
  const { success, output } = v.safeParse(eventSchema, body)
  if (!success) return null
  const { externalId, state } = output.event.serviceOrder
  return { eventId: output.eventId, externalId, state: state ?? null }
}
