import type { CardNotification } from '#providers/card/card.port.ts'
import { skip, type Step } from '../step.ts'
import type { Expected, GatewayWorld } from './gateway-world.ts'
import type { Webhooks } from './webhooks.ts'

type GatewayStep = Step<GatewayWorld>

const heard = ({ webhooks, expected }: GatewayWorld): { webhooks: Webhooks; expected: Expected[] } => {
  if (!webhooks) return skip('the file has no "listen" at which webhooks could be heard')
  if (expected.length === 0) return skip('nothing was done that could be told of')
  return { webhooks, expected }
}

const signature: GatewayStep = {
  name: 'webhook-signature',
  tries: 'whether a webhook comes, signed with CARD_HMAC_KEY and of CARD_MERCHANT_ACCOUNT',
  matters: 'Outcomes of captures and refunds stay unknown: webhooks that are not signed so are not believed.',
  async run(world, notes) {
    const { webhooks } = heard(world)
    const any = await webhooks.find(() => true, notes.signal)
    const [believed, not] = [webhooks.believed().length, webhooks.disbelieved()]
    notes.came(`${believed} webhook(s) that are believed, ${not} that are not`)
    if (!any && not === 0)
      notes.differs(`none came to ${webhooks.url}: is it the address that the gateway’s account has?`)
    if (not > 0) notes.differs('signed with another key, of another account, or of another shape')
  },
}

const events: Record<string, string> = {
  AUTHORISATION: 'Payments that are answered with Received, or not at all, are settled late or by hand.',
  CAPTURE: 'Nobody learns of a capture that failed: what was delivered is not paid for.',
  REFUND: 'Nobody learns of a refund that did not arrive.',
  CANCELLATION: 'Nobody learns of money that stays reserved.',
  TECHNICAL_CANCEL: 'Nobody learns of money that stays reserved after an answer was lost.',
}

const told = (eventCode: string, matters: string): GatewayStep => ({
  name: `webhook-${eventCode.toLowerCase().replaceAll('_', '-')}`,
  tries: `whether ${eventCode} is told, with our reference, the right amount and success`,
  matters,
  async run(world, notes) {
    const { webhooks, expected } = heard(world)
    const ofThis = expected.filter((each) => each.eventCode === eventCode)
    if (ofThis.length === 0) skip('nothing was done that it could tell of')
    if (webhooks.believed().length === 0) skip('no webhook came that could be believed')
    for (const each of ofThis) {
      const found = await webhooks.find(
        ({ pspReference, eventCode: code }) => pspReference === each.pspReference && code === eventCode,
        notes.signal,
      )
      if (!found) notes.differs(`none came for ${each.pspReference} (${each.references[0]})`)
      else compare(found, each, world.file.currency).forEach(notes.differs)
      if (found)
        notes.came(
          `${eventCode} success ${found.success} of ${found.amount} ${found.currency} for ${found.merchantReference}`,
        )
    }
  },
})

function compare(found: CardNotification, expected: Expected, currency: string): string[] {
  const { merchantReference, success, amount } = found
  return [
    !expected.references.includes(merchantReference) &&
      `merchantReference is ${merchantReference}, and ours is ${expected.references.join(' or ')}`,
    success !== expected.success &&
      `success is ${success} for ${expected.references[0]}${found.reason ? `: ${found.reason}` : ''}`,
    expected.amount !== null &&
      (amount !== expected.amount || found.currency !== currency) &&
      `the amount is ${amount} ${found.currency}, and ours ${expected.amount} ${currency}`,
  ].filter((line) => line !== false)
}

export const webhookSteps: GatewayStep[] = [
  signature,
  ...Object.entries(events).map(([eventCode, matters]) => told(eventCode, matters)),
]
