import { formatNational, parseMobile } from '#kit/contract/phone.ts'
import type { Activation } from '../activation.contract.ts'

/** The number that comes along, if one does. It was kept as it was typed, and is shown as our own numbers are. */
export function numberToBring({ setup_porting, porting_request }: Activation): string | undefined {
  if (!setup_porting || !porting_request) return undefined
  const { msisdn } = porting_request
  const mobile = (['NZ', 'AU'] as const)
    .map((region) => parseMobile(msisdn, region))
    .find((read) => typeof read !== 'string')
  return mobile ? formatNational(mobile.e164) : msisdn
}
