import type { Suite } from '../suite.ts'
import { accessSteps } from './access.steps.ts'
import { beginSteps, endSteps, laterSteps } from './line.steps.ts'
import { type NetworkFile, readNetworkFile } from './network-file.ts'
import { type NetworkSuiteContext, createNetworkSuiteContext } from './network-suite-context.ts'
import { eventSteps, portSteps } from './port.steps.ts'
import { usageSteps } from './usage.steps.ts'

/** Conformance suite for everything that Fantail needs from a mobile network, as described in docs/carriers.md. */
export const networkSuite: Suite<NetworkFile, NetworkSuiteContext> = {
  readFile: readNetworkFile,
  target: { url: 'NETWORK_URL' },
  open: createNetworkSuiteContext,
  steps: [...accessSteps, ...beginSteps, ...usageSteps, ...laterSteps, ...portSteps, ...endSteps, ...eventSteps],
}
