const faultCatalogue = {
  '000': [401, 'security', 'HTTP Status Response - Unauthorized'],
  '010': [403, 'security', 'Not allowed'],
  '101': [422, 'validation', 'Invalid card number'],
  '103': [422, 'validation', 'CVC is not the right length'],
  '121': [422, 'validation', 'ShopperReference is missing'],
  '128': [422, 'validation', 'Card Holder Missing'],
  '130': [422, 'validation', 'Reference Missing'],
  '137': [422, 'validation', 'Invalid amount specified'],
  '138': [422, 'validation', 'Unsupported currency specified'],
  '141': [422, 'validation', 'Invalid expiryMonth[1..12] / expiryYear[>2000]'],
  '158': [422, 'validation', 'Required field originalMerchantReference not specified'],
  '166': [422, 'validation', 'Amount not allowed for this operation'],
  '167': [422, 'validation', 'Original pspReference required for this operation'],
  '170': [422, 'validation', 'Generation Date required but missing'],
  '171': [422, 'validation', 'Unable to parse Generation Date'],
  '172': [422, 'validation', 'Encrypted data used outside of valid time period'],
  '173': [422, 'validation', 'Unable to load Private Key for decryption'],
  '174': [422, 'validation', 'Unable to decrypt data'],
  '175': [422, 'validation', 'Unable to parse JSON data'],
  '183': [422, 'validation', 'Invalid recurring contract'],
  '186': [422, 'validation', 'Missing additionalData field'],
  '701': [500, 'internal', 'Server could not process request'],
  '702': [400, 'validation', 'Problem parsing request'],
  '704': [409, 'validation', 'request already processed or in progress'],
  '803': [422, 'validation', 'PaymentDetail not found'],
  '901': [403, 'security', 'Invalid Merchant Account'],
  '908': [422, 'validation', 'Invalid request: Idempotency-Key has more than 64 characters'],
} as const satisfies Record<string, readonly [status: number, errorType: string, message: string]>

type FaultCode = keyof typeof faultCatalogue

export class AdyenFault extends Error {
  readonly code: FaultCode
  constructor(code: FaultCode) {
    super(faultCatalogue[code][2])
    this.name = 'Fault'
    this.code = code
  }
}

export const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(faultCatalogue, code)

export function createFaultResponse(code: FaultCode, pspReference: string) {
  const [status, errorType, message] = faultCatalogue[code]
  return { status, body: { status, errorCode: code, message, errorType, pspReference } }
}

/**
 * Returns whether a request that failed with this fault may succeed on a retry with the same idempotency key: nothing was done and no
 * response was stored.
 */
export const isTransient = (code: FaultCode): boolean => code === '701' || code === '704'

/** Returns whether a fault is stored as the response for its idempotency key. Faults raised before validation are not. */
export const isStoredAsResponse = (code: FaultCode): boolean => faultCatalogue[code][0] === 422
