/** Descriptions of gateway events whose name tells staff little. */
const words: Readonly<Record<string, string>> = {
  CAPTURE_FAILED: 'the money could not be taken after all',
  REFUND_FAILED: 'the refund did not arrive',
  REFUNDED_REVERSED: 'the refund came back',
  CANCEL_OR_REFUND: 'cancelled or given back at the gateway',
  REFUND_WITH_DATA: 'given back to another card at the gateway',
  EXPIRE: 'the reserved money has expired',
  RECURRING_CONTRACT: 'the card is stored',
  MANUAL_REVIEW_REJECT: 'rejected by a review at the gateway',
  NOTIFICATION_OF_FRAUD: 'the bank calls it a fraud',
  REQUEST_FOR_INFORMATION: 'the bank asks what it was for',
  NOTIFICATION_OF_CHARGEBACK: 'the bank will take the money back',
  CHARGEBACK: 'the bank has taken the money back',
  CHARGEBACK_REVERSED: 'the bank has given the money again, and may go on',
  SECOND_CHARGEBACK: 'the bank has taken the money back for good',
  DISPUTE_DEFENSE_PERIOD_ENDED: 'the time to contest it is over',
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: 'the bank has not answered in time',
  PREARBITRATION_OPEN: 'the bank goes on',
  PREARBITRATION_WON: 'won',
  PREARBITRATION_LOST: 'lost',
  SCHEME_ARBITRATION: 'the card scheme decides',
  SCHEME_ARBITRATION_WON: 'won',
  SCHEME_ARBITRATION_LOST: 'lost',
}

/** `null` when the name of the event is clear enough by itself. */
export const wordsOf = (eventCode: string): string | null => words[eventCode] ?? null
