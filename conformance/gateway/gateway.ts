import type { Suite } from '../suite.ts'
import { authoriseSteps } from './authorise.steps.ts'
import { type GatewayFile, readGatewayFile } from './gateway-file.ts'
import { type GatewaySuiteContext, createGatewaySuiteContext } from './gateway-suite-context.ts'
import { modifySteps } from './modify.steps.ts'
import { storedCardSteps } from './stored-card.steps.ts'
import { webhookSteps } from './webhook.steps.ts'

export const gatewaySuite: Suite<GatewayFile, GatewaySuiteContext> = {
  readFile: (name, text, fault) => readGatewayFile(name, text, fault),
  target: {
    url: 'CARD_URL',
    account: 'CARD_MERCHANT_ACCOUNT',
    isTestHost: (host) => /(?:^|[.-])test\.adyen\.com$/.test(host),
    isLiveHost: (host) => /(?:^|-)pal-live\./.test(host),
  },
  open: createGatewaySuiteContext,
  steps: [...authoriseSteps, ...modifySteps, ...storedCardSteps, ...webhookSteps],
}
