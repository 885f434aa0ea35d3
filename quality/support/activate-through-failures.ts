import { setTimeout as pause } from 'node:timers/promises'
import type { Activation } from '#features/activation/activation.contract.ts'
import type { WizardVisitor } from './activation-journey.ts'
import { ignoreBrokenConnection } from './kill-moments.ts'
import type { Answer } from './visitor.ts'

/**
 * Simulates a customer at the checkout who does not give up. After every broken connection, the customer does what the checkout page would
 * do: pay with the same idempotency key, ask how an uncertain payment turned out, and wait for the activation to finish.
 * @throws if a response is one that no customer should ever get
 */
export async function activateThroughFailures(
  traveller: WizardVisitor,
  { holder, withinMs = 120_000 }: { holder?: string; withinMs?: number } = {},
): Promise<Activation> {
  const key = crypto.randomUUID()
  const end = performance.now() + withinMs
  while (performance.now() < end) {
    const activation = await act(traveller, { key, ...(holder && { holder }) }).catch(ignoreBrokenConnection)
    if (activation && ['SUCCESSFUL', 'PERMANENTLY_FAILED', 'ERROR_CAN_RETRY'].includes(activation.state))
      return activation
    await pause(50)
  }
  throw new Error(`the activation of ${traveller.email} did not end`)
}

async function act(
  { visitor, pay }: WizardVisitor,
  payment: { key: string; holder?: string },
): Promise<Activation | null> {
  const { status, body } = requireAccepted(await visitor.get('/api/activate/activate/'))
  /*
   * Retry after a server error. The page then says "Something went wrong. Please try refreshing the page.", and the customer follows that
   * advice.
   */
  if (status >= 500) return null
  if (body.state === 'PAYMENT')
    requireAccepted(await (body.retry ? visitor.post(`/api/orders/${body.order_code}/resume/`) : pay(payment)))
  return body
}

function requireAccepted(answer: Answer): Answer {
  if (answer.status === 200 || answer.status === 202 || answer.status >= 500) return answer
  throw new Error(`the customer was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}
