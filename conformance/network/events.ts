import { readEvent } from '#providers/network/event.ts'
import type { ListenPlace } from '../file-parts.ts'
import { listen } from '../listener.ts'
import { until } from '../until.ts'

export type Events = {
  callbackUrl: string
  unread(): number
  find(externalIds: ReadonlySet<string>, signal: AbortSignal): Promise<{ path: string; externalId: string } | null>
  close(): Promise<void>
}

export async function openEvents(place: ListenPlace & { url?: string | undefined }): Promise<Events> {
  const heard: { path: string; externalId: string }[] = []
  let unread = 0
  const { url, close } = await listen(place, ({ path, body }) => {
    const event = readEvent(body)
    if (event) heard.push({ path, externalId: event.externalId })
    else unread++
    return path.includes('/listener/')
      ? { status: 201, text: JSON.stringify({ id: 'conformance', callback: '/listener/conformance' }) }
      : { status: 204, text: '' }
  })
  return {
    callbackUrl: place.url ?? `${url}/conformance/`,
    unread: () => unread,
    find: (externalIds, signal) =>
      until(() => heard.find(({ externalId }) => externalIds.has(externalId)) ?? null, {
        ms: place.seconds * 1_000,
        signal,
      }),
    close,
  }
}
