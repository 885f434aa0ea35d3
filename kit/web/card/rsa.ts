export type RandomSource = (length: number) => Uint8Array

type PublicKey = { exponent: bigint; modulus: bigint; modulusLength: number }

/**
 * Parses a public key of the form `hexExponent|hexModulus`.
 * @throws Error 'Malformed public key'
 */
export function readPublicKey(text: string): PublicKey {
  const [, exponent, modulus] = /^([\da-f]+)\|0*([\da-f]{128,})$/i.exec(text) ?? []
  if (!exponent || !modulus) throw new Error('Malformed public key')
  return {
    exponent: BigInt(`0x${exponent}`),
    modulus: BigInt(`0x${modulus}`),
    modulusLength: Math.ceil(modulus.length / 2),
  }
}

/** Encrypts a message using RSAES-PKCS1-v1_5 (RFC 8017, 7.2.1). The result is as long as the modulus, including leading zero bytes. */
export function encryptRsa(
  { exponent, modulus, modulusLength }: PublicKey,
  message: Uint8Array,
  random: RandomSource,
): Uint8Array {
  const padding = generateNonZeroBytes(modulusLength - message.length - 3, random)
  const block = Uint8Array.of(0, 2, ...padding, 0, ...message)
  return numberToBytes(computeModularPower(bytesToNumber(block), exponent, modulus), modulusLength)
}

function generateNonZeroBytes(length: number, random: RandomSource): Uint8Array {
  const bytes = Uint8Array.from(random(length))
  for (let zero = bytes.indexOf(0); zero !== -1; zero = bytes.indexOf(0)) bytes.set(random(1), zero)
  return bytes
}

function computeModularPower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % modulus) {
    if (rest & 1n) result = (result * square) % modulus
  }
  return result
}

const bytesToNumber = (bytes: Uint8Array): bigint => bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)

const numberToBytes = (number: bigint, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => Number((number >> BigInt(8 * (length - 1 - index))) & 0xffn))
