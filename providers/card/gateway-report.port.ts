/** A payment according to the gateway's report. Amounts are integer cents and cover only the report's period. */
export type ReportedPayment = {
  pspReference: string
  reference: string
  firstAt: Temporal.Instant
  currency: string
  authorised: number
  captured: number
  refunded: number
  /** Total of chargebacks that have not been reversed. */
  disputed: number
  /** True if the payment was cancelled, expired or refused, so that no money is reserved. */
  isReleased: boolean
}

/**
 * Reads a report from the gateway. Returns the payments whose merchant reference `isOurs` accepts, oldest first. Other merchant accounts'
 * entries are left out.
 * @throws GatewayReportError
 */
export type GatewayReportReader = (
  bytes: AsyncIterable<Uint8Array>,
  isOurs: (reference: string) => boolean,
) => Promise<ReportedPayment[]>

export class GatewayReportError extends Error {}
