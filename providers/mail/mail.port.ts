/** How the product sends one mail. */
export type MailSender = {
  /**
   * `sent`: the relay has taken charge of it. `Refused`: it will never go as it is (the address or the message was
   * turned down), so trying again is useless.
   * @throws whenever that is not known or may pass: no connection, a timeout, a temporary refusal, our own login
   * turned down. Send it again then, unchanged: the Message-ID lets a second copy be recognised.
   */
  send(mail: Mail): Promise<'sent' | Refused>
}

/** `answer`: why, as the other side says it, which may have an address or a number in it; null where it has said nothing. */
export type Refused = { outcome: 'refused'; answer: string | null }

export type Mail = {
  /** `<local@domain>`, angle brackets optional; the same however often the mail is sent. */
  messageId: string
  /** `Name <address>` or an address. */
  from: string
  /** One address, without a name. */
  to: string
  subject: string
  text: string
  html: string
  /** Files that go with it; none unless said otherwise. */
  attachments?: Attachment[]
}

/** `contentType` as MIME writes it, `application/pdf`; `filename` has no path in it. */
export type Attachment = { filename: string; contentType: string; content: Uint8Array }
