import { readEvent } from '#providers/network/event.ts'
import type { ListenAddress } from '../file-schemas.ts'
import { listen } from '../listener.ts'
import { pollUntil } from '../poll-until.ts'

export type EventReceiver = {
  callbackUrl: string
  unread(): number
  find(externalIds: ReadonlySet<string>, signal: AbortSignal): Promise<{ path: string; externalId: string } | null>
  close(): Promise<void>
}

export async function startEventReceiver(place: ListenAddress & { url?: string | undefined }): Promise<EventReceiver> {
  const receivedEvents: { path: string; externalId: string }[] = []
  let unread = 0
  const { url, close } = await listen(place, ({ path, body }) => {
    const event = readEvent(body)
    if (event) receivedEvents.push({ path, externalId: event.externalId })
    else unread++
    return path.includes('/listener/')
      ? { status: 201, text: JSON.stringify({ id: 'conformance', callback: '/listener/conformance' }) }
      : { status: 204, text: '' }
  })
  return {
    callbackUrl: place.url ?? `${url}/conformance/`,
    unread: () => unread,
    find: (externalIds, signal) =>
      pollUntil(() => receivedEvents.find(({ externalId }) => externalIds.has(externalId)) ?? null, {
        ms: place.seconds * 1_000,
        signal,
      }),
    close,
  }
}
