import type { CardNotification } from '#providers/card/card.port.ts'
import { readNotifications } from '#providers/card/notification.ts'
import type { ListenPlace } from '../file-parts.ts'
import { listen } from '../listener.ts'
import type { Settings } from '../settings.ts'
import { until } from '../until.ts'

export type Webhooks = {
  url: string
  believed(): readonly CardNotification[]
  disbelieved(): number
  find(fits: (told: CardNotification) => boolean, signal: AbortSignal): Promise<CardNotification | null>
  close(): Promise<void>
}

export async function openWebhooks(place: ListenPlace, settings: Settings): Promise<Webhooks> {
  const believed: CardNotification[] = []
  let disbelieved = 0
  const signers = {
    hmacKey: settings['CARD_HMAC_KEY'] ?? '',
    hmacKeyPrevious: settings['CARD_HMAC_KEY_PREVIOUS'] ?? null,
    merchantAccount: settings['CARD_MERCHANT_ACCOUNT'] ?? '',
  }
  const { url, close } = await listen(place, ({ body }) => {
    const told = readNotifications(body, signers)
    if (told) believed.push(...told.ours)
    else disbelieved++
    // An invalid notification is acknowledged as well. The gateway would otherwise send it again and hold back later notifications.
    return { status: 200, text: '[accepted]' }
  })
  return {
    url,
    close,
    believed: () => believed,
    disbelieved: () => disbelieved,
    find: (fits, signal) => until(() => believed.find(fits) ?? null, { ms: place.seconds * 1_000, signal }),
  }
}
