/** How the product sends one text message. */
export type SmsSender = {
  /**
   * `sent`: the carrier has taken charge of it. `Refused`: it will never go as it is, so trying again is useless.
   * @throws whenever that is not known or may pass. Send it again then, with the same `messageId`.
   */
  send(sms: Sms): Promise<'sent' | Refused>
}

/** `answer`: why, as the carrier says it, which may have a number in it; null where it has said nothing. */
export type Refused = { outcome: 'refused'; answer: string | null }

export type Sms = {
  /** The same however often the message is sent: a carrier drops the repeat. */
  messageId: string
  /** MSISDN with its country code, `+64…`. */
  to: string
  text: string
}
