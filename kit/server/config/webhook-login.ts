export type WebhookLogin = { user: string; password: string }

export function readWebhookLogin(
  env: Record<string, string | undefined>,
  fault: (line: string) => void,
): WebhookLogin | null {
  const [user, password] = [env['CARD_WEBHOOK_USER'] ?? '', env['CARD_WEBHOOK_PASSWORD'] ?? '']
  if (!user && !password) return null
  if (!user) fault('CARD_WEBHOOK_USER is missing: set it together with CARD_WEBHOOK_PASSWORD.')
  if (!password) fault('CARD_WEBHOOK_PASSWORD is missing: set it together with CARD_WEBHOOK_USER.')
  // Basic authentication separates the user name and password with a colon.
  if (user.includes(':')) fault('CARD_WEBHOOK_USER must not contain a colon.')
  return { user, password }
}
