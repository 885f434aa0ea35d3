/** Writes structured log lines. Never log a card, a password, a token, a PIN or a voucher code; log ids and states instead. */
export type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
