/** A payment according to the gateway's report. Amounts are integer cents and cover only the period of the report. */
export type ReportedPayment = {
  pspReference: string
  reference: string
  firstAt: Temporal.Instant
  currency: string
  authorised: number
  captured: number
  refunded: number
  /** Amount of chargebacks that were not reversed. */
  disputed: number
  /** True if the payment was cancelled, expired or refused, so that nothing is reserved. */
  isReleased: boolean
}

/**
 * Reads a report of the gateway. It returns the payments whose merchant reference `isOurs` accepts, oldest first.
 * Entries of other merchant accounts are left out.
 * @throws GatewayReportError
 */
export type ReadGatewayReport = (
  bytes: AsyncIterable<Uint8Array>,
  isOurs: (reference: string) => boolean,
) => Promise<ReportedPayment[]>

export class GatewayReportError extends Error {}
