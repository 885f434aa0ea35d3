/**
 * The last line of a text with a One-Time PIN that the customer enters on our own page. Browsers read it and offer the PIN on that site only
 * (WICG, "Origin-bound one-time codes delivered via SMS"). A PIN that a caller reads out has no such line.
 */
export const oneTimeCodeLine = (publicUrl: string, pin: string): string => `@${new URL(publicUrl).hostname} #${pin}`
