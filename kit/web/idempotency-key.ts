/** For a browser that keeps nothing: two presses on one page are still one purchase. Only ever filled in a browser. */
const made = new Map<string, string>()

/**
 * The key of one purchase, made with its form and kept by this tab until a definite answer was shown: a lost answer,
 * a reload and a second press all carry the same one.
 */
export function idempotencyKey(purchase: string): string {
  const key = stored((storage) => storage.getItem(placeOf(purchase))) ?? made.get(purchase) ?? newKey()
  made.set(purchase, key)
  stored((storage) => storage.setItem(placeOf(purchase), key))
  return key
}

/** The purchase has been answered, one way or the other: the next press is another one. */
export function clearIdempotencyKey(purchase: string): void {
  made.delete(purchase)
  stored((storage) => storage.removeItem(placeOf(purchase)))
}

const placeOf = (purchase: string): string => `key:${purchase}`

/** Storage may be full or switched off. */
function stored<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(sessionStorage)
  } catch {
    return undefined
  }
}

/** A random UUID (RFC 9562, version 4); `crypto.randomUUID` is missing on plain http. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
