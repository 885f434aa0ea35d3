import { gatewaySuite } from './gateway/gateway.ts'
import { mailSuite } from './mail/mail.ts'
import { networkSuite } from './network/network.ts'
import { smsSuite } from './sms/sms.ts'
import { prepareSuite } from './suite.ts'

export const suites = {
  network: prepareSuite(networkSuite),
  gateway: prepareSuite(gatewaySuite),
  mail: prepareSuite(mailSuite),
  sms: prepareSuite(smsSuite),
}
export type SuiteName = keyof typeof suites
