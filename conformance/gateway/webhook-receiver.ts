import type { CardNotification } from '#providers/card/card.port.ts'
import { readNotifications } from '#providers/card/notification.ts'
import type { ListenAddress } from '../file-schemas.ts'
import { listen } from '../listener.ts'
import type { Settings } from '../settings.ts'
import { pollUntil } from '../poll-until.ts'

export type WebhookReceiver = {
  url: string
  believed(): readonly CardNotification[]
  disbelieved(): number
  find(fits: (told: CardNotification) => boolean, signal: AbortSignal): Promise<CardNotification | null>
  close(): Promise<void>
}

export async function startWebhookReceiver(place: ListenAddress, settings: Settings): Promise<WebhookReceiver> {
  const acceptedNotifications: CardNotification[] = []
  let disbelieved = 0
  const webhookKeys = {
    hmacKey: settings['CARD_HMAC_KEY'] ?? '',
    hmacKeyPrevious: settings['CARD_HMAC_KEY_PREVIOUS'] ?? null,
    merchantAccount: settings['CARD_MERCHANT_ACCOUNT'] ?? '',
  }
  const { url, close } = await listen(place, ({ body }) => {
    const told = readNotifications(body, webhookKeys)
    if (told) acceptedNotifications.push(...told.ours)
    else disbelieved++
    // Invalid notifications are acknowledged too. Otherwise the gateway would keep resending them and hold back later ones.
    return { status: 200, text: '[accepted]' }
  })
  return {
    url,
    close,
    believed: () => acceptedNotifications,
    disbelieved: () => disbelieved,
    find: (fits, signal) =>
      pollUntil(() => acceptedNotifications.find(fits) ?? null, { ms: place.seconds * 1_000, signal }),
  }
}
