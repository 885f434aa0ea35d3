import * as v from 'valibot'

const identifierSchema = v.pipe(v.string(), v.regex(/^[ -~]{1,100}$/))

const eventSchema = v.object({
  eventId: identifierSchema,
  event: v.object({
    serviceOrder: v.object({ externalId: identifierSchema, state: v.fallback(v.nullish(identifierSchema), null) }),
  }),
})

/** A network event about an order. `state` is the network's own term, or `null` if the event has none. */
type NetworkEvent = { eventId: string; externalId: string; state: string | null }

/**
 * Reads the trusted part of a TMF641 event: which order to read again, and the event id that identifies a repeat. The state is used only to
 * decide whether reading the order can wait. Returns `null` if the body is not such an event.
 */
export function readEvent(body: unknown): NetworkEvent | null {
  const { success, output } = v.safeParse(eventSchema, body)
  if (!success) return null
  const { externalId, state } = output.event.serviceOrder
  return { eventId: output.eventId, externalId, state: state ?? null }
}
