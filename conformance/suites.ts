import { gatewaySuite } from './gateway/gateway.ts'
import { mailSuite } from './mail/mail.ts'
import { networkSuite } from './network/network.ts'
import { smsSuite } from './sms/sms.ts'
import { ready } from './suite.ts'

export const suites = {
  network: ready(networkSuite),
  gateway: ready(gatewaySuite),
  mail: ready(mailSuite),
  sms: ready(smsSuite),
}
export type SuiteName = keyof typeof suites
