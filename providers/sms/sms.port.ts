export type SmsSender = {
  /**
   * Sends an SMS. `sent`: the carrier accepted the message. `RejectedSms`: the carrier will never accept this message, so a retry is
   * pointless.
   * @throws if the outcome is unknown or the failure is temporary. Send the message again in that case, with the same `messageId`.
   */
  send(sms: Sms): Promise<'sent' | RejectedSms>
}

/** A permanent rejection of an SMS. `answer` is the carrier's reason, which may contain a phone number, or `null` if it gave none. */
export type RejectedSms = { outcome: 'refused'; answer: string | null }

export type Sms = {
  /** The message's id. It is the same on every retry, so that the carrier drops duplicates. */
  messageId: string
  to: string
  text: string
}
