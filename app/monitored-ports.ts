import type { ExternalCallListener, ExternalService } from '#kit/server/external-calls.ts'
import type { CardGateway } from '#providers/card/card.port.ts'
import type { ErrorReporter } from '#providers/errors/errors.port.ts'
import type { MailSender } from '#providers/mail/mail.port.ts'
import type { NetworkInventory } from '#providers/network/inventory.port.ts'
import type { MobileNetwork } from '#providers/network/network.port.ts'
import type { NetworkUsage } from '#providers/network/usage.port.ts'
import type { SmsSender } from '#providers/sms/sms.port.ts'

type Call<Input extends unknown[], Answer> = (...input: Input) => Promise<Answer>

function monitorRequests(service: ExternalService, hear: ExternalCallListener) {
  return <Input extends unknown[], Answer>(operation: string, call: Call<Input, Answer>): Call<Input, Answer> =>
    async (...input) => {
      const startedAt = performance.now()
      const reportOutcome = (outcome: string, why: string | null): void =>
        hear({ service, operation, outcome, isFailure: why !== null, ms: performance.now() - startedAt, why })
      try {
        const answer = await call(...input)
        const outcome = classifyAnswer(answer)
        reportOutcome(outcome, outcome === 'unknown' ? getUnknownOutcomeReason(answer) : null)
        return answer
      } catch (error) {
        reportOutcome('threw', getErrorReason(error))
        throw error
      }
    }
}

export function monitorPorts(hear: ExternalCallListener) {
  const [cards, orders] = [monitorRequests('card_gateway', hear), monitorRequests('mobile_network', hear)]
  const monitorUsageRequest = monitorRequests('usage', hear)
  return {
    card: (card: CardGateway): CardGateway => ({
      authorise: cards('authorise', card.authorise),
      capture: cards('capture', card.capture),
      cancel: cards('cancel', card.cancel),
      refund: cards('refund', card.refund),
      technicalCancel: cards('technicalCancel', card.technicalCancel),
      disable: cards('disable', card.disable),
    }),
    network: (network: MobileNetwork): MobileNetwork => ({
      place: orders('place', network.place),
      read: orders('read', network.read),
      sendDonorCode: orders('sendDonorCode', network.sendDonorCode),
      cancel: orders('cancel', network.cancel),
      list: orders('list', network.list),
      subscribe: orders('subscribe', network.subscribe),
    }),
    usage: (usage: NetworkUsage): NetworkUsage => ({
      balances: monitorUsageRequest('balances', usage.balances),
      records: monitorUsageRequest('records', usage.records),
    }),
    inventory: (inventory: NetworkInventory): NetworkInventory => ({ puk: monitorUsageRequest('puk', inventory.puk) }),
    mail: (mail: MailSender): MailSender => ({ send: monitorRequests('mail', hear)('send', mail.send) }),
    sms: (sms: SmsSender): SmsSender => ({ send: monitorRequests('sms', hear)('send', sms.send) }),
    errors: (reporter: ErrorReporter): ErrorReporter => ({
      send: monitorRequests('error_reporting', hear)('send', reporter.send),
    }),
  }
}

/** Returns the outcome of a call to an external service: the result itself if it is a string, otherwise the result's `outcome`. */
function classifyAnswer(answer: unknown): string {
  if (typeof answer === 'string') return answer
  if (typeof answer !== 'object' || answer === null) return 'done'
  return 'outcome' in answer ? String(answer.outcome) : 'answered'
}

const maxReasonLength = 200
const truncate = (text: string): string => text.slice(0, maxReasonLength).replaceAll(/\p{Cc}/gu, ' ')

const getUnknownOutcomeReason = (answer: unknown): string =>
  typeof answer === 'object' && answer !== null && 'why' in answer ? truncate(String(answer.why)) : 'no answer'

/**
 * Returns why a call to an external service failed. An error's code is preferred, because a mail server's error text may contain a
 * customer's address. Errors without a code come from our own adapters, whose messages contain neither keys nor customer data.
 */
function getErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error'
  const { code, responseCode } = error as Error & { code?: unknown; responseCode?: unknown }
  const codes = [code, responseCode].filter((each) => /^\w{1,40}$/.test(String(each ?? '')))
  return codes.length > 0 ? codes.join(' ') : truncate(error.message)
}
