/** A payment as the gateway's report has it. Amounts are integer cents, and cover only what the report covers. */
export type ReportedPayment = {
  /** The gateway's reference of the payment, and the merchant's. */
  pspReference: string
  reference: string
  /** Its first entry in the report. */
  firstAt: Temporal.Instant
  currency: string
  authorised: number
  captured: number
  refunded: number
  /** What banks took back. */
  disputed: number
  /** Cancelled, expired or refused: nothing is reserved. */
  isReleased: boolean
}

/**
 * Reads a report of the gateway, and answers the payments whose merchant reference `isOurs` accepts, the oldest first. Entries of other
 * merchant accounts are left out.
 * @throws GatewayReportFault
 */
export type ReadGatewayReport = (
  bytes: AsyncIterable<Uint8Array>,
  isOurs: (reference: string) => boolean,
) => Promise<ReportedPayment[]>

/** A file that is no report of the gateway, and why, in a sentence with the line. */
export class GatewayReportFault extends Error {}
