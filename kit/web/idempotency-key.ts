/**
 * Idempotency keys for browsers without storage, so that pressing twice on one page still makes only one purchase. Filled only in a
 * browser.
 */
const keysInMemory = new Map<string, string>()

/**
 * Returns a purchase's idempotency key. The tab keeps the key until a definite response has been shown. A retry after a lost response, a
 * reload or a second press sends the same key.
 */
export function getIdempotencyKey(purchase: string): string {
  const key =
    tryStorageAction((storage) => storage.getItem(getStorageKey(purchase))) ??
    keysInMemory.get(purchase) ??
    generateKey()
  keysInMemory.set(purchase, key)
  tryStorageAction((storage) => storage.setItem(getStorageKey(purchase), key))
  return key
}

export function clearIdempotencyKey(purchase: string): void {
  keysInMemory.delete(purchase)
  tryStorageAction((storage) => storage.removeItem(getStorageKey(purchase)))
}

const getStorageKey = (purchase: string): string => `key:${purchase}`

/** Runs an action on the session storage. Returns undefined if the storage fails, because it may be full or disabled. */
function tryStorageAction<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(sessionStorage)
  } catch {
    return undefined
  }
}

/** Creates a random UUID (RFC 9562, version 4) without `crypto.randomUUID`, which is unavailable on plain http. */
function generateKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
