import { formatNational, parseMobile } from '#kit/contract/phone.ts'
import type { Activation } from '../activation.contract.ts'

/** The number to bring as it is shown, if there is one. It was kept as it was typed, and is shown as our own numbers are. */
export function formatNumberToBring({ setup_porting, porting_request }: Activation): string | undefined {
  if (!setup_porting || !porting_request) return undefined
  const { msisdn } = porting_request
  const mobile = (['NZ', 'AU'] as const)
    .map((region) => parseMobile(msisdn, region))
    .find((read) => typeof read !== 'string')
  return mobile ? formatNational(mobile.e164) : msisdn
}
