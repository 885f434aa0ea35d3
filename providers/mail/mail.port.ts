export type MailSender = {
  /**
   * Sends an email. `sent`: the relay accepted the email. `RejectedMessage`: the relay permanently rejected the address or the message, so
   * a retry is pointless.
   * @throws if the outcome is unknown or the failure is temporary: no connection, a timeout, a temporary rejection, or a rejected login.
   * Send the email again in that case, unchanged: its Message-ID lets recipients recognise a second copy.
   */
  send(mail: Mail): Promise<'sent' | RejectedMessage>
}

/**
 * A permanent rejection of an email. `answer` is the server's reason, which may contain an address or a phone number, or `null` if it gave
 * none.
 */
export type RejectedMessage = { outcome: 'refused'; answer: string | null }

export type Mail = {
  /** Message-ID in the form `<local@domain>`; the angle brackets are optional. Every retry of an email uses the same id. */
  messageId: string
  from: string
  to: string
  subject: string
  text: string
  html: string
  attachments?: Attachment[]
}

/** A file attached to an email. `filename` must not contain a path. */
export type Attachment = { filename: string; contentType: string; content: Uint8Array }
