/*
 * The lengths of an encrypted card's parts in base64. An RSA block has at least 1,024 bits, and the vendor's library drops its leading zero
 * bytes. The second part has at least a nonce of 12 bytes and a tag of 8.
 */
const encryptedCardPattern = /^adyenjs_\d+_\d+_\d+\$[A-Za-z0-9+/]{150,}={0,2}\$[A-Za-z0-9+/]{26,}={0,2}$/

/**
 * Whether a text has the form of a card that was encrypted in a browser, `adyenjs_<version>$<encrypted AES key>$<encrypted card>`. Only the
 * gateway can decrypt it.
 */
export const isEncryptedCard = (text: string): boolean => encryptedCardPattern.test(text)
