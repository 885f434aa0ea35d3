/** The consent text at sign-up and in the account settings. */
export const marketingConsent = (brandName: string): string =>
  `I agree that ${brandName} may email me about its plans and offers.`
