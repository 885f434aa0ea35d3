import { extractDigits, passesLuhn } from '../../contract/card-number.ts'
import { sealCcm } from './ccm.ts'
import { encryptRsa, readPublicKey } from './rsa.ts'
import type { RandomSource } from './rsa.ts'

/** A card as typed by the customer: the number may contain spaces, and the month may have a leading zero. The year has four digits. */
type Card = { number: string; cvc: string; holderName: string; expiryMonth: string; expiryYear: string }

/** The prefix identifies the vendor library whose message format this is (design.md, "Card encryption"). */
const formatPrefix = 'adyenjs_0_1_18'

/**
 * Encrypts a card for the gateway: `adyenjs_0_1_18$` RSA-encrypted AES key `$` nonce ‖ ciphertext ‖ tag, in base64. `generationTime` is the
 * server's current time, which also supplies the current year. The gateway rejects a message after 24 hours. The function needs only
 * `crypto.getRandomValues` from the browser, so it works on plain-http hosts.
 * @throws Error 'Malformed public key', or an error that says which card detail is invalid but never contains its value
 */
export function encryptCard(
  publicKey: string,
  card: Card,
  generationTime: Date | string,
  random: RandomSource = randomBytes,
): string {
  const key = readPublicKey(publicKey)
  const generationtime = new Date(generationTime).toISOString()
  checkCard(card, Number(generationtime.slice(0, 4)))

  // The fields are listed one by one, so that other properties of the caller's object are not sent.
  const { number, cvc, holderName, expiryMonth, expiryYear } = card
  const message = JSON.stringify({ number, cvc, holderName, expiryMonth, expiryYear, generationtime })
  const aesKey = random(32)
  const nonce = random(12)
  const sealedMessage = sealCcm(aesKey, nonce, new TextEncoder().encode(message))
  return `${formatPrefix}$${encodeBase64(encryptRsa(key, aesKey, random))}$${encodeBase64(Uint8Array.of(...nonce, ...sealedMessage))}`
}

/** Checks a card against the rules in section 5 of the specification, "Encryption step's own rules". */
function checkCard(card: Card, thisYear: number): void {
  const digits = extractDigits(card.number)
  if (digits.length < 10 || digits.length > 20 || !passesLuhn(digits)) throw new Error('Invalid card number')
  if (!(/^3[47]/.test(digits) ? /^\d{4}$/ : /^\d{3,4}$/).test(card.cvc)) throw new Error('Invalid security code')
  if (!/^(?:0?[1-9]|1[0-2])$/.test(card.expiryMonth)) throw new Error('Invalid expiry month')
  const year = /^\d{4}$/.test(card.expiryYear) ? Number(card.expiryYear) : NaN
  if (!(year >= thisYear && year <= thisYear + 15)) throw new Error('Invalid expiry year')
  if (card.holderName.trim() === '') throw new Error('Invalid holder name')
}

const randomBytes: RandomSource = (length) => crypto.getRandomValues(new Uint8Array(length))

const encodeBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
