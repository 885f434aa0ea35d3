export const marketingConsent = (brandName: string): string =>
  `I agree that ${brandName} may email me about its plans and offers.`
