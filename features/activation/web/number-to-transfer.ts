import { formatNational, parseDomesticMobile, type Region } from '#kit/contract/phone.ts'
import type { Activation } from '../activation.contract.ts'

export function formatNumberToTransfer(
  { setup_porting, porting_request }: Pick<Activation, 'setup_porting' | 'porting_request'>,
  region: Region,
): string | undefined {
  if (!setup_porting || !porting_request) return undefined
  const { msisdn } = porting_request
  const number = parseDomesticMobile(msisdn, region)
  return number ? formatNational(number) : msisdn
}
