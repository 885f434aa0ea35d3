export type SmsSender = {
  /**
   * Sends an SMS.
   * `sent`: the carrier has accepted the message. `RejectedSms`: the carrier will never accept this message, so a retry is useless.
   * @throws if the outcome is unknown or the failure is temporary. Send the message again then, with the same `messageId`.
   */
  send(sms: Sms): Promise<'sent' | RejectedSms>
}

/**
 * A permanent rejection of an SMS. `answer` is the carrier's reason, which may contain a phone number. `null` if the carrier gave no
 * reason.
 */
export type RejectedSms = { outcome: 'refused'; answer: string | null }

export type Sms = {
  /** Id of the message. It is the same on every retry of a message, so that the carrier drops a repeat. */
  messageId: string
  to: string
  text: string
}
