import * as v from 'valibot'

const identifier = v.pipe(v.string(), v.regex(/^[ -~]{1,100}$/))

const eventSchema = v.object({
  eventId: identifier,
  event: v.object({ serviceOrder: v.object({ externalId: identifier }) }),
})

/**
 * Reads a TMF641 event as far as it is trusted: which order to read again, and the id by which a repeat is known.
 * What the event says of the order's state is not looked at. Null for anything else.
 */
export function readEvent(body: unknown): { eventId: string; externalId: string } | null {
  const { success, output } = v.safeParse(eventSchema, body)
  return success ? { eventId: output.eventId, externalId: output.event.serviceOrder.externalId } : null
}
