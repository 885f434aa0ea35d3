import type { Config } from '#kit/server/config.ts'
import type { CardConfig, NetworkConfig } from '#kit/server/config/service-configs.ts'
import type { ExternalCallListener } from '#kit/server/external-calls.ts'
import type { GatewayClockReading } from '#providers/card/adyen-client.ts'
import { createAdyenReportReader } from '#providers/card/adyen-report.ts'
import { createCardGateway } from '#providers/card/adyen.ts'
import { createSentryReporter } from '#providers/errors/sentry.ts'
import type { MailSender } from '#providers/mail/mail.port.ts'
import { findPortFailure } from '#providers/network/number-port-failures.ts'
import { parseStatusNames, getPortOrderStatus } from '#providers/network/number-port-status.ts'
import { findPortStep } from '#providers/network/number-port-steps.ts'
import { toOrderState } from '#providers/network/tmf.response.ts'
import { hideSensitiveNumbers } from '#providers/network/sensitive-numbers.ts'
import { createNetworkInventory } from '#providers/network/tmf-inventory.ts'
import { createNetworkUsage } from '#providers/network/tmf-usage.ts'
import { createMobileNetwork } from '#providers/network/tmf.ts'
import type { SmsSender } from '#providers/sms/sms.port.ts'
import { createCarrierAccess } from '#providers/tmf/access.ts'
import { monitorGatewayErrors } from '#features/operator-tasks/server/gateway-error-monitor.ts'
import { recordGatewayResponses, recordNetworkResponses } from '#features/orders/server/response-recorder.ts'
import { parseWireStatus } from '#features/porting/porting.states.ts'
import type { Deps } from './deps.ts'
import type { Provider } from './provider/read-provider.ts'
import { monitorPorts } from './monitored-ports.ts'

const providerTimeoutMs = 8_000
/** Timeout for usage requests. It is short, because a customer is looking at the page and waiting for the data. */
const usageTimeoutMs = 3_000
/** Timeout for error reports. No customer waits for a report, but sending it ties up a worker. */
const errorReportTimeoutMs = 3_000

type AdapterSettings = {
  config: Pick<Config, 'errorReportingDsn'> & { card: CardConfig; network: NetworkConfig }
  provider: Pick<Provider, 'network' | 'sensitiveNumbers'>
  mail: { sender: MailSender; from: string }
  sms: SmsSender
}

export type ProviderMonitor = { hear: ExternalCallListener; clocks: { hearGateway(told: GatewayClockReading): void } }

type ExternalPortName =
  | 'card'
  | 'network'
  | 'networkUsage'
  | 'networkInventory'
  | 'mail'
  | 'mailFrom'
  | 'sms'
  | 'errorReporter'

/** Creates the adapters for all external services. All requests to the network share one access token. */
export function createExternalPorts(
  { config, provider, mail, sms }: AdapterSettings,
  { hear, clocks }: ProviderMonitor,
  deps: Pick<Deps, 'db' | 'log' | 'noteOutage' | 'thresholds'>,
): Pick<
  Deps,
  ExternalPortName | 'statusOfPortAnswer' | 'failureOfPort' | 'stepOfPort' | 'isUnderWay' | 'readGatewayReport'
> {
  const { card, network, errorReportingDsn: dsn } = config
  const { network: mapping } = provider
  const watch = monitorPorts(hear)
  const carrierConfig = { baseUrl: network.baseUrl, access: createCarrierAccess(network.access), mapping }
  const gateway = createCardGateway({ ...card, timeoutMs: providerTimeoutMs, hearClock: clocks.hearGateway })
  const portStatusBySubState = parseStatusNames(mapping.ports.states)
  return {
    card: recordGatewayResponses(monitorGatewayErrors(watch.card(gateway), deps), deps),
    readGatewayReport: createAdyenReportReader(card.merchantAccount),
    network: recordNetworkResponses(
      watch.network(createMobileNetwork({ ...carrierConfig, timeoutMs: providerTimeoutMs })),
      deps,
    ),
    networkUsage: hideSensitiveNumbers(
      watch.usage(createNetworkUsage({ ...carrierConfig, timeoutMs: usageTimeoutMs })),
      provider.sensitiveNumbers,
    ),
    networkInventory: watch.inventory(createNetworkInventory({ ...carrierConfig, timeoutMs: usageTimeoutMs })),
    isUnderWay: (state) => toOrderState({ state }, mapping) === 'running',
    statusOfPortAnswer: (answer) => parseWireStatus(getPortOrderStatus(answer, portStatusBySubState)),
    failureOfPort: (code) => findPortFailure(code, mapping.ports.declines),
    stepOfPort: (subState) => findPortStep(subState, mapping.ports.steps),
    mail: watch.mail(mail.sender),
    mailFrom: mail.from,
    sms: watch.sms(sms),
    errorReporter: dsn ? watch.errors(createSentryReporter({ dsn, timeoutMs: errorReportTimeoutMs })) : null,
  }
}
