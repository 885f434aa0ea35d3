import type { Market } from '#kit/contract/bootstrap.ts'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import type { PortingDeps } from './porting.deps.ts'
import type { PortingRequest } from './porting.store.ts'

export function getFailureReason(
  { failureOfPort }: Pick<PortingDeps, 'failureOfPort'>,
  { status, failure_code, billing_method }: Pick<PortingRequest, 'status' | 'failure_code' | 'billing_method'>,
): PortingRequestView['reason'] {
  if (status === 'CANCELLED') return 'cancelled'
  const failure = status === 'FAILED' ? failureOfPort(failure_code) : null
  if (failure !== 'donor_mismatch') return failure
  return billing_method === 'prepay' ? 'sim_number' : 'account_number'
}

/**
 * Explains why a transfer failed, in our own words rather than the carrier's. `donor` is the other provider's name.
 * Returns an empty string if no reason is known.
 */
export function describePortFailure(
  reason: PortingRequestView['reason'],
  donor: string,
  market: Market['code'],
): string {
  switch (reason) {
    case 'sim_number':
      return `${donor} has a different SIM number for this number.`
    case 'account_number':
      return `${donor} has a different account number for this number.`
    case 'no_reply':
      return market === 'NZ' ? 'We didn’t get your ‘Yes’ within 2 hours.' : 'The code was not entered within 2 hours.'
    case 'said_no':
      return `Someone replied ‘No’ to the text. If that wasn’t you, call ${donor}.`
    case 'cancelled':
      return `The transfer was cancelled, and the number is still with ${donor}.`
    case null:
      return ''
  }
}
