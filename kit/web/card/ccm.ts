import { ctr } from '@noble/ciphers/aes.js'

const blockLength = 16
const tagLength = 8
// A 12-byte nonce leaves 3 bytes of an AES block for the message length.
const lengthFieldSize = 3

/**
 * Encrypts with AES-CCM (RFC 3610), using a 12-byte nonce, an 8-byte tag and no associated data. Returns ciphertext ‖ tag. WebCrypto has no
 * CCM, and offers no ciphers at all on a plain-http host. CCM is a CBC-MAC encrypted together with the message in CTR mode.
 */
export function sealCcm(key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array): Uint8Array {
  const flags = ((tagLength - 2) / 2) * 8 + (lengthFieldSize - 1)
  const length = Uint8Array.of(plaintext.length >> 16, plaintext.length >> 8, plaintext.length)
  const padding = new Uint8Array(-plaintext.length & (blockLength - 1))
  const mac = computeCbcMac(key, concatBytes(Uint8Array.of(flags), nonce, length, plaintext, padding))

  const firstCounter = concatBytes(Uint8Array.of(lengthFieldSize - 1), nonce, new Uint8Array(lengthFieldSize))
  const sealedBytes = ctr(key, firstCounter).encrypt(concatBytes(mac, plaintext))
  return concatBytes(sealedBytes.subarray(blockLength), sealedBytes.subarray(0, tagLength))
}

function computeCbcMac(key: Uint8Array, message: Uint8Array): Uint8Array {
  let mac: Uint8Array = new Uint8Array(blockLength)
  for (let start = 0; start < message.length; start += blockLength) {
    mac = encryptBlock(
      key,
      mac.map((byte, index) => byte ^ message[start + index]!),
    )
  }
  return mac
}

// The first block of CTR's key stream is its encrypted counter, so CTR alone is enough and the bundle does not need CBC.
const encryptBlock = (key: Uint8Array, block: Uint8Array): Uint8Array =>
  ctr(key, block).encrypt(new Uint8Array(blockLength))

const concatBytes = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]))
