import type { CardNotification } from '#providers/card/card.port.ts'
import { skip, type Step } from '../step.ts'
import type { ExpectedNotification, GatewaySuiteContext } from './gateway-suite-context.ts'
import type { WebhookReceiver } from './webhook-receiver.ts'

type GatewayStep = Step<GatewaySuiteContext>

const requireWebhooks = ({
  webhooks,
  expected,
}: GatewaySuiteContext): { webhooks: WebhookReceiver; expected: ExpectedNotification[] } => {
  if (!webhooks) return skip('the file has no "listen" for receiving webhooks')
  if (expected.length === 0) return skip('there was no operation that causes a webhook')
  return { webhooks, expected }
}

const signatureStep: GatewayStep = {
  name: 'webhook-signature',
  tries: 'whether a webhook comes, signed with CARD_HMAC_KEY and for CARD_MERCHANT_ACCOUNT',
  matters:
    'Outcomes of captures and refunds stay unknown, because the product rejects webhooks without this signature.',
  async run(world, notes) {
    const { webhooks } = requireWebhooks(world)
    const any = await webhooks.find(() => true, notes.signal)
    const [believed, not] = [webhooks.believed().length, webhooks.disbelieved()]
    notes.came(`${believed} valid webhook(s), ${not} rejected`)
    if (!any && not === 0)
      notes.differs(`no webhook came to ${webhooks.url}: check the address in the gateway’s account`)
    if (not > 0) notes.differs('a webhook has another key, another account or another format')
  },
}

const consequencesByEvent: Record<string, string> = {
  AUTHORISATION: 'Payments that are answered with Received, or not at all, are settled late or by hand.',
  CAPTURE: 'Failed captures stay unnoticed, so you are not paid for what you delivered.',
  REFUND: 'Failed refunds stay unnoticed.',
  CANCELLATION: 'Failed cancellations stay unnoticed, and the money stays reserved.',
  TECHNICAL_CANCEL: 'After a lost answer, failed cancellations stay unnoticed, and the money stays reserved.',
}

const notificationStep = (eventCode: string, matters: string): GatewayStep => ({
  name: `webhook-${eventCode.toLowerCase().replaceAll('_', '-')}`,
  tries: `whether a ${eventCode} webhook comes, with our reference, the right amount and success`,
  matters,
  async run(world, notes) {
    const { webhooks, expected } = requireWebhooks(world)
    const matchingExpected = expected.filter((each) => each.eventCode === eventCode)
    if (matchingExpected.length === 0) skip('there was no operation that causes this webhook')
    if (webhooks.believed().length === 0) skip('no valid webhook came')
    for (const each of matchingExpected) {
      const found = await webhooks.find(
        ({ pspReference, eventCode: code }) => pspReference === each.pspReference && code === eventCode,
        notes.signal,
      )
      if (!found) notes.differs(`no webhook came for ${each.pspReference} (${each.references[0]})`)
      else compareNotification(found, each, world.file.currency).forEach(notes.differs)
      if (found)
        notes.came(
          `${eventCode} success ${found.success} of ${found.amount} ${found.currency} for ${found.merchantReference}`,
        )
    }
  },
})

function compareNotification(found: CardNotification, expected: ExpectedNotification, currency: string): string[] {
  const { merchantReference, success, amount } = found
  return [
    !expected.references.includes(merchantReference) &&
      `merchantReference is ${merchantReference}; expected ${expected.references.join(' or ')}`,
    success !== expected.success &&
      `success is ${success} for ${expected.references[0]}${found.reason ? `: ${found.reason}` : ''}`,
    expected.amount !== null &&
      (amount !== expected.amount || found.currency !== currency) &&
      `the amount is ${amount} ${found.currency}; expected ${expected.amount} ${currency}`,
  ].filter((line) => line !== false)
}

export const webhookSteps: GatewayStep[] = [
  signatureStep,
  ...Object.entries(consequencesByEvent).map(([eventCode, matters]) => notificationStep(eventCode, matters)),
]
