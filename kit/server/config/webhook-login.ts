/** The user and the password with which the card gateway calls, where it was given some. */
export type WebhookLogin = { user: string; password: string }

/** Null where neither is set. What is wrong goes to `fault`, a line each. */
export function webhookLogin(
  env: Record<string, string | undefined>,
  fault: (line: string) => void,
): WebhookLogin | null {
  const [user, password] = [env['CARD_WEBHOOK_USER'] ?? '', env['CARD_WEBHOOK_PASSWORD'] ?? '']
  if (!user && !password) return null
  if (!user) fault('CARD_WEBHOOK_USER is missing: it goes with CARD_WEBHOOK_PASSWORD.')
  if (!password) fault('CARD_WEBHOOK_PASSWORD is missing: it goes with CARD_WEBHOOK_USER.')
  // A header could not tell the two apart.
  if (user.includes(':')) fault('CARD_WEBHOOK_USER must be without a colon.')
  return { user, password }
}
