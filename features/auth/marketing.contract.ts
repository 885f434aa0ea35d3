/** What a customer agrees to, or not: at sign-up, and later in the account. */
export const marketingConsent = (brandName: string): string =>
  `I agree that ${brandName} may email me about its plans and offers.`
